import { quote } from '../lib/quote.js'
import { type ApiError, apiError } from './contract/errors.js'
import type { PlainRequest, ResponseDraft } from './contract/messages.js'
import { accepts } from './contract/negotiation.js'
import type { Operation } from './contract/operation.js'

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
    const meant = nearest === undefined ? '' : ` Did you mean ${quote(nearest)}?`
    throw apiError('ROUTE_NOT_FOUND', `Unknown path ${quote(path)}.${meant} See ${document} for all paths.${hint}`)
  }
  if (method === 'OPTIONS') return { status: 204, headers: { Allow: allow } }
  // `fetch` writes most methods in upper case, but not `patch`.
  const hint = method === method.toUpperCase() ? '' : ' Methods are case-sensitive.'
  const message = `${method.slice(0, 20)} is not allowed on ${quote(path)}. Allowed: ${allow}.${hint}`
  throw apiError('METHOD_NOT_ALLOWED', message, { Allow: allow })
}

export function checkSunset({ id, sunset }: Operation, at: number): void {
  if (sunset === undefined || at < sunset) return
  const day = new Date(sunset).toISOString().slice(0, 10)
  throw apiError('OPERATION_SUNSET', `${id} was removed on ${day}.`)
}

export function checkAccept(offers: readonly string[], { headers }: PlainRequest): void {
  if (accepts(headers.accept, offers)) return
  const accepted = quote(headers.accept ?? '')
  throw apiError(
    'NOT_ACCEPTABLE',
    `The response is ${offers.join(' or ')}, which the Accept header ${accepted} excludes.`,
  )
}
