import type { Operation } from '../../document/contract/operation.js'
import { isJsonMediaType } from '../../document/schema/media-type.js'
import { type ApiError, apiError, type ErrorCode, MockError, STATUS_BY_CODE } from '../../http/errors.js'
import type { PlainRequest, ResponseDraft } from '../../http/messages.js'
import { accepts } from '../../http/negotiation.js'
import type { QueryValues } from '../../http/target.js'
import { quote } from '../../lib/text.js'
import type { Api } from './api.js'

/** Converts a MockError to the API error for the same mistake. Everything else that was thrown stays as it is. */
export function misuseToApiError(thrown: unknown): unknown {
  if (!(thrown instanceof MockError)) return thrown
  const code = INVALID_REQUESTS.includes(thrown.code) ? 'INVALID_REQUEST' : thrown.code
  return Object.hasOwn(STATUS_BY_CODE, code) ? apiError(code as ErrorCode, inOneLine(thrown)) : thrown
}

const INVALID_REQUESTS = ['INVALID_FIXTURE', 'INVALID_OPTION']

/** The first problem only, shortened: it may contain a name of any length that the client sent. */
function inOneLine({ message, problems }: MockError): string {
  const [first = message, ...others] = problems
  const line = first.replaceAll(/\s+/g, ' ')
  const shown = line.length > MAX_LINE_LENGTH ? `${line.slice(0, MAX_LINE_LENGTH)}…` : line
  return others.length === 0 ? shown : `${shown} (and more)`
}

const MAX_LINE_LENGTH = 400

/** A response that violates the contract is a bug of the mock, unless it is the response to a failure already. */
export function findResponseViolation(
  { operation, api }: { readonly operation?: Operation; readonly api?: Pick<Api, 'contract'> },
  draft: ResponseDraft,
): string | undefined {
  const { status, body, bytes, mediaType, trace } = draft
  if (operation === undefined || status === 0 || draft.isUnchecked) return undefined
  if (trace?.failure !== undefined || trace?.misuse !== undefined) return undefined
  if (mediaType !== undefined && !isJsonMediaType(mediaType)) return undefined
  const text = bytes ? new TextDecoder().decode(bytes) : body
  return api?.contract.findResponseViolation(operation, status, text)
}

export function sandboxRequired({ method, path }: PlainRequest): ApiError {
  return apiError(
    'SANDBOX_REQUIRED',
    `${method} ${quote(path)} does not name a sandbox, but the option requireSandbox requires one. Send the header ` +
      'X-Petstore-Sandbox, start the path with /sandbox/<name>, or name it in the baggage header or, on loopback, in a ' +
      'cookie, as petstore-sandbox=<name>.',
  )
}

export function checkLength({ base, path, query }: PlainRequest, max: number): void {
  const length = base.length + path.length + (query === '' ? 0 : 1 + query.length)
  if (length <= max) return
  throw apiError('URI_TOO_LONG', `The path and query have ${length} characters. Maximum: ${max}.`)
}

/** `allow` is missing when the path is unknown, and `nearest` is then the path that was probably meant. */
export function respondWithoutOperation(
  { request, isAdmin }: { readonly request: PlainRequest; readonly isAdmin: boolean },
  allow: string | undefined,
  nearest: string | undefined,
): ResponseDraft {
  const { method, path, base } = request
  if (allow === undefined) {
    const document = isAdmin ? `${base}/__admin/openapi.yaml` : `${base}/openapi.yaml`
    const hint = path === '/' ? ` A server also shows them at ${base}/docs.` : ''
    const meant = nearest === undefined || nearest === path ? '' : ` Did you mean ${quote(nearest)}?`
    throw apiError('ROUTE_NOT_FOUND', `Unknown path ${quote(path)}.${meant} See ${document} for all paths.${hint}`)
  }
  if (method === 'OPTIONS') return { status: 204, headers: { Allow: allow } }
  // `fetch` writes most methods in upper case, but not `patch`.
  const hint = method === method.toUpperCase() ? '' : ' Methods are case-sensitive.'
  const message = `${method.slice(0, 20)} is not allowed on ${quote(path)}. Allowed: ${allow}.${hint}`
  throw apiError('METHOD_NOT_ALLOWED', message, { Allow: allow })
}

/** The user of a request to a service that knows its users. Throws a 401 error for credentials that are nobody's. */
export function authenticate(
  { authenticate: findUser }: Pick<Api, 'authenticate'>,
  { id, security }: Operation,
  request: PlainRequest,
  query: QueryValues,
): object | undefined {
  if (security === undefined || findUser === undefined) return undefined
  const problem = security.check(request, query)
  if (problem !== undefined) throw problem
  const credentials = security.read(request, query)
  const user = credentials && findUser(credentials)
  if (user !== undefined || credentials === undefined) return user
  throw apiError('UNAUTHORIZED', `${id} requires the credentials of a user: these are nobody's.`, {
    'WWW-Authenticate': security.challenge,
  })
}

export function checkSunset({ id, sunset }: Operation, at: number): void {
  if (sunset === undefined || at < sunset) return
  const day = new Date(sunset).toISOString().slice(0, 10)
  throw apiError('OPERATION_SUNSET', `${id} was removed on ${day}.`)
}

/**
 * 406 only where the operation declares it, because many clients send a type of their own: others get what there is. The types
 * of a service with generated validators are compared exactly.
 */
export function checkAccept(
  { contract, stateless }: Pick<Api, 'contract' | 'stateless'>,
  { id, offers, mediaTypes, responses }: Operation,
  { headers: { accept } }: PlainRequest,
): void {
  const offered = stateless?.has(id) ? mediaTypes : offers
  if (accepts(accept, offered, { isAnyJson: contract.responses !== undefined })) return
  if (!Object.hasOwn(responses, '406')) return
  throw apiError(
    'NOT_ACCEPTABLE',
    `The response is ${offered.join(' or ')}, which the Accept header ${quote(accept ?? '')} excludes.`,
  )
}
