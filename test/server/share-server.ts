import { afterAll, beforeEach } from 'vitest'
import { type PetstoreServer, type ServerOptions, startServer } from '../../src/adapters/server/index.js'
import type { RunningMock } from '../support/adapters.js'

/** Starts one server for all tests of a file. Its data, rules and sandboxes are reset before each test. */
export async function shareServer(options: ServerOptions): Promise<PetstoreServer & RunningMock> {
  const server = await startServer({ port: 0, validateResponses: true, ...options })
  afterAll(() => server.close())
  beforeEach(() => {
    for (const { name } of server.petstore.sandboxes.list()) server.petstore.sandboxes.delete(name)
    server.petstore.reset()
  })
  return { ...server, fetch: (path, init) => fetch(`http://127.0.0.1:${server.port}${path}`, init) }
}
