import { findDeclaredStatus } from '../../engine/contract/declared-status.js'
import { isJsonContentType } from '../../engine/contract/negotiation.js'
import { disclose } from '../../engine/resources/envelope.js'
import { describeId, readIdOf } from '../../engine/resources/record-forms.js'
import { quote } from '../../lib/quote.js'
import { type Note, show, showHeader } from '../differences.js'
import { JSON_TYPE } from '../send-request.js'
import { describeStatus, findJsonExcess, isObject, isSuccess, type ServiceResponse } from '../service-response.js'
import type { CheckedService } from './checked-service.js'
import { inBody } from './findings.js'
import { compareLifecycleHeaders } from './lifecycle-headers.js'
import type { OperationInfo } from './operations.js'
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
  readonly code: string
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
  service: CheckedService,
  operation: OperationInfo,
  response: ServiceResponse,
  expected: Expected,
  note: Note,
): ComparedResponse {
  const status =
    'code' in expected ? (service.errorCodes[expected.code] as number) : (expected.status ?? operation.success)
  const isAnyError = 'code' in expected && service.onlyDocument === true
  const asExpected = isAnyError ? isDeclaredError(operation, response) : response.status === status
  if (!asExpected) {
    const code = isAnyError ? 'or another error that is declared' : 'code' in expected ? expected.code : ''
    note(`status ${status}→${response.status}`, `${status} ${code}`.trimEnd(), describeStatus(response))
  }
  if (service.onlyDocument) {
    if (asExpected && !('bodiless' in expected)) compareBody(service, operation, response, expected, note)
    return { ...response, asExpected }
  }
  if (asExpected || (isSuccess({ status }) && isSuccess(response))) {
    if (!expected.ofPath) compareLifecycleHeaders(operation, response, note)
    if ('headers' in expected) compareHeaders(response, expected.headers ?? {}, note)
  }
  if (asExpected && !('bodiless' in expected)) compareBody(service, operation, response, expected, note)
  return { ...response, asExpected }
}

/** Any error of the client, if the document declares none for the operation. */
function isDeclaredError({ contract }: OperationInfo, { status }: ServiceResponse): boolean {
  const { responses } = contract
  const declaresErrors = Object.keys(responses).some((key) => /^(?:4|default)/i.test(key))
  const isError = status >= 400 && status < 500
  return isError && (!declaresErrors || findDeclaredStatus(responses, status) !== undefined)
}

function compareHeaders({ headers }: ServiceResponse, expected: Readonly<Record<string, string>>, note: Note): void {
  for (const [name, content] of Object.entries(expected)) {
    const value = headers.get(name)
    if (!value?.toLowerCase().includes(content)) note(`header ${name}`, content, showHeader(value))
  }
}

function compareBody(
  { contract, onlyDocument }: CheckedService,
  operation: OperationInfo,
  response: ServiceResponse,
  expected: Expected,
  note: Note,
): void {
  const isError = 'code' in expected
  if (!isError && operation.schema === '') return
  const { value, text, status, headers } = response
  if (isError && onlyDocument && text === '' && operation.errorSchema === '') return
  const type = headers.get('content-type')
  if (type === null || !isJsonContentType(type)) note('header Content-Type', JSON_TYPE, showHeader(type))
  const noteAt = inBody(note, isError)
  if (value === undefined) {
    const excess = findJsonExcess(text)
    noteAt('', 'JSON', text === '' ? 'no body' : excess === undefined ? quote(text) : `a body that ${excess}`)
    return
  }
  compareSchema(contract, operation, response, noteAt)
  if (isError && !onlyDocument)
    compareError(value, { code: expected.code, status }, contract.fieldsOf(operation.errorSchema), noteAt)
  if (isError) return
  const content = disclose(operation.envelope, value)
  compareFields(content, expected.fields ?? {}, noteAt)
  compareRecords(operation, content, noteAt)
}

/** The items of a list with their pointers, or the value itself. */
function partsOf(value: unknown): (readonly [pointer: string, part: unknown])[] {
  return Array.isArray(value) ? value.map((item, index) => [`/${index}`, item]) : [['', value]]
}

/** The names of the fields in a successful response that the OpenAPI document does not have. */
export function findUndeclared({ resource, schema, envelope }: OperationInfo, response: ServiceResponse): string[] {
  if (resource === undefined || schema === '' || !isSuccess(response)) return []
  const declared = resource.fields.map(({ property }) => property)
  const names = partsOf(disclose(envelope, response.value)).flatMap(([, part]) =>
    isObject(part) ? Object.keys(part) : [],
  )
  return [...new Set(names)].filter((name) => !declared.includes(name))
}

function compareSchema(
  contract: CheckedService['contract'],
  operation: OperationInfo,
  { status, text, value }: ServiceResponse,
  noteAt: Note,
): void {
  // The response as a whole is quick to validate, and nearly always valid.
  const violation = contract.findResponseViolation(operation.contract, status, text)
  if (violation === undefined) return
  const isList = operation.isList && status < 400
  const content = status < 400 ? disclose(operation.envelope, value) : value
  if (isList && !Array.isArray(content)) {
    noteAt('', 'an array', show(content))
    return
  }
  const schema = status < 400 ? operation.schema : operation.errorSchema
  const parent = status < 400 ? operation.envelope.map((name) => `/${name}`).join('') : ''
  for (const [place, part] of isList ? partsOf(content) : [['', content] as const]) {
    for (const { pointer, expected, received } of contract.violationsOf(schema, part)) {
      noteAt(`${parent}${place}${pointer}`, expected, received)
    }
  }
}

function compareError(value: unknown, expected: Fields, declared: readonly string[], noteAt: Note): void {
  const members = Object.entries(expected).filter(([name]) => declared.includes(name))
  compareFields(value, Object.fromEntries(members), noteAt)
  const error = isObject(value) ? value : {}
  for (const name of Object.keys(error).filter((member) => !declared.includes(member))) {
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

/** What the schema of a record cannot say: it has an id, and its values are as the service writes them. */
function compareRecords({ resource }: OperationInfo, content: unknown, noteAt: Note): void {
  if (resource === undefined) return
  for (const [parent, record] of partsOf(content)) {
    if (!isObject(record)) continue
    const { id, idPath, additions } = resource
    const hasNoId = id.property !== undefined && readIdOf(resource, record) === undefined
    if (hasNoId) noteAt(`${parent}/${idPath.join('/')}`, describeId(resource), 'nothing')
    for (const [property, normalize] of Object.entries(additions.normalize ?? {})) {
      const value = record[property]
      if (typeof value !== 'string' || normalize(value) === value) continue
      noteAt(`${parent}/${property}`, show(normalize(value)), show(value))
    }
  }
}
