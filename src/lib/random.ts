/** Returns a number from 0 up to but not including 1. */
export type RandomSource = () => number

/** The same seed and purpose give the same numbers, from which `skipped` leaves out the first. Purposes do not affect each other. */
export function createRandom(seed: number, purpose: string, skipped = 0): RandomSource {
  let state = hashText(`${seed}/${purpose}`) + Math.imul(skipped, STEP)
  return () => {
    state = (state + STEP) | 0
    let bits = Math.imul(state ^ (state >>> 15), state | 1)
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61)
    return ((bits ^ (bits >>> 14)) >>> 0) / 0x100000000
  }
}

const STEP = 0x6d2b79f5

/** A number, or a random whole number between two. */
export function drawSpan(span: number | readonly [min: number, max: number], random: RandomSource): number {
  if (typeof span === 'number') return span
  const [min, max] = span
  return min + Math.floor(random() * (max - min + 1))
}

/** 32-bit FNV-1a, mixed further so that similar seeds give very different numbers. */
export function hashText(text: string): number {
  let bits = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    bits = Math.imul(bits ^ text.charCodeAt(index), 0x01000193)
  }
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
  return (bits ^ (bits >>> 16)) >>> 0
}
