/** What the browser checks before a request is sent. The mock checks more, and decides. */
import type { Constraints } from './components/form.js'

/** The name of a snapshot or sandbox. Not only dots: a browser removes "." and ".." from URLs. */
export const NAME: Constraints = {
  pattern: String.raw`(?!\.+$)[A-Za-z0-9._\-]{1,64}`,
  title: '1 to 64 letters, digits, ".", "_" or "-", and not only dots',
}

export const ID: Constraints = { pattern: '-?[0-9]{1,19}', title: 'A 64-bit integer', inputMode: 'numeric' }

export const DATE_TIME: Constraints = {
  pattern: String.raw`\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+\-]\d{2}:\d{2})`,
  title: 'An RFC 3339 date-time',
  placeholder: '2030-12-06T00:00:00Z',
}

export const DURATION: Constraints = {
  pattern: String.raw`[+\-]?P[\d.,YMWDTHS]+`,
  title: 'An ISO 8601 duration',
  placeholder: 'P1DT2H or -PT30M',
}

/** A browser accepts only integers unless a step is given. */
export const INTEGER: Constraints = { type: 'number' }
export const SEED: Constraints = { type: 'number', min: 0 }

const DELAY_MS: Constraints = { type: 'number', min: 0, max: 600_000 }

const TIMES: Constraints = { type: 'number', min: 1 }

/** The fields of a fault rule that are not chosen from a list, except JSON and headers. */
export const FAULT_RULE = {
  path: { pattern: '/.*', title: 'A path that starts with "/"' },
  status: { type: 'number', min: 400, max: 599 },
  code: { maxLength: 100 },
  message: { maxLength: 500 },
  delayMs: DELAY_MS,
  maxDelayMs: DELAY_MS,
  times: TIMES,
  after: { type: 'number', min: 0 },
  probability: { type: 'number', min: 0, max: 1, step: 'any' },
  expiresAfterMs: { type: 'number', min: 1 },
} satisfies Readonly<Record<string, Constraints>>

export const OVERRIDE = {
  status: { type: 'number', min: 200, max: 599 },
  times: TIMES,
} satisfies Readonly<Record<string, Constraints>>
