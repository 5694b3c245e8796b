/** `2026-03-31T09:30:00.000Z` as `09:30:00`: the store's clock, in UTC. */
export function timeOfDay(at: string): string {
  return at.slice(11, 19)
}

/** `2026-03-31T09:30:00.000Z` as `2026-03-31 09:30:00`. */
export function dateAndTime(at: string): string {
  return `${at.slice(0, 10)} ${at.slice(11, 19)}`
}

export function duration(milliseconds: number): string {
  if (milliseconds >= 10_000) return `${(milliseconds / 1000).toFixed(1)} s`
  return `${milliseconds < 10 ? milliseconds.toFixed(1) : Math.round(milliseconds)} ms`
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}

/** `0` where there was no answer. */
export function statusClass(status: number): string {
  return status === 0 ? 'none' : `${Math.floor(status / 100)}xx`
}

/** What a number in a form is sent as: the number if it is one, and otherwise the text, for the mock to object to. */
export function toNumber(text: string): number | bigint | string | undefined {
  const trimmed = text.trim()
  if (trimmed === '') return undefined
  if (/^-?\d+$/.test(trimmed)) {
    const exact = BigInt(trimmed)
    return Number.isSafeInteger(Number(exact)) ? Number(exact) : exact
  }
  return /^-?\d*\.?\d+$/.test(trimmed) ? Number(trimmed) : text
}
