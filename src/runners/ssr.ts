import { joinSandboxNames, SANDBOX_HEADER } from '../http/sandbox-headers.js'

/** The headers of a request: those of `fetch`, or those of `node:http`. */
export type IncomingHeaders =
  | { get(name: string): string | null }
  | { readonly [name: string]: string | readonly string[] | undefined }

/**
 * For a server that renders pages: returns the options of a `fetch` to the mocked API, with the sandbox that the incoming
 * request names in its header `X-Petstore-Sandbox`, in baggage or in a cookie. Changes nothing if it names none, as in
 * production.
 */
export function forwardSandbox(
  incoming: IncomingHeaders | { readonly headers: IncomingHeaders },
  init: RequestInit = {},
): RequestInit {
  const incomingHeaders = ('headers' in incoming ? incoming.headers : incoming) as IncomingHeaders
  const read = (name: string) => readHeader(incomingHeaders, name)
  const sandbox = joinSandboxNames({
    'x-petstore-sandbox': read('x-petstore-sandbox'),
    baggage: read('baggage'),
    cookie: read('cookie'),
  })
  const headers = new Headers(init.headers)
  if (sandbox === undefined || headers.has(SANDBOX_HEADER)) return init
  headers.set(SANDBOX_HEADER, sandbox)
  return { ...init, headers }
}

/** Not every server writes the names of headers in lower case, or joins several of one name. */
function readHeader(headers: IncomingHeaders, name: string): string | undefined {
  if (typeof headers.get === 'function') return headers.get(name) ?? undefined
  const values = Object.entries(headers).filter(([key, value]) => key.toLowerCase() === name && value !== undefined)
  return values.length === 0 ? undefined : values.flatMap(([, value]) => value).join(name === 'cookie' ? '; ' : ', ')
}
