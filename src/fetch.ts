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

/**
 * Answers a request at a base address whose path is `base`. Rejects as `fetch` does when the request is aborted, and with
 * what a test did wrong where it misused the mock.
 */
export async function answerRequest(
  handle: (request: PlainRequest) => PlainResponse | Promise<PlainResponse>,
  request: Request,
  base: string,
): Promise<Response> {
  const { signal } = request
  signal.throwIfAborted()
  const plain = await toPlainRequest(request, base)
  signal.throwIfAborted()
  const answer = handle(plain)
  const { status, headers, body, misuse } = answer instanceof Promise ? await unlessAborted(answer, signal) : answer
  if (misuse !== undefined) throw misuse
  return new Response(body ?? null, { status, headers })
}

async function toPlainRequest(request: Request, base: string): Promise<PlainRequest> {
  const { pathname, search } = new URL(request.url)
  const body = request.body === null ? undefined : new Uint8Array(await request.arrayBuffer())
  return {
    method: request.method,
    path: pathname.slice(base.length),
    query: search.slice(1),
    base,
    headers: Object.fromEntries(request.headers),
    ...(body && { body }),
  }
}

/** The answer still comes about, but nobody waits for it. */
function unlessAborted<T>(answer: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
    answer.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
