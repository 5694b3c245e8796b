/** What forms check before they send a request, and how they read it. The mock checks more, and decides. */
import { HEADER_NAME, HEADER_VALUE, RESERVED_HEADERS } from '../../http/header-rules.js'
import { SANDBOX_NAME } from '../../http/sandbox-headers.js'
import { parseJson } from '../../lib/json.js'
import { parseDateTime, parseDuration } from '../../lib/time.js'
import type { Admin } from '../api.js'
import { prettyJson, toNumber } from '../format.js'
import type { Check, Constraints } from './form.js'

/** An `id` is an integer, possibly a large one. Other ids are text. */
export type ValueType =
  | 'id'
  | 'text'
  | 'integer'
  | 'number'
  | 'date'
  | 'date-time'
  | 'boolean'
  | 'choice'
  | 'json'
  | 'headers'

/** The text says what to do about a value that is not accepted. */
export function must(accepts: (value: string) => boolean, text: string): { check: Check } {
  return { check: (value) => (accepts(value) ? undefined : text) }
}

/** The name of a snapshot or sandbox. */
export const NAME: Constraints = must(
  (name) => SANDBOX_NAME.test(name),
  'use 1 to 64 letters, digits, ".", "_" or "-", and not only dots.',
)

export const DURATION: Constraints = {
  placeholder: 'P1DT2H or -PT30M',
  ...must((text) => parseDuration(text) !== undefined, 'enter an ISO 8601 duration such as P1DT2H or -PT30M.'),
}

export const SEED: Constraints = { type: 'number', min: 0 }

export const checkJson: Check = (text) => {
  try {
    readJson(text)
    return undefined
  } catch (error) {
    return `this is not valid JSON. Names and text need double quotes. (${(error as Error).message})`
  }
}

export const checkHeaders: Check = (text, { raw }) => {
  const lines = linesOf(text)
  const names = lines.map((line) => splitLine(line)[0].toLowerCase())
  for (const [index, line] of lines.entries()) {
    const [name, value] = splitLine(line)
    const isSetByMock = RESERVED_HEADERS.includes(name.toLowerCase()) && !(raw && /^content-type$/i.test(name))
    const isRepeated = names.indexOf(names[index] as string) < index && !/^set-cookie$/i.test(name)
    if (name === '') return `write each header on its own line as "Name: value". This line is different: ${line.trim()}`
    if (!HEADER_NAME.test(name) || !HEADER_VALUE.test(value)) return `HTTP does not allow this header: ${line.trim()}`
    if (isSetByMock) return `leave out ${name}. Only the mock may set it.`
    if (isRepeated) return `write ${name} once. Only Set-Cookie may be repeated.`
  }
  return undefined
}

/** A browser accepts only integers unless a step is given. */
export const CONSTRAINTS: Partial<Record<ValueType, Constraints>> = {
  id: { inputMode: 'numeric', ...must(isInt64, 'enter an id, which is a whole number.') },
  integer: { type: 'number' },
  number: { type: 'number', step: 'any' },
  date: { type: 'date' },
  'date-time': {
    placeholder: '2030-12-06 or 2030-12-06T09:30:00Z',
    ...must(
      (text) => parseDateTime(toDateTime(text)) !== undefined,
      'enter a date such as 2030-12-06, or a date and time such as 2030-12-06T09:30:00Z.',
    ),
  },
  json: { check: checkJson },
  headers: { check: checkHeaders },
}

function isInt64(text: string): boolean {
  return /^-?\d{1,19}$/.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text)
}

const DATE = /^\d{4}-\d{2}-\d{2}$/

/** A plain date is the start of that day, UTC. */
function toDateTime(text: string): string {
  return DATE.test(text) ? `${text}T00:00:00Z` : text
}

/** The text of a value in a form. */
export function toText(type: ValueType, value: unknown): string {
  if (value === undefined || (value === null && type !== 'json')) return ''
  if (type === 'headers') return headersToText(value as Headers)
  return type === 'json' ? prettyJson(value) : String(value)
}

/** The value of the text in a form. Throws a SyntaxError if the text should be JSON, and is not. */
export function readText(type: ValueType, text: string): unknown {
  if (type === 'id' || type === 'integer' || type === 'number') return toNumber(text)
  if (type === 'date-time') return toDateTime(text)
  if (type === 'json') return readJson(text)
  if (type === 'headers') return readHeaders(text)
  return type === 'boolean' ? text === 'true' : text
}

/** Undefined if there is nothing but space. */
function readJson(text: string): unknown {
  return text.trim() === '' ? undefined : parseJson(text)
}

type Headers = Admin['GivenHeaders']

/** One header on each line. A repeated name gets a list. Undefined without headers. */
function readHeaders(text: string): Headers | undefined {
  const lines = linesOf(text)
  if (lines.length === 0) return undefined
  /** By name in lower case. */
  const headers = new Map<string, [name: string, ...values: string[]]>()
  for (const line of lines) {
    const [name, value] = splitLine(line)
    headers.set(name.toLowerCase(), [...(headers.get(name.toLowerCase()) ?? ([name] as const)), value])
  }
  return Object.fromEntries(
    Array.from(headers.values(), ([name, ...values]) => [name, values.length > 1 ? values : (values[0] as string)]),
  )
}

function headersToText(headers: Headers): string {
  return Object.entries(headers)
    .flatMap(([name, value]) => [value].flat().map((each) => `${name}: ${each}`))
    .join('\n')
}

function linesOf(text: string): string[] {
  return text.split(/[\r\n]+/).filter((line) => line.trim() !== '')
}

/** The name is empty if the line has none. */
function splitLine(line: string): [name: string, value: string] {
  const [, name = '', value = ''] = /^([^:]+):(.*)$/.exec(line)?.map((part) => part.trim()) ?? []
  return [name, value]
}
