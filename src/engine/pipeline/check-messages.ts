import type { Operation } from '../../document/contract/operation.js'
import { findMediaType, isJsonMediaType } from '../../document/schema/media-type.js'
import type { Parameters } from '../../document/validate/parameters.js'
import { describeViolation } from '../../document/validate/violations.js'
import { ApiError } from '../../http/errors.js'
import type { PlainRequest } from '../../http/messages.js'
import { findDeclaredStatus } from '../../http/statuses.js'
import { parseJson } from '../../lib/json.js'
import { findExcess } from '../../lib/json-in-steps.js'
import { quote } from '../../lib/text.js'
import { orElse } from '../../lib/values.js'
import type { PassCall } from './upstream.js'

/** What an operation reads of a request, and how the request violates the contract. */
export interface CheckedRequest {
  readonly parameters: Parameters | undefined
  readonly body: unknown
  readonly violations: readonly string[]
}

/** Rejections that are limits of the mock. */
const LIMITS = ['BODY_TOO_LARGE', 'LIMIT_REACHED']

/** Checks a request that is passed through whatever is wrong with it. */
export function checkRequest(
  { api, request, segments, query }: PassCall,
  operation: Operation,
  isStrict: boolean,
): CheckedRequest {
  const violations: string[] = []
  function read<T>(act: () => T): Exclude<T, ApiError> | undefined {
    let result: unknown
    try {
      result = act()
    } catch (error) {
      result = error
      if (!(error instanceof ApiError)) throw error
    }
    if (!(result instanceof ApiError)) return result as Exclude<T, ApiError>
    if (!LIMITS.includes(result.code)) violations.push(...result.violations)
    return undefined
  }
  const parameters = read(() =>
    api.contract.readParameters(operation, segments, query, isStrict, request.headers, api.isKnown),
  )
  const body = operation.takesBody ? read(() => api.parseBody(operation, request)) : undefined
  return { parameters, body, violations }
}

interface CheckedResponse {
  readonly status: number
  /** With names as the mock writes them. */
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Uint8Array | undefined
}

/** More JSON is not checked, because that would hold up other clients. */
const MAX_JSON = { maxJsonDepth: 64, maxJsonValues: 100_000 }

const MAX_VIOLATIONS = 20

/** How a response violates the OpenAPI document, one sentence each. */
export function findViolations(
  { responses, responseValidators, shapesOf }: Operation,
  request: PlainRequest,
  { status, headers, body }: CheckedResponse,
): string[] {
  if (!Object.hasOwn(responses, status) && isAskedFor(status, request)) return []
  const key = findDeclaredStatus(responses, status)
  if (key === undefined) return [`Status ${status} is not declared.`]
  const missing = requiredHeaders(responses, key).filter((name) => !hasHeader(headers, name))
  const violations = missing.map((name) => `The header ${name} is missing.`)
  const shapes = shapesOf(status)
  if (shapes.length === 0 || request.method === 'HEAD' || status === 304) return violations
  const type = headers['Content-Type']
  const types = shapes.map(({ mediaType }) => mediaType)
  if (type === undefined) return [...violations, `There is no Content-Type. Declared: ${types.join(', ')}.`]
  if (findMediaType(type, types) === undefined) {
    return [...violations, `The Content-Type ${quote(type)} is not declared. Declared: ${types.join(', ')}.`]
  }
  const { 'Content-Encoding': coding = 'identity' } = headers
  if (!isJsonMediaType(type) || body === undefined || coding.toLowerCase() !== 'identity') return violations
  const text = new TextDecoder().decode(body)
  if (findExcess(text, MAX_JSON) !== undefined) return violations
  const value = orElse(() => ({ parsed: parseJson(text) }), undefined)
  if (value === undefined) return [...violations, 'The body is not valid JSON.']
  const validate = responseValidators[key]
  if (validate === undefined || validate(value.parsed)) return violations
  const errors = (validate.errors ?? []).slice(0, MAX_VIOLATIONS)
  const described = errors.map((error) => describeViolation(error, (pointer) => pointer || 'The body'))
  return [...violations, ...new Set(described)]
}

/** Whether HTTP has this status for such a request. No document needs to declare it. */
function isAskedFor(status: number, { method, headers }: PlainRequest): boolean {
  if (!['GET', 'HEAD'].includes(method)) return false
  if (status === 206) return headers.range !== undefined
  return status === 304 && (headers['if-none-match'] ?? headers['if-modified-since']) !== undefined
}

interface DeclaredResponse {
  readonly headers?: Readonly<Record<string, { readonly required?: boolean } | undefined>>
}

function requiredHeaders(responses: object, key: string): string[] {
  const declared = (responses as Readonly<Record<string, DeclaredResponse | undefined>>)[key]?.headers ?? {}
  return Object.entries(declared).flatMap(([name, header]) => (header?.required ? [name] : []))
}

function hasHeader(headers: object, wanted: string): boolean {
  return Object.keys(headers).some((name) => name.toLowerCase() === wanted.toLowerCase())
}
