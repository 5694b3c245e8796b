import { startServer } from '../../src/adapters/server/index.js'
import { TIMEOUTS } from './adapter-server.js'
import type { Adapter } from './adapters.js'

/** A mock that passes everything through to a second copy of the server, which the tests set up and inspect. */
export const upstream: Adapter = {
  name: 'passed through',
  isServer: true,
  async open(options = {}) {
    const service = await startServer({ validateResponses: true, port: 0, ...TIMEOUTS, ...options })
    const front = await startServer({
      port: 0,
      ...TIMEOUTS,
      upstream: service.url,
      pass: ['*'],
      passUnknown: true,
    })
    return {
      petstore: service.petstore,
      fetch: (path, init) => fetch(front.url + path, init),
      async close() {
        await front.close()
        await service.close()
      },
    }
  },
}
