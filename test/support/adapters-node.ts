import { setupMock, setupPetstore } from '../../src/adapters/node/index.js'
import { memory } from './adapter-memory.js'
import { server } from './adapter-server.js'
import type { Adapter } from './adapters.js'

let opened = 0

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
  async openService(service) {
    opened += 1
    const baseUrl = `https://service-${opened}.test`
    const mock = setupMock(service, { validateResponses: true, baseUrl, onUnhandledRequest: 'bypass' })
    await mock.ready
    mock.listen()
    return {
      mock,
      fetch: (path, init) => mock.run(() => fetch(baseUrl + path, init)),
      close: async () => mock.close(),
    }
  },
}

export const adapters: readonly Adapter[] = [memory, node, server]
