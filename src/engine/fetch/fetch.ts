import { connectionReset, type RequestHandler, respond } from './respond.js'

/** The origin of a request whose address is a path alone. */
const DEFAULT_ORIGIN = 'http://localhost'

/** The in-memory adapter: accepts what `fetch` accepts, and a path alone. */
export function createFetch(handler: RequestHandler, ready: () => Promise<void>) {
  return async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const request = toRequest(input, init)
    // Awaited even when ready: the caller may abort right after this call. When generating the data failed, handling the
    // request throws the reason.
    await ready().catch(() => {})
    const response = await respond(handler, request, { base: '', body: init?.body })
    if (response.type !== 'error') return withUrl(response, request.url)
    // The error of Node's fetch.
    throw new TypeError('fetch failed', { cause: connectionReset() })
  }
}

/** Clients resolve `Location` and `Link` against the URL, which a `Response` has only if it is from the network. */
function withUrl(response: Response, url: string): Response {
  const clone = response.clone.bind(response)
  return Object.defineProperties(response, {
    url: { value: url.replace(/#.*/, '') },
    clone: { value: () => withUrl(clone(), url) },
  })
}

function toRequest(input: string | URL | Request, init?: RequestInit): Request {
  if (input instanceof Request && init === undefined) return input
  // Put in front, not resolved against: `//evil.example/x` is a path here, not another host.
  const isPath = typeof input === 'string' && input.startsWith('/')
  return new Request(isPath ? DEFAULT_ORIGIN + input : input, init)
}
