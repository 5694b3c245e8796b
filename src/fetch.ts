import type { PlainRequest, PlainResponse } from './contract/messages.js'

/** Where a path on its own is taken to be. */
const SOMEWHERE = 'http://localhost'

/** The in-memory door: what `fetch` takes, with a path alone allowed as the address. */
export function toRequest(input: string | URL | Request, init?: RequestInit): Request {
  if (input instanceof Request && init === undefined) return input
  // Put in front, not resolved against: `//evil.example/pets` is a path here, not another host.
  const isPath = typeof input === 'string' && input.startsWith('/')
  return new Request(isPath ? SOMEWHERE + input : input, init)
}

export async function toPlainRequest(request: Request): Promise<PlainRequest> {
  const { pathname, search } = new URL(request.url)
  const body = request.body === null ? undefined : new Uint8Array(await request.arrayBuffer())
  return {
    method: request.method,
    path: pathname,
    query: search.slice(1),
    base: '',
    headers: Object.fromEntries(request.headers),
    ...(body && { body }),
  }
}

export function toResponse({ status, headers, body }: PlainResponse): Response {
  return new Response(body ?? null, { status, headers })
}
