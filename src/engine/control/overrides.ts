import { parseJson, stringifyJson } from '../../lib/json.js'
import { describeValue, isError } from '../../lib/thrown.js'
import type { Contract } from '../contract/contract.js'
import { apiError, describeUnknown, MockError } from '../contract/errors.js'
import { codeOfStatus } from '../contract/http-statuses.js'
import type { RequestHeaders, Result } from '../contract/messages.js'
import { toErrorResult } from '../contract/render.js'
import { findHeaderProblem, toCanonicalName, trimHeader } from '../contract/response-headers.js'
import type { BodyOf, PathOf, QueryOf, ResponseOf } from '../contract/types.js'

/** A valid request, as an override function sees it. */
export interface OverrideCall<Ops, O extends keyof Ops> {
  readonly params: PathOf<Ops[O]>
  readonly query: QueryOf<Ops[O]>
  readonly body: BodyOf<Ops[O]>
  /** Names are in lower case. */
  readonly headers: RequestHeaders
  /** The response without this override: of the next older override of the operation, or of the mock. */
  next(): Promise<ResponseOf<Ops[O]>>
}

/** A response, or a function that returns one. */
export type Override<Ops, O extends keyof Ops> =
  | ResponseOf<Ops[O]>
  | ((call: OverrideCall<Ops, O>) => ResponseOf<Ops[O]> | Promise<ResponseOf<Ops[O]>>)

export interface OverrideOptions {
  /** Removes the override after one request. Default: false, it stays until the next reset. */
  once?: boolean
}

interface OverridableRequest {
  readonly operation: string
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
  readonly headers: RequestHeaders
  /** The result without overrides. */
  perform(): Result
}

export type Overrides = ReturnType<typeof createOverrides>

interface Layer {
  readonly resolve: (call: object) => unknown
  readonly once: boolean
}

export function createOverrides(contract: Contract) {
  const layers = new Map<string, Layer[]>()
  /** Replaced by `clear`. */
  let generation = {}

  function remove(operation: string, layer: Layer): void {
    const left = layers.get(operation)?.filter((other) => other !== layer) ?? []
    if (left.length > 0) layers.set(operation, left)
    else layers.delete(operation)
  }

  /** `candidates` are the overrides at the start of the request, the newest first. Some may have been removed since. */
  function respond(call: OverridableRequest, candidates: readonly Layer[]): Result | Promise<Result> {
    const [layer, ...older] = candidates
    if (layer === undefined) return call.perform()
    if (!layers.get(call.operation)?.includes(layer)) return respond(call, older)
    if (layer.once) remove(call.operation, layer)
    const { params, query, body, headers } = call
    const startedIn = generation
    const respondWithOlder = async () => {
      if (startedIn !== generation) throw misuse(call.operation, 'called next() after the mock was reset.')
      return toOverrideResponse(await respond(call, older))
    }
    const next = () => {
      const response = respondWithOlder()
      // An override may ignore it, and an unhandled rejection would end the process.
      response.catch(() => {})
      return response
    }
    try {
      const response = layer.resolve({ params, query, body, headers, next })
      if (!isThenable(response)) return toResult(call.operation, response, contract)
      return Promise.resolve(response)
        .then((settled) => toResult(call.operation, settled, contract))
        .catch((error) => toMisuseResult(call, error))
    } catch (error) {
      return toMisuseResult(call, error)
    }
  }

  return {
    /** The newest override is called first. A fixed response is checked at once. Returns a function that removes it. */
    add(operation: string, override: unknown, options: OverrideOptions = {}): () => void {
      contract.requireOperation(operation)
      if (typeof override !== 'function' && (typeof override !== 'object' || override === null)) {
        throw misuse(
          operation,
          `must be a response or a function that returns one. Received: ${describeValue(override)}.`,
        )
      }
      rejectUnknown(operation, 'option', options, ['once'])
      if (typeof override !== 'function' && !isThenable(override)) toResult(operation, override, contract)
      const resolve = typeof override === 'function' ? (override as Layer['resolve']) : () => override
      const layer: Layer = { resolve, once: options.once ?? false }
      layers.set(operation, [layer, ...(layers.get(operation) ?? [])])
      return () => remove(operation, layer)
    },
    has: (operation: string): boolean => layers.has(operation),
    respond: (call: OverridableRequest) => respond(call, layers.get(call.operation) ?? []),
    clear(): void {
      layers.clear()
      generation = {}
    },
  }
}

/** `problem` is a sentence without its subject. */
function misuse(operation: string, problem: string): MockError {
  return new MockError('INVALID_OVERRIDE', `The override of ${operation} ${problem}`)
}

/** The error fails the test: it may be a failed assertion inside the override. */
function toMisuseResult({ operation }: OverridableRequest, thrown: unknown): Result {
  const error = isError(thrown) ? thrown : misuse(operation, `threw ${describeValue(thrown)}.`)
  const message = error instanceof MockError ? error.message : `The override of ${operation} threw an error.`
  const result = toErrorResult(apiError('INTERNAL_ERROR', message))
  return { ...result, trace: { ...result.trace, misuse: error } }
}

/** A result in the form that an override reads and returns. */
function toOverrideResponse({ status, headers = {}, body, trace }: Result): never {
  if (trace?.misuse !== undefined) throw trace.misuse
  return { status, headers, ...(body !== undefined && { body: parseJson(body) }) } as never
}

/** The only place where the response of an override is checked, so that all adapters reject the same. */
function toResult(operation: string, response: unknown, contract: Contract): Result {
  if (typeof response !== 'object' || response === null || response instanceof Response) {
    throw misuse(operation, `must return { status, body } or next(). Received: ${describeValue(response)}.`)
  }
  rejectUnknown(operation, 'field', response, ['status', 'body', 'headers'])
  const { status, headers, body: given } = response as { status: number; body?: unknown; headers?: object }
  if (!Number.isInteger(status) || status < 200 || status > 599) {
    throw misuse(operation, `must return a status from 200 to 599. Received: ${describeValue(status)}.`)
  }
  const error = { code: codeOfStatus(status), message: `An override makes ${operation} return ${status}.`, status }
  const body = given === undefined && status >= 400 ? error : given
  // No response of the document is null, so null means no body.
  const text = body === null ? undefined : stringifyJson(body)
  const declared = contract.operationById(operation)
  const violation = declared && contract.findResponseViolation(declared, status, text)
  if (violation !== undefined) throw new MockError('INVALID_OVERRIDE', `The override of ${violation}`)
  const { code } = (status >= 400 ? body : {}) as { code?: string }
  return {
    status,
    headers: readHeaders(operation, headers ?? {}),
    ...(text !== undefined && { body: text, mediaType: 'application/json' }),
    ...(code !== undefined && { trace: { code } }),
  }
}

function readHeaders(operation: string, given: object): Record<string, string> {
  if (typeof given !== 'object' || Symbol.iterator in given) {
    throw misuse(operation, 'must return headers as an object of names and values.')
  }
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(given)) {
    const problem = findHeaderProblem(name, value)
    if (problem !== undefined) throw misuse(operation, problem)
    headers[toCanonicalName(name)] = trimHeader(value)
  }
  return headers
}

/** A typo must not go unnoticed. */
function rejectUnknown(operation: string, kind: string, given: object, known: readonly string[]): void {
  const unknown = Object.keys(given).find((name) => !known.includes(name))
  if (unknown === undefined) return
  throw misuse(operation, `is invalid. ${describeUnknown(kind, unknown, known)}`)
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
}
