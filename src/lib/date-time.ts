const RFC_3339 = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d):(\d\d))$/

/**
 * Reads any valid RFC 3339 date-time and returns it in the one spelling the mock answers with: UTC, milliseconds.
 * An impossible date is refused, and so is a second of 60: no clock of ours has ever shown one.
 */
export function parseDateTime(text: string): string | undefined {
  const match = RFC_3339.exec(text)
  if (!match) return undefined
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  const offsetHour = Number(match[9] ?? 0)
  const offsetMinute = Number(match[10] ?? 0)
  if (hour > 23 || minute > 59 || second > 59 || offsetHour > 23 || offsetMinute > 59) return undefined

  const date = new Date(0)
  // Not Date.UTC: it reads the years 0 to 99 as 1900 to 1999.
  date.setUTCFullYear(year, month - 1, day)
  if (date.getUTCMonth() !== month - 1) return undefined
  const offset = (offsetHour * 60 + offsetMinute) * (match[8] === '-' ? -1 : 1)
  date.setUTCHours(hour, minute - offset, second, Number((match[7] ?? '').slice(0, 3).padEnd(3, '0')))
  const utcYear = date.getUTCFullYear()
  // The offset can carry the first and the last day out of the years that RFC 3339 can spell.
  return utcYear >= 0 && utcYear <= 9999 ? date.toISOString() : undefined
}
