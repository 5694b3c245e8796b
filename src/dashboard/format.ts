/** `2026-03-31T09:30:00.000Z` becomes `09:30:00`. */
export function timeOfDay(at: string): string {
  return at.slice(11, 19)
}

/** `2026-03-31T09:30:00.000Z` becomes `2026-03-31 09:30:00`. */
export function dateAndTime(at: string): string {
  return `${at.slice(0, 10)} ${timeOfDay(at)}`
}

/** The starting data, such as "empty with fixtures". */
export function describeScenario({ scenario, fixtures }: { scenario: string; fixtures: boolean }): string {
  return fixtures ? `${scenario} with fixtures` : scenario
}

export function duration(milliseconds: number): string {
  if (milliseconds >= 10_000) return `${(milliseconds / 1000).toFixed(1)} s`
  return `${milliseconds < 10 ? milliseconds.toFixed(1) : Math.round(milliseconds)} ms`
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}

/** The number in a form field, exact for large integers. Any other text stays text, for the mock to reject. */
export function toNumber(text = ''): number | bigint | string | undefined {
  const trimmed = text.trim()
  if (trimmed === '') return undefined
  if (/^-?\d+$/.test(trimmed)) {
    const exact = BigInt(trimmed)
    return Number.isSafeInteger(Number(exact)) ? Number(exact) : exact
  }
  const number = Number(trimmed)
  return Number.isFinite(number) ? number : text
}
