import { joinSandboxNames, SANDBOX_HEADER } from '../engine/sandbox-headers.js'

/** The headers of a request: those of `fetch`, or those of `node:http`. */
export type IncomingHeaders =
  | { get(name: string): string | null }
  | { readonly [name: string]: string | readonly string[] | undefined }

/**
 * For a server that renders pages: returns the options of a `fetch` to the Pet Store API, with the sandbox that the incoming
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

function readHeader(headers: IncomingHeaders, name: string): string | undefined {
  const value = typeof headers.get === 'function' ? headers.get(name) : (headers as Record<string, unknown>)[name]
  return value === null || value === undefined ? undefined : String(value)
}
