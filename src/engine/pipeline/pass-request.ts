import { isJsonMediaType } from '../../document/schema/media-type.js'
import { ApiError, apiError, MockError, STATUS_BY_CODE } from '../../http/errors.js'
import type { PassedRequest, ResponseDraft } from '../../http/messages.js'
import { andThen, type MaybePromise } from '../../lib/functions.js'
import { decodePercent, joinSentences, quote } from '../../lib/text.js'
import { copyData } from '../../lib/values.js'
import { respondAsPreferred } from './call-handler.js'
import { checkRequest, findViolations } from './check-messages.js'
import {
  type PassCall,
  type UpstreamDependencies,
  UpstreamFailure,
  type UpstreamRequest,
  type UpstreamResponse,
  type UpstreamSettings,
} from './upstream.js'
import { basePathOf, toClientHeaders, toUpstreamHeaders } from './upstream-headers.js'

/** Says that the mock has answered for an upstream that could not. */
const FALLBACK_HEADER = 'X-Petstore-Upstream'

/** Statuses of a proxy in front of a service that cannot be reached. */
const UNREACHABLE_STATUSES = [502, 503, 504]

/** Passes a request through to the real service, and checks both sides. */
export function createPassStep(
  { url, adminToken, strict, fallback, forward }: UpstreamSettings,
  { contract, options, overrides, unreportedErrors }: UpstreamDependencies,
) {
  const address = url.origin + basePathOf(url)

  return (call: PassCall): MaybePromise<ResponseDraft> => {
    const { api, operation, request } = call
    if (request.body === 'too large') {
      throw apiError('BODY_TOO_LARGE', `Request body exceeds ${options.maxBodyBytes} bytes.`)
    }
    rejectOutside(request.path)
    if (operation === undefined) return send(call, [])
    const { parameters, body, violations } = checkRequest(call, operation, options.strict)
    const preferred = respondAsPreferred(api.contract, operation, request)
    if (preferred !== undefined) return preferred
    const isOverridden = overrides.has(operation.id) && parameters !== undefined && violations.length === 0
    if (!isOverridden) return send(call, violations)
    return overrides.respond({
      operation: operation.id,
      request,
      params: copyData(parameters.path),
      query: copyData(parameters.query),
      body: copyData(body),
      perform: () => send(call, violations),
    })
  }

  async function send(call: PassCall, violations: readonly string[]): Promise<ResponseDraft> {
    const { request, handleOptions, answer } = call
    const { method, path, query, body } = request
    const sent: UpstreamRequest = {
      method,
      target: `${basePathOf(url)}${path}${query === '' ? '' : `?${query}`}`,
      headers: toUpstreamHeaders(request, url, adminToken),
      body: body === 'too large' ? undefined : body,
    }
    report(`${method} ${path} was passed through and`, violations)
    try {
      const response = await forward(sent, handleOptions?.ended ?? handleOptions?.signal)
      if (!fallback || answer === undefined || !UNREACHABLE_STATUSES.includes(response.status)) {
        return toDraft(call, sent, response, violations)
      }
      return await fallBack(answer, violations, `${address} returned ${response.status}`)
    } catch (error) {
      if (!(error instanceof UpstreamFailure)) throw error
      if (error.kind === 'aborted')
        return withTrace({ status: 0 }, violations, { outcome: 'failed', reason: error.message })
      const reason = `${address} ${error.message}`
      return fallback && answer ? fallBack(answer, violations, reason) : toFailureDraft(call, violations, error, reason)
    }
  }

  function toDraft(
    { operation, request }: PassCall,
    sent: UpstreamRequest,
    received: UpstreamResponse,
    requestViolations: readonly string[],
  ): ResponseDraft {
    const { status, body, stream } = received
    const headers = toClientHeaders(received, sent, request, url)
    const violations = operation ? findViolations(operation, request, { status, headers, body }) : []
    report(`${request.method} ${request.path} was answered by ${address} with ${status}, which`, violations)
    const length = body ? String(body.length) : lengthWithoutBody(request.method, received)
    const outcome = { outcome: 'answered', ...(violations.length > 0 && { violations }) } as const
    const draft = {
      status,
      headers: length === undefined ? headers : { ...headers, 'Content-Length': length },
      ...(stream ? { stream } : toContent(body, headers['Content-Type'])),
      // For overrides.
      mediaType: headers['Content-Type'] ?? '',
      isUnchecked: true,
      isComplete: true,
    } as const
    return withTrace(draft, requestViolations, outcome)
  }

  function fallBack(
    answer: () => MaybePromise<ResponseDraft>,
    violations: readonly string[],
    reason: string,
  ): MaybePromise<ResponseDraft> {
    return andThen(answer(), (draft) => {
      const headers = { ...draft.headers, [FALLBACK_HEADER]: 'fallback' }
      return withTrace({ ...draft, headers }, draft.trace?.violations ?? violations, { outcome: 'fallback', reason })
    })
  }

  function toFailureDraft(
    { operation, request, at }: PassCall,
    violations: readonly string[],
    { kind }: UpstreamFailure,
    reason: string,
  ): ResponseDraft {
    const code = kind === 'timeout' ? 'UPSTREAM_TIMEOUT' : 'UPSTREAM_UNREACHABLE'
    const error = new ApiError(STATUS_BY_CODE[code], code, `The upstream ${reason}.`)
    const draft = contract.toErrorDraft(error, undefined, { operation, request, at })
    return withTrace({ ...draft, isUnchecked: true }, violations, { outcome: 'failed', reason })
  }

  function report(subject: string, violations: readonly string[]): void {
    if (!strict || violations.length === 0) return
    const message = `${subject} violates the OpenAPI document: ${joinSentences(violations)} The option upstreamStrict forbids that.`
    unreportedErrors.addLate(new MockError('CONTRACT_VIOLATION', message))
  }
}

/** A service, or what is in front of it, may resolve such a path to one outside the base URL. */
function rejectOutside(path: string): void {
  if (path.startsWith('/') && !decodePercent(path).split(/[/\\]/).includes('..')) return
  const message = `The path ${quote(path)} cannot be passed through: it must start with / and have no segment "..".`
  throw apiError('INVALID_REQUEST', message)
}

function withTrace(draft: ResponseDraft, violations: readonly string[], upstream: PassedRequest): ResponseDraft {
  return { ...draft, trace: { ...draft.trace, ...(violations.length > 0 && { violations }), upstream } }
}

/** What a GET would have had. */
function lengthWithoutBody(method: string, { status, headers, stream }: UpstreamResponse): string | undefined {
  if (stream !== undefined || (method !== 'HEAD' && status !== 304)) return undefined
  return headers.find(([name]) => name.toLowerCase() === 'content-length')?.[1]
}

/** Text if it is JSON, so that overrides can read it. The bytes are the same. */
function toContent(bytes: Uint8Array | undefined, type = ''): Pick<ResponseDraft, 'body' | 'bytes'> {
  if (bytes === undefined) return {}
  if (!isJsonMediaType(type)) return { bytes }
  try {
    return { body: DECODER.decode(bytes) }
  } catch {
    // It is not UTF-8.
    return { bytes }
  }
}

const DECODER = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
