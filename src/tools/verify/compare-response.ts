import { disclose } from '../../engine/crud/envelope.js'
import { hasOtherCharset } from '../../http/negotiation.js'
import { findDeclaredStatus } from '../../http/statuses.js'
import { quote } from '../../lib/text.js'
import { type Note, show, showHeader } from '../server/differences.js'
import { JSON_TYPE } from '../server/send-request.js'
import {
  describeStatus,
  findJsonExcess,
  isObject,
  isSuccess,
  type ServiceResponse,
} from '../server/service-response.js'
import type { CheckedService } from './checked-service.js'
import { inBody } from './findings.js'
import type { OperationInfo } from './operations.js'
import { type Fields, isEqual } from './own-records.js'

/** What the contract says a response is. */
export type Expected = ExpectedSuccess | ExpectedError | ExpectedAny

export interface ExpectedSuccess {
  /** Default: that of the operation. */
  readonly status?: number
  /** Members of the body; undefined for one that must be missing. */
  readonly fields?: Fields
  /** The response has no body: HEAD, OPTIONS. */
  readonly bodiless?: true
  /** The response is that of a path, not of an operation. */
  readonly ofPath?: true
}

export interface ExpectedError {
  readonly code: string
  /** Headers, and what their values must contain. */
  readonly headers?: Readonly<Record<string, string>>
  readonly ofPath?: true
}

/** Whatever is declared: it depends on what the service has. */
export interface ExpectedAny {
  readonly anyStatus: true
}

/** Stands for any value in the expected fields. */
export const ANY = Symbol('any value')

export interface ComparedResponse extends ServiceResponse {
  /** The status is the expected one. */
  readonly asExpected: boolean
}

/**
 * Compares a response with the contract. Of a response with the wrong status nothing else is compared, because the document
 * says nothing about it.
 */
export function compareResponse(
  service: CheckedService,
  operation: OperationInfo,
  response: ServiceResponse,
  expected: Expected,
  note: Note,
): ComparedResponse {
  const [status, asExpected, text] = compareStatus(service, operation, response, expected)
  if (!asExpected) note(`status ${status}→${response.status}`, text, describeStatus(response))
  else if (!('bodiless' in expected)) compareBody(service, operation, response, expected, note)
  return { ...response, asExpected }
}

function compareStatus(
  { errorCodes, isExact }: CheckedService,
  { success, contract: { responses } }: OperationInfo,
  response: ServiceResponse,
  expected: Expected,
): [status: number | string, asExpected: boolean, text: string] {
  const { status } = response
  const isDeclared = findDeclaredStatus(responses, status) !== undefined
  const isError = status >= 400 && status < 500
  if ('anyStatus' in expected) {
    return ['declared', status < 500 && (isDeclared || isError), 'a status that is declared, or an error of the client']
  }
  if (!('code' in expected)) {
    const wanted = expected.status ?? success
    const isOther = !isExact && isSuccess(response) && isDeclared
    return [wanted, status === wanted || isOther, String(wanted)]
  }
  const wanted = errorCodes[expected.code] as number
  if (isExact) return [wanted, status === wanted, `${wanted} ${expected.code}`]
  const declaresErrors = Object.keys(responses).some((key) => /^(?:4|default)/i.test(key))
  const isOther = isError && (isDeclared || !declaresErrors)
  return [wanted, status === wanted || isOther, `${wanted} or another error that is declared`]
}

function compareBody(
  { contract, isExact }: CheckedService,
  operation: OperationInfo,
  response: ServiceResponse,
  expected: Expected,
  note: Note,
): void {
  const { value, text, status } = response
  const isError = status >= 400
  const types = operation.contract.shapesOf(status).map(({ mediaType }) => mediaType)
  const type = response.headers.get('content-type') ?? ''
  const isOtherType = !isJsonType(type) && types.some((each) => nameOf(each) === nameOf(type))
  // Only JSON is compared. An error of the whole service may be declared nowhere.
  if (isOtherType || !(types.some(isJsonType) || (types.length === 0 && isError && isExact))) return
  if (!isJsonType(type) || hasOtherCharset(type))
    note('header Content-Type', types[0] ?? JSON_TYPE, showHeader(type || null))
  const noteAt = inBody(note, isError)
  if (value === undefined) {
    const excess = findJsonExcess(text)
    noteAt('', 'JSON', text === '' ? 'no body' : excess === undefined ? quote(text) : `a body that ${excess}`)
    return
  }
  const violations = contract.responseViolations(operation.contract, status, value)
  for (const each of violations) noteAt(each.pointer, each.expected, each.received)
  if (isError) return
  const content = disclose(operation.described?.response?.envelope ?? [], value)
  if ('fields' in expected) compareFields(content, expected.fields ?? {}, noteAt)
}

const nameOf = (type: string): string => type.split(';', 1)[0]?.trim().toLowerCase() ?? ''

const isJsonType = (type: string): boolean => /^[^/]+\/(?:.+\+)?json$/.test(nameOf(type))

/** The items of a list with their pointers, or the value itself. */
function partsOf(value: unknown): (readonly [pointer: string, part: unknown])[] {
  return Array.isArray(value) ? value.map((item, index) => [`/${index}`, item]) : [['', value]]
}

/** The names of the fields in a successful response that the OpenAPI document does not have. */
export function findUndeclared({ resource, described }: OperationInfo, response: ServiceResponse): string[] {
  if (resource === undefined || described?.response === undefined || !isSuccess(response)) return []
  const declared = resource.fields.map(({ property }) => property)
  const names = partsOf(disclose(described.response.envelope, response.value)).flatMap(([, part]) =>
    isObject(part) ? Object.keys(part) : [],
  )
  return [...new Set(names)].filter((name) => !declared.includes(name))
}

export function compareFields(value: unknown, fields: Fields, noteAt: Note, parent = ''): void {
  if (!isObject(value)) return
  for (const [name, expected] of Object.entries(fields)) {
    const received = Object.hasOwn(value, name) ? value[name] : undefined
    const isAsExpected = expected === ANY ? received !== undefined : isEqual(received, expected)
    if (!isAsExpected) noteAt(`${parent}/${name}`, expected === ANY ? 'a value' : show(expected), show(received))
  }
}
