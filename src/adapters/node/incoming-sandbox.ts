import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'
import { namesSandbox, type SandboxPaths } from '../../http/address.js'
import type { BaseAddresses } from '../../http/base-address.js'
import { readRoutedPath } from '../../http/base-address.js'
import type { PlainRequest } from '../../http/messages.js'
import { joinSandboxNames, SANDBOX_HEADER } from '../../http/sandbox-headers.js'
import { isKind } from '../../lib/values.js'

export type Fetch = typeof globalThis.fetch

/**
 * Changes the arguments of every call of the global fetch, before any other function that replaces it can see them, even if it
 * does so later. Returns a function that ends this.
 */
function wrapEveryFetch(change: (args: Parameters<Fetch>) => Parameters<Fetch>): () => void {
  const descriptor = Object.getOwnPropertyDescriptor(globalThis, 'fetch')
  if (!descriptor?.configurable) return () => {}
  const originals = new WeakMap<Fetch, Fetch>()
  let isStopped = false

  function wrap(original: Fetch): Fetch {
    // A test may have removed `fetch`.
    if (typeof original !== 'function' || originals.has(original)) return original
    const wrapper = new Proxy(original, {
      apply: (target, self, args: Parameters<Fetch>) => Reflect.apply(target, self, isStopped ? args : change(args)),
    })
    originals.set(wrapper, original)
    return wrapper
  }

  const first = wrap(globalThis.fetch)
  let current = first
  const get = () => current
  Object.defineProperty(globalThis, 'fetch', {
    get,
    set(replacement: Fetch) {
      current = wrap(replacement)
    },
    enumerable: true,
    configurable: true,
  })
  return () => {
    isStopped = true
    // Something else may have redefined the property since.
    if (Object.getOwnPropertyDescriptor(globalThis, 'fetch')?.get !== get) return
    const replaced = { value: originals.get(current), writable: true, enumerable: true, configurable: true }
    Object.defineProperty(globalThis, 'fetch', current === first ? descriptor : replaced)
  }
}

/** Node reports every request here that an HTTP server receives, before the server's own listeners run. */
const CHANNEL = 'http.server.request.start'

/** Knows the sandbox that is named by the incoming request which the running code handles. */
export function createSandboxFollower(addresses: BaseAddresses, documentPaths: SandboxPaths) {
  const sandboxes = new AsyncLocalStorage<string | undefined>()
  let stopNaming = () => {}

  function enter(message: unknown): void {
    const { request } = message as { request: IncomingMessage }
    const sandbox = joinSandboxNames(request.headers)
    // Also without a name: the last request on the connection may have had one.
    sandboxes.enterWith(sandbox)
    if (sandbox === undefined) return
    // Since Node 24 the events of the body are emitted outside the context of the request.
    const emit = request.emit.bind(request)
    request.emit = (...event: Parameters<typeof emit>) => sandboxes.run(sandbox, () => emit(...event))
  }

  /** The arguments of a fetch for the mock, with the sandbox in a header unless they name one themselves. */
  function nameSandbox([input, init]: Parameters<Fetch>): Parameters<Fetch> {
    const sandbox = sandboxes.getStore()
    const request = isKind(input, 'Request') ? input : undefined
    const address = request?.url ?? String(input)
    if (sandbox === undefined || !URL.canParse(address)) return [input, init]
    const url = new URL(address)
    const base = addresses.find(url.href)
    const headers = new Headers(init?.headers ?? request?.headers)
    const plain = { path: url.pathname.slice(base?.path.length), headers: Object.fromEntries(headers) }
    if (base === undefined || namesSandbox(plain, documentPaths)) return [input, init]
    headers.set(SANDBOX_HEADER, sandbox)
    // Next.js reads the headers of a Request, even if there are others beside it.
    return [request ? new Request(request, { headers }) : input, { ...init, headers }]
  }

  return {
    /** Can be called more than once. */
    start() {
      unsubscribe(CHANNEL, enter)
      subscribe(CHANNEL, enter)
    },
    /**
     * Makes the sandbox a part of what a cache of the application sees, such as that of Next.js: it would give one sandbox the
     * response of another. To be called after msw has started.
     */
    startNaming() {
      stopNaming()
      stopNaming = wrapEveryFetch(nameSandbox)
    },
    stop() {
      unsubscribe(CHANNEL, enter)
      stopNaming()
    },
    /** The request, in the sandbox of the incoming one unless it names one itself. For clients other than fetch. */
    follow(request: PlainRequest): PlainRequest {
      const sandbox = sandboxes.getStore()
      if (sandbox === undefined || namesSandbox(request, documentPaths)) return request
      return { ...request, headers: { ...request.headers, [SANDBOX_HEADER.toLowerCase()]: sandbox } }
    },
  }
}

/** For a server of the application's own that passes on what Playwright sends to it: the sandbox is in the path. */
export function nameRoutedSandbox([input, init]: Parameters<Fetch>): Parameters<Fetch> {
  const [, path = '', query = ''] = /^([^?]*)(.*)$/s.exec(typeof input === 'string' ? input : '') ?? []
  const routed = readRoutedPath(path)
  if (routed === undefined) return [input, init]
  const headers = new Headers(init?.headers)
  headers.set(SANDBOX_HEADER, routed.sandbox)
  return [(routed.path || '/') + query, { ...init, headers }]
}
