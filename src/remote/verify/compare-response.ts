import { isJsonContentType } from '../../engine/contract/negotiation.js'
import { quote } from '../../lib/quote.js'
import { storeContract } from '../../petstore/contract.js'
import { ERROR_CODES, type ErrorCode } from '../../petstore/errors.js'
import { type Note, show, showHeader } from '../differences.js'
import type { OperationInfo } from '../operations.js'
import { JSON_TYPE } from '../send-request.js'
import { describeStatus, findJsonExcess, isObject, isSuccess, type ServiceResponse } from '../service-response.js'
import { inBody } from './findings.js'
import { compareLifecycleHeaders } from './lifecycle-headers.js'
import type { Fields } from './own-records.js'

/** What the contract says a response is. */
export type Expected = ExpectedSuccess | ExpectedError

export interface ExpectedSuccess {
  /** Default: that of the operation. */
  readonly status?: number
  /** Members of the body; undefined for one that must be missing. */
  readonly fields?: Fields
  /** The response has no body: HEAD, OPTIONS. */
  readonly bodiless?: true
  /** The response is that of a path, not of an operation, and has no lifecycle headers. */
  readonly ofPath?: true
}

export interface ExpectedError {
  readonly code: ErrorCode
  /** Headers, and what their values must contain. */
  readonly headers?: Readonly<Record<string, string>>
  readonly ofPath?: true
}

/** Stands for any value in the expected fields. */
export const ANY = Symbol('any value')

export interface ComparedResponse extends ServiceResponse {
  /** The status is the expected one. */
  readonly asExpected: boolean
}

/**
 * Compares a response with the contract. Of a response with the wrong status nothing else is compared, except for the
 * headers of a success that has the status of another success.
 */
export function compareResponse(
  operation: OperationInfo,
  response: ServiceResponse,
  expected: Expected,
  note: Note,
): ComparedResponse {
  const status = 'code' in expected ? ERROR_CODES[expected.code] : (expected.status ?? operation.success)
  const asExpected = response.status === status
  if (!asExpected) {
    const wanted = 'code' in expected ? `${status} ${expected.code}` : String(status)
    note(`status ${status}→${response.status}`, wanted, describeStatus(response))
  }
  if (asExpected || (isSuccess({ status }) && isSuccess(response))) {
    if (!expected.ofPath) compareLifecycleHeaders(operation, response, note)
    if ('headers' in expected) compareHeaders(response, expected.headers ?? {}, note)
  }
  if (asExpected && !('bodiless' in expected)) compareBody(operation, response, expected, note)
  return { ...response, asExpected }
}

function compareHeaders({ headers }: ServiceResponse, expected: Readonly<Record<string, string>>, note: Note): void {
  for (const [name, content] of Object.entries(expected)) {
    const value = headers.get(name)
    if (!value?.toLowerCase().includes(content)) note(`header ${name}`, content, showHeader(value))
  }
}

function compareBody(operation: OperationInfo, response: ServiceResponse, expected: Expected, note: Note): void {
  const isError = 'code' in expected
  if (!isError && operation.schema === '') return
  const { value, text, status, headers } = response
  const type = headers.get('content-type')
  if (type === null || !isJsonContentType(type)) note('header Content-Type', JSON_TYPE, showHeader(type))
  const noteAt = inBody(note, isError)
  if (value === undefined) {
    const excess = findJsonExcess(text)
    noteAt('', 'JSON', text === '' ? 'no body' : excess === undefined ? quote(text) : `a body that ${excess}`)
    return
  }
  compareSchema(operation, response, noteAt)
  if (isError) compareError(value, expected.code, status, noteAt)
  else compareFields(value, expected.fields ?? {}, noteAt)
  if (operation.schema === 'Order' && !isError) compareOrders(value, noteAt)
}

/** The items of a list with their pointers, or the value itself. */
function partsOf(value: unknown): (readonly [pointer: string, part: unknown])[] {
  return Array.isArray(value) ? value.map((item, index) => [`/${index}`, item]) : [['', value]]
}

/** The names of the fields in a successful response that the OpenAPI document does not have. */
export function findUndeclared({ schema }: OperationInfo, response: ServiceResponse): string[] {
  if (schema === '' || !isSuccess(response)) return []
  const declared = storeContract().fieldsOf(schema)
  const names = partsOf(response.value).flatMap(([, part]) => (isObject(part) ? Object.keys(part) : []))
  return [...new Set(names)].filter((name) => !declared.includes(name))
}

function compareSchema(operation: OperationInfo, { status, text, value }: ServiceResponse, noteAt: Note): void {
  const contract = storeContract()
  // The response as a whole is quick to validate, and nearly always valid.
  if (contract.findResponseViolation(operation.contract, status, text) === undefined) return
  const isList = operation.isList && status < 400
  if (isList && !Array.isArray(value)) {
    noteAt('', 'an array', show(value))
    return
  }
  const schema = status < 400 ? operation.schema : 'Error'
  for (const [parent, part] of isList ? partsOf(value) : [['', value] as const]) {
    for (const { pointer, expected, received } of contract.violationsOf(schema, part)) {
      noteAt(`${parent}${pointer}`, expected, received)
    }
  }
}

const ERROR_MEMBERS = ['code', 'message', 'status']

function compareError(value: unknown, code: ErrorCode, status: number, noteAt: Note): void {
  compareFields(value, { code, status }, noteAt)
  const error = isObject(value) ? value : {}
  for (const name of Object.keys(error).filter((member) => !ERROR_MEMBERS.includes(member))) {
    noteAt(`/${name.replaceAll(/[^\w.-]/g, '_').slice(0, 40)}`, 'no such member', 'one')
  }
  if (error.message === '') noteAt('/message', 'a sentence', 'an empty string')
}

export function compareFields(value: unknown, fields: Fields, noteAt: Note, parent = ''): void {
  if (!isObject(value)) return
  for (const [name, expected] of Object.entries(fields)) {
    const received = Object.hasOwn(value, name) ? value[name] : undefined
    const isEqual = expected === ANY ? received !== undefined : received === expected
    if (!isEqual) noteAt(`${parent}/${name}`, expected === ANY ? 'a value' : show(expected), show(received))
  }
}

const UTC_MILLISECONDS = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** What the schema of an order cannot say: it has an id, and its date is in UTC with milliseconds. */
function compareOrders(value: unknown, noteAt: Note): void {
  for (const [parent, order] of partsOf(value)) {
    if (!isObject(order)) continue
    const { id, shipDate } = order
    if (id === undefined) noteAt(`${parent}/id`, 'a 64-bit integer', 'nothing')
    if (typeof shipDate === 'string' && !UTC_MILLISECONDS.test(shipDate)) {
      noteAt(`${parent}/shipDate`, 'a date-time in UTC with milliseconds', show(shipDate))
    }
  }
}
