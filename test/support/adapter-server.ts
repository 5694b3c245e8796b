import { startServer } from '../../src/adapters/server/index.js'
import type { Adapter } from './adapters.js'

/** So long that a busy machine does not exceed them. The tests of the server have their own. */
export const TIMEOUTS = { headersTimeoutMs: 60_000, requestTimeoutMs: 60_000, idleTimeoutMs: 60_000 }

export const server: Adapter = {
  name: 'on the server',
  isServer: true,
  async open(options = {}) {
    const running = await startServer({ validateResponses: true, port: 0, ...TIMEOUTS, ...options })
    return {
      petstore: running.petstore,
      fetch: (path, init) => fetch(running.url + path, init),
      close: () => running.close(),
    }
  },
  async openService(service) {
    const { mock, url, close } = await startServer({ service, validateResponses: true, port: 0, ...TIMEOUTS })
    return { mock, fetch: (path, init) => fetch(url + path, init), close }
  },
}
