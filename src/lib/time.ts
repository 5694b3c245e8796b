const RFC_3339 = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d):(\d\d))$/

/**
 * Converts an RFC 3339 date-time to the format of all responses: UTC with milliseconds. Returns undefined for an
 * impossible date and for leap seconds.
 */
export function parseDateTime(text: string): string | undefined {
  const match = RFC_3339.exec(text)
  if (!match) return undefined
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(Number)
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
  // Near the first and last day, the offset can lead to a year that RFC 3339 cannot express.
  return utcYear >= 0 && utcYear <= 9999 ? date.toISOString() : undefined
}

/** A date for people, such as 5 December 2030. Any other text stays as it is. */
export function longDate(text: string): string {
  const time = Date.parse(text)
  if (Number.isNaN(time)) return text
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(time)
}

/** Months and milliseconds cannot be converted into each other: months differ in length. */
export interface Duration {
  /** Years and months. May have a fraction. */
  readonly months: number
  /** Weeks to seconds. */
  readonly milliseconds: number
}

const NUMBER = String.raw`(\d+(?:[.,]\d+)?)`
const ISO_8601 = new RegExp(
  `^([+-]?)P(?=\\d|T)(?:${NUMBER}Y)?(?:${NUMBER}M)?(?:${NUMBER}W)?(?:${NUMBER}D)?` +
    `(?:T(?=\\d)(?:${NUMBER}H)?(?:${NUMBER}M)?(?:${NUMBER}S)?)?$`,
)

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Parses an ISO 8601 duration such as P1DT2H. Only its last part may have a fraction. */
export function parseDuration(text: string): Duration | undefined {
  const match = ISO_8601.exec(text)
  if (!match) return undefined
  const [sign, ...parts] = match.slice(1)
  const given = parts.filter((part) => part !== undefined)
  if (given.slice(0, -1).some((part) => /[.,]/.test(part))) return undefined
  const [years = 0, months = 0, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = parts.map((part = '0') =>
    Number(part.replace(',', '.')),
  )
  const exact = (weeks * 7 + days) * DAY + hours * HOUR + minutes * MINUTE + seconds * SECOND
  // Not `-value`, which would turn 0 into -0.
  const signed = (value: number) => (sign === '-' ? 0 - value : value)
  // Rounded, because a fraction such as 1.005 is not exact as a double.
  return { months: signed(years * 12 + months), milliseconds: signed(Math.round(exact)) }
}

/** In milliseconds since 1970 UTC. The result may be outside the range of Date. */
export function addDuration(time: number, { months, milliseconds }: Duration): number {
  const whole = Math.trunc(months)
  const start = addMonths(time, whole)
  const fraction = Math.abs(months - whole)
  if (fraction === 0) return start + milliseconds
  // A fraction of a month is that fraction of the month that follows.
  const next = addMonths(time, whole + Math.sign(months))
  return start + Math.round(fraction * (next - start)) + milliseconds
}

/** The same day of another month, or its last day if it is shorter. */
function addMonths(time: number, months: number): number {
  if (months === 0) return time
  const date = new Date(time)
  const day = date.getUTCDate()
  // Day 1 first: a day that the month does not have would move the date to the next month.
  date.setUTCMonth(date.getUTCMonth() + months, 1)
  const lastDay = new Date(date)
  lastDay.setUTCMonth(date.getUTCMonth() + 1, 0)
  return date.setUTCDate(Math.min(day, lastDay.getUTCDate()))
}
