export const [PLAIN, BOLD, DIM, RED, GREEN, YELLOW] = [0, 1, 2, 31, 32, 33] as const

/** Colours a text, if the output has colours. */
export type Paint = (code: number, text: string) => string

export function createPaint(colour: boolean): Paint {
  return (code, text) => (colour && code !== PLAIN ? `\u001b[${code}m${text}\u001b[0m` : text)
}
