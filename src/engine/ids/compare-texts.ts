/** By UTF-16 code units: the same everywhere, unlike the rules of a language. */
export function compareTexts(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
