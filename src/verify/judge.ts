import { type ErrorCode, quote, STATUS_BY_CODE } from '../engine/contract/errors.js'
import { isJsonContentType } from '../engine/contract/negotiation.js'
import { parseJson } from '../lib/json.js'
import { storeContract } from '../petstore/contract.js'
import type { Described } from './catalogue.js'
import { type Differ, show, showHeader } from './differ.js'
import { bodyAspect } from './findings.js'
import { judgeHeaders } from './headers.js'
import type { Answer } from './sender.js'

/** What the contract says an answer is. */
export type Expected = Success | Refusal

export interface Success {
  /** The operation's own unless told otherwise. */
  readonly status?: number
  /** Members of the body by name; undefined for one that must not be there. */
  readonly fields?: Readonly<Record<string, unknown>>
  /** There is no body to judge: HEAD, OPTIONS. */
  readonly bodiless?: true
  /** It is the path that answers, not the operation. */
  readonly ofPath?: true
}

/** Stands for a value of which only the kind is known. */
export class Some {
  readonly what: string
  readonly test: (value: unknown) => boolean

  constructor(what: string, test: (value: unknown) => boolean) {
    this.what = what
    this.test = test
  }
}

export interface Refusal {
  readonly code: ErrorCode
  /** Headers that go with it, and what their value holds. */
  readonly headers?: Readonly<Record<string, string>>
  /** It is the path that answers, not the operation. */
  readonly ofPath?: true
}

export interface Judged extends Answer {
  /** The status is the expected one. */
  readonly asExpected: boolean
  /** The body, where it is JSON. */
  readonly value: unknown
}

/**
 * Holds an answer against the contract. An answer with a wrong status is judged no further: what else it says belongs
 * to that status. Only the headers of one success that came as another are still looked at.
 */
export function judge(described: Described, answer: Answer, expected: Expected, differ: Differ): Judged {
  const status = 'code' in expected ? STATUS_BY_CODE[expected.code] : (expected.status ?? described.success)
  const asExpected = answer.status === status
  const value = readJson(answer.text)
  if (!asExpected) {
    const aspect = `status ${status}→${answer.status}`
    differ(aspect, describeStatus(status, expected), describeReceived(answer, value))
  }
  if (asExpected || (isSuccess(status) && isSuccess(answer.status))) {
    if (!expected.ofPath) judgeHeaders(described, answer, differ)
    if ('headers' in expected) judgeNamed(answer, expected.headers ?? {}, differ)
  }
  if (asExpected && !('bodiless' in expected)) judgeBody(described, answer, value, expected, differ)
  return { ...answer, asExpected, value }
}

const isSuccess = (status: number): boolean => status >= 200 && status < 300

function describeStatus(status: number, expected: Expected): string {
  return 'code' in expected ? `${status} ${expected.code}` : String(status)
}

/** With the code of a refusal, which says most about what the service thinks of the request. */
function describeReceived({ status }: Answer, value: unknown): string {
  const code = (value as { code?: unknown } | undefined)?.code
  return status >= 400 && typeof code === 'string' ? `${status} ${quote(code).slice(1, -1)}` : String(status)
}

function judgeNamed({ headers }: Answer, wanted: Readonly<Record<string, string>>, differ: Differ): void {
  for (const [name, content] of Object.entries(wanted)) {
    const value = headers.get(name)
    if (!value?.toLowerCase().includes(content)) differ(`header ${name}`, content, showHeader(value))
  }
}

/** Undefined where it is not JSON, which no JSON is. */
export function readJson(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

function judgeBody(described: Described, answer: Answer, value: unknown, expected: Expected, differ: Differ): void {
  const isError = 'code' in expected
  const hasBody = isError || described.schema !== ''
  if (!hasBody) return
  const type = answer.headers.get('content-type')
  if (type === null || !isJsonContentType(type)) differ('header Content-Type', 'application/json', showHeader(type))
  const at: Differ = (pointer, ...rest) => differ(bodyAspect(pointer, isError), ...rest)
  if (value === undefined) {
    at('', 'JSON', answer.text === '' ? 'no body' : quote(answer.text))
    return
  }
  judgeSchema(described, answer, value, at)
  if (isError) judgeError(answer.status, value, expected.code, at)
  else judgeFields(value, expected.fields ?? {}, at)
  if (described.schema === 'Order' && !isError) judgeOrders(value, at)
}

function judgeSchema(described: Described, { status, text }: Answer, value: unknown, at: Differ): void {
  const contract = storeContract()
  if (contract.findResponseViolation(described.contract, status, text) === undefined) return
  const schema = status < 400 ? described.schema : 'Error'
  if (status < 400 && described.isList && Array.isArray(value)) {
    for (const [index, item] of value.entries()) report(contract.findSchemaViolations(schema, item), `/${index}`, at)
  } else if (status < 400 && described.isList) {
    at('', 'an array', show(value))
  } else {
    report(contract.findSchemaViolations(schema, value), '', at)
  }
}

/** The contract's sentences start with a JSON pointer, and none of the names in them has a blank. */
function report(sentences: readonly string[], parent: string, at: Differ): void {
  for (const sentence of sentences) {
    const [, pointer = '', wanted, received] = /^(\S*) must be (.*), but is (.*)$/s.exec(sentence) ?? []
    const [, missing, kind = 'a value'] = /^(\S*) is missing(?:: it must be (.*))?$/s.exec(sentence) ?? []
    if (missing !== undefined) at(`${parent}${missing}`, kind, 'nothing')
    else at(`${parent}${pointer}`, wanted ?? 'what the document says', received ?? sentence)
  }
}

const ERROR_MEMBERS = ['code', 'message', 'status']

function judgeError(status: number, value: unknown, code: ErrorCode, at: Differ): void {
  judgeFields(value, { code, status }, at)
  const members = typeof value === 'object' && value !== null ? Object.keys(value) : []
  for (const name of members.filter((member) => !ERROR_MEMBERS.includes(member))) {
    at(`/${name.replaceAll(/[^\w.-]/g, '_').slice(0, 40)}`, 'no such member', 'one')
  }
  if ((value as { message?: unknown } | null)?.message === '') at('/message', 'a sentence', 'an empty text')
}

/** Whether the members of an object are the expected ones. */
export function judgeFields(value: unknown, fields: Readonly<Record<string, unknown>>, at: Differ, parent = ''): void {
  if (typeof value !== 'object' || value === null) return
  for (const [name, wanted] of Object.entries(fields)) {
    const received = Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined
    const fits = wanted instanceof Some ? wanted.test(received) : received === wanted
    if (!fits) at(`${parent}/${name}`, wanted instanceof Some ? wanted.what : show(wanted), show(received))
  }
}

const UTC_MILLISECONDS = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** What the contract says of every order beyond its schema: it has an id, and its date is in UTC with milliseconds. */
function judgeOrders(value: unknown, at: Differ): void {
  for (const [index, order] of (Array.isArray(value) ? value : [value]).entries()) {
    if (typeof order !== 'object' || order === null) continue
    const { id, shipDate } = order as { id?: unknown; shipDate?: unknown }
    const parent = Array.isArray(value) ? `/${index}` : ''
    if (id === undefined) at(`${parent}/id`, 'a 64-bit integer', 'nothing')
    if (typeof shipDate === 'string' && !UTC_MILLISECONDS.test(shipDate)) {
      at(`${parent}/shipDate`, 'a date-time in UTC with milliseconds', show(shipDate))
    }
  }
}
