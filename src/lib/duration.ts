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
