/** A span of time in the two measures that cannot be turned into each other: how long a month is depends on which. */
export interface Duration {
  /** Years and months; need not be whole. */
  readonly months: number
  /** Everything from weeks to seconds. */
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

/** Reads an ISO 8601 duration such as P1DT2H; undefined where it is none. Only its last part may have a fraction. */
export function parseDuration(text: string): Duration | undefined {
  const match = ISO_8601.exec(text)
  if (!match) return undefined
  const [sign, ...parts] = match.slice(1)
  const given = parts.filter((part) => part !== undefined)
  if (given.slice(0, -1).some((part) => /[.,]/.test(part))) return undefined
  const read = parts.map((part = '0') => Number(part.replace(',', '.')))
  const [years, months, weeks, days, hours, minutes, seconds] = read as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  const exact = (weeks * 7 + days) * DAY + hours * HOUR + minutes * MINUTE + seconds * SECOND
  // Not -value, which makes -0 of nothing.
  const signed = (value: number) => (sign === '-' ? 0 - value : value)
  // Rounded, because a fraction such as 1.005 is not exact as a double.
  return { months: signed(years * 12 + months), milliseconds: signed(Math.round(exact)) }
}

/** The moment that much later, in milliseconds since 1970 UTC; no moment that a Date can hold where it is too far away. */
export function addDuration(time: number, { months, milliseconds }: Duration): number {
  const whole = Math.trunc(months)
  const start = addMonths(time, whole)
  const fraction = Math.abs(months - whole)
  if (fraction === 0) return start + milliseconds
  // Part of a month is that part of the one which comes next.
  const next = addMonths(time, whole + Math.sign(months))
  return start + Math.round(fraction * (next - start)) + milliseconds
}

/** The same day of another month, or its last one where it is shorter. */
function addMonths(time: number, months: number): number {
  if (months === 0) return time
  const date = new Date(time)
  const day = date.getUTCDate()
  // From the first, so that no day of a longer month spills over into the month after.
  date.setUTCMonth(date.getUTCMonth() + months, 1)
  const lastDay = new Date(date)
  lastDay.setUTCMonth(date.getUTCMonth() + 1, 0)
  return date.setUTCDate(Math.min(day, lastDay.getUTCDate()))
}
