import { parseJson, stringifyJson } from '../../lib/json.js'
import { describeValue, isError } from '../../lib/thrown.js'
import { codeOfStatus, MockError, quote, requireOperation, toErrorBody } from '../contract/errors.js'
import type { RequestHeaders, Result } from '../contract/messages.js'
import { findHeaderProblem, spellHeader, trimHeader } from '../contract/response-headers.js'
import type { BodyOf, PathOf, QueryOf, ResponseOf, StoreOperationId } from '../contract/types.js'

/** A request that keeps to the document, as an override sees it. */
export interface OverrideCall<O extends StoreOperationId> {
  readonly params: PathOf<O>
  readonly query: QueryOf<O>
  readonly body: BodyOf<O>
  /** Names in lower case. */
  readonly headers: RequestHeaders
  /** What is answered without this override: by an older one of the same operation, else by the store. */
  next(): Promise<ResponseOf<O>>
}

/** An answer, or what makes one of a request. */
export type Override<O extends StoreOperationId> =
  | ResponseOf<O>
  | ((call: OverrideCall<O>) => ResponseOf<O> | Promise<ResponseOf<O>>)

export interface OverrideOptions {
  /** Answers one request and is gone. Default: false, it stays until the next reset. */
  once?: boolean
}

/** A request that may be overridden, and what happens to it otherwise. */
export interface Overridable {
  readonly operation: string
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
  readonly headers: RequestHeaders
  /** What the store answers. */
  perform(): Result
}

/** Where a response of an operation leaves the document, in one sentence. */
type FindViolation = (operation: string, status: number, body: string | undefined) => string | undefined

export interface Overrides {
  /** The newest goes first; a fixed response is checked at once. Returns what takes it away again. */
  add(operation: string, override: unknown, options?: OverrideOptions): () => void
  /** Whether there is one for the operation. */
  cover(operation: string): boolean
  answer(call: Overridable): Result | Promise<Result>
  clear(): void
}

interface Layer {
  readonly resolve: (call: object) => unknown
  readonly once: boolean
}

export function createOverrides(operations: readonly string[], findViolation: FindViolation): Overrides {
  const layers = new Map<string, Layer[]>()
  /** Tells requests apart that were there before everything started over. */
  let era = {}

  function remove(operation: string, layer: Layer): void {
    const left = layers.get(operation)?.filter((other) => other !== layer) ?? []
    if (left.length > 0) layers.set(operation, left)
    else layers.delete(operation)
  }

  /**
   * `candidates` are those laid when the request came, the newest first. A request that came at the same time may have
   * used one up by now.
   */
  function ask(call: Overridable, candidates: readonly Layer[]): Result | Promise<Result> {
    const [layer, ...older] = candidates
    if (layer === undefined) return call.perform()
    if (!layers.get(call.operation)?.includes(layer)) return ask(call, older)
    if (layer.once) remove(call.operation, layer)
    const { params, query, body, headers } = call
    const asked = era
    const passOn = async () => {
      if (asked !== era) throw misuse(call.operation, 'called next() after the pet store was reset')
      return toAnswer(await ask(call, older))
    }
    const next = () => {
      const answer = passOn()
      // An override need not wait for it, and a rejection that nobody handles ends the process.
      answer.catch(() => {})
      return answer
    }
    try {
      const answer = layer.resolve({ params, query, body, headers, next })
      if (!isThenable(answer)) return toResult(call.operation, answer, findViolation)
      return Promise.resolve(answer)
        .then((settled) => toResult(call.operation, settled, findViolation))
        .catch((error) => refuse(call, error))
    } catch (error) {
      return refuse(call, error)
    }
  }

  return {
    add(operation, override, options = {}) {
      requireOperation(operation, operations)
      if (typeof override !== 'function' && (typeof override !== 'object' || override === null)) {
        throw misuse(operation, `is an answer or a function that returns one, but got ${describeValue(override)}`)
      }
      refuseUnknown(operation, 'the option', options, ['once'])
      if (typeof override !== 'function' && !isThenable(override)) toResult(operation, override, findViolation)
      const resolve = typeof override === 'function' ? (override as Layer['resolve']) : () => override
      const layer: Layer = { resolve, once: options.once ?? false }
      layers.set(operation, [layer, ...(layers.get(operation) ?? [])])
      return () => remove(operation, layer)
    },
    cover: (operation) => layers.has(operation),
    answer: (call) => ask(call, layers.get(call.operation) ?? []),
    clear() {
      layers.clear()
      era = {}
    },
  }
}

function misuse(operation: string, what: string): MockError {
  return new MockError('INVALID_OVERRIDE', `the override of ${operation} ${what}`)
}

/** An override that throws fails the test with what it threw, which may be a failed expectation of the test's own. */
function refuse({ operation }: Overridable, thrown: unknown): Result {
  const error = isError(thrown) ? thrown : misuse(operation, `threw ${describeValue(thrown)}`)
  const message = error instanceof MockError ? error.message : `the override of ${operation} threw an error`
  const code = 'INTERNAL_ERROR'
  return { status: 500, code, body: toErrorBody(code, message, 500), mediaType: 'application/json', misuse: error }
}

/** What the client would be answered, as an override reads it. */
function toAnswer({ status, headers = {}, body, misuse: raised }: Result): never {
  if (raised !== undefined) throw raised
  return { status, headers, ...(body !== undefined && { body: parseJson(body) }) } as never
}

/** The one place where the answer of an override becomes a response, so all adapters refuse the same. */
function toResult(operation: string, answer: unknown, findViolation: FindViolation): Result {
  if (typeof answer !== 'object' || answer === null || answer instanceof Response) {
    throw misuse(operation, `answered ${describeValue(answer)}: it returns { status, body } or next()`)
  }
  refuseUnknown(operation, 'the member', answer, ['status', 'body', 'headers'])
  const { status, headers, body: given } = answer as { status: number; body?: unknown; headers?: object }
  if (!Number.isInteger(status) || status < 200 || status > 599) {
    throw misuse(operation, `answered the status ${describeValue(status)}: it is a whole number from 200 to 599`)
  }
  const body = given === undefined && status >= 400 ? toError(operation, status) : given
  // No answer of the document is null: whoever says so means none.
  const text = body === null ? undefined : stringifyJson(body)
  const violation = findViolation(operation, status, text)
  if (violation !== undefined) throw new MockError('INVALID_OVERRIDE', `the override of ${violation}`)
  const { code } = (status >= 400 ? body : {}) as { code?: string }
  return {
    status,
    headers: readHeaders(operation, headers ?? {}),
    ...(text !== undefined && { body: text, mediaType: 'application/json' }),
    ...(code !== undefined && { code }),
  }
}

/** A failure that is asked for by its status alone has the body that every failure has. */
function toError(operation: string, status: number): object {
  return { code: codeOfStatus(status), message: `an override has ${operation} answer ${status}`, status }
}

function readHeaders(operation: string, given: object): Record<string, string> {
  if (typeof given !== 'object' || Symbol.iterator in given) {
    throw misuse(operation, 'gives headers that are not an object of names and values')
  }
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(given)) {
    const problem = findHeaderProblem(name, value)
    if (problem !== undefined) throw misuse(operation, problem)
    headers[spellHeader(name)] = trimHeader(value)
  }
  return headers
}

/** A typo must be loud. */
function refuseUnknown(operation: string, what: string, given: object, known: readonly string[]): void {
  const unknown = Object.keys(given).find((name) => !known.includes(name))
  if (unknown === undefined) return
  throw misuse(operation, `gives ${what} ${quote(unknown)}, which is not known: there are ${known.join(', ')}`)
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
}
