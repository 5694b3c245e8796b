export const [RED, GREEN, YELLOW, DIM] = [31, 32, 33, 2]

/** Colours a text, if the output has colours. */
export type Paint = (code: number, text: string) => string

export function createPaint(colour: boolean): Paint {
  return (code, text) => (colour ? `\u001b[${code}m${text}\u001b[0m` : text)
}

export function count(number: number, noun: string, plural = `${noun}s`): string {
  return `${number} ${number === 1 ? noun : plural}`
}
