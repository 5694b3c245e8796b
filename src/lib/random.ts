/** Where the mock gets chance from: a number from 0 up to, not including, 1. */
export type RandomSource = () => number

/** A source of its own for one purpose: the same seed and purpose give the same numbers, whatever else is drawn. */
export function createRandom(seed: number, purpose: string): RandomSource {
  let state = hashText(`${seed}/${purpose}`)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let bits = Math.imul(state ^ (state >>> 15), state | 1)
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61)
    return ((bits ^ (bits >>> 14)) >>> 0) / 0x100000000
  }
}

/** 32 bits of FNV-1a, then stirred so that neighbouring seeds start far apart. */
export function hashText(text: string): number {
  let bits = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    bits = Math.imul(bits ^ text.charCodeAt(index), 0x01000193)
  }
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
  return (bits ^ (bits >>> 16)) >>> 0
}
