import { setupPetstore } from '../../src/adapters/node/index.js'
import { startServer } from '../../src/adapters/server/index.js'
import { memory } from './adapter-memory.js'
import type { Adapter } from './adapters.js'

/** So long that a busy machine does not exceed them. The tests of the server have their own. */
const TIMEOUTS = { headersTimeoutMs: 60_000, requestTimeoutMs: 60_000, idleTimeoutMs: 60_000 }

const server: Adapter = {
  name: 'on the server',
  async open(options = {}) {
    const running = await startServer({ validateResponses: true, port: 0, ...TIMEOUTS, ...options })
    return {
      petstore: running.petstore,
      fetch: (path, init) => fetch(running.url + path, init),
      close: () => running.close(),
    }
  },
}

const node: Adapter = {
  name: 'intercepted in Node',
  async open(options = {}) {
    const baseUrl = 'https://petstore.test'
    const petstore = setupPetstore({ validateResponses: true, baseUrl, onUnhandledRequest: 'bypass', ...options })
    await petstore.ready
    petstore.listen()
    return {
      petstore,
      fetch: (path, init) => petstore.run(() => fetch(baseUrl + path, init)),
      close: async () => petstore.close(),
    }
  },
}

export const adapters: readonly Adapter[] = [memory, node, server]
