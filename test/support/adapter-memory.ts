import { createMock, createPetstore } from '../../src/index.js'
import type { Adapter } from './adapters.js'

export const memory: Adapter = {
  name: 'in memory',
  async open(options = {}) {
    const petstore = createPetstore({ validateResponses: true, ...options })
    await petstore.ready
    return { petstore, fetch: (path, init) => petstore.fetch(path, init), close: async () => {} }
  },
  async openService(service) {
    const mock = createMock(service, { validateResponses: true })
    await mock.ready
    return { mock, fetch: (path, init) => mock.fetch(path, init), close: async () => {} }
  },
}
