import { setupPetstore } from '../../src/adapters/node/index.js'
import { memory } from './adapter-memory.js'
import { server } from './adapter-server.js'
import type { Adapter } from './adapters.js'

const node: Adapter = {
  name: 'intercepted in Node',
  isOnlyWire: true,
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
