/** What forms check before they send a request. The mock checks more, and decides. */
import { SANDBOX_NAME } from '../engine/sandbox-name.js'
import { parseDateTime } from '../lib/date-time.js'
import { parseDuration } from '../lib/duration.js'
import type { Constraints } from './components/field.js'
import type { Check } from './components/problems.js'

/** The text says what to do about a value that is not accepted. */
function must(accepts: (value: string) => boolean, text: string): { check: Check } {
  return { check: (value) => (accepts(value) ? undefined : text) }
}

/** The name of a snapshot or sandbox. */
export const NAME: Constraints = must(
  (name) => SANDBOX_NAME.test(name),
  'use 1 to 64 letters, digits, ".", "_" or "-", and not only dots.',
)

export const ID: Constraints = { inputMode: 'numeric', ...must(isInt64, 'enter an id, which is a whole number.') }

function isInt64(text: string): boolean {
  return /^-?\d{1,19}$/.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text)
}

const DATE = /^\d{4}-\d{2}-\d{2}$/

export const DATE_TIME: Constraints = {
  placeholder: '2030-12-06 or 2030-12-06T09:30:00Z',
  ...must(
    (text) => parseDateTime(toDateTime(text)) !== undefined,
    'enter a date such as 2030-12-06, or a date and time such as 2030-12-06T09:30:00Z.',
  ),
}

/** A plain date is the start of that day, UTC. */
export function toDateTime(text: string): string {
  return DATE.test(text) ? `${text}T00:00:00Z` : text
}

export const DURATION: Constraints = {
  placeholder: 'P1DT2H or -PT30M',
  ...must((text) => parseDuration(text) !== undefined, 'enter an ISO 8601 duration such as P1DT2H or -PT30M.'),
}

/** A browser accepts only integers unless a step is given. */
export const INTEGER: Constraints = { type: 'number' }
export const SEED: Constraints = { type: 'number', min: 0 }

const DELAY_MS: Constraints = { type: 'number', min: 0, max: 600_000 }

const TIMES: Constraints = { type: 'number', min: 1 }

/** The fields of a fault rule that are not chosen from a list, except JSON and headers. */
export const FAULT_RULE = {
  path: must(
    (path) => /^\/[^?#*]*\*?$/.test(path),
    'enter a path that starts with "/", has no query, and has "*" only at its end.',
  ),
  status: { type: 'number', min: 400, max: 599 },
  code: { maxLength: 100 },
  message: { maxLength: 500 },
  delayMs: DELAY_MS,
  maxDelayMs: {
    ...DELAY_MS,
    check(maximum, { delayMs = '' }) {
      if (delayMs === '') return 'enter the delay, too.'
      return Number(maximum) < Number(delayMs) ? `enter ${delayMs} or more, because that is the delay.` : undefined
    },
  },
  times: TIMES,
  after: { type: 'number', min: 0 },
  probability: { type: 'number', min: 0, max: 1, step: 'any' },
  expiresAfterMs: { type: 'number', min: 1 },
} satisfies Readonly<Record<string, Constraints>>

export const OVERRIDE = {
  status: { type: 'number', min: 200, max: 599 },
  times: TIMES,
} satisfies Readonly<Record<string, Constraints>>
