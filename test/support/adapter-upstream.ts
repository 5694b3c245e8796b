import {
  type MockServer,
  type ServerOptions,
  type ServiceServerOptions,
  startServer,
} from '../../src/adapters/server/index.js'
import { isAdminPath } from '../../src/http/address.js'
import { TIMEOUTS } from './adapter-server.js'
import type { Adapter, RunningMock } from './adapters.js'

const SANDBOX = 'the mock in front does not send the name of a sandbox on'
const BROKEN = 'a broken connection to the upstream is 502'

const LEFT_OUT: Adapter['leftOut'] = [
  [/sandbox/i, SANDBOX],
  [/POST \/__admin\/check returns what check\(\) would throw/, SANDBOX],
  [/> Prefer, /, 'the mock in front answers it'],
  [/a fault of the kind.*(?:truncate|reset|slow|with a probability)/, BROKEN],
  [/sends the bytes of a raw response as a fault says/, BROKEN],
  [/a date faked by the test runner/, 'it is faked for the mock in front as well'],
]

/**
 * A mock that passes everything through to a second copy of the server, which the tests set up and inspect: what is for the
 * admin API goes there directly.
 */
export const upstream: Adapter = {
  name: 'passed through',
  isServer: true,
  leftOut: LEFT_OUT,
  async open(options = {}) {
    const running = await startServer({ validateResponses: true, port: 0, ...TIMEOUTS, ...options })
    return { petstore: running.petstore, ...(await openFront(running, {})) }
  },
  async openService(service) {
    const running = await startServer({ service, validateResponses: true, port: 0, ...TIMEOUTS })
    return { mock: running.mock, ...(await openFront(running, { service })) }
  },
}

type Running = Pick<MockServer, 'url' | 'close'>

async function openFront(
  running: Running,
  of: Partial<ServiceServerOptions>,
): Promise<Pick<RunningMock, 'fetch' | 'close'>> {
  const front: Running = await startServer({
    ...of,
    port: 0,
    ...TIMEOUTS,
    upstream: running.url,
    pass: ['*'],
    passUnknown: true,
    // The service decides.
    maxBodyBytes: 64 * 1_048_576,
    maxUrlLength: 16_000,
    maxQueryParameters: 10_000,
  } as ServerOptions)
  return {
    fetch: (path, init) => fetch((isAdminPath(path.split('?', 1)[0] as string) ? running : front).url + path, init),
    async close() {
      await front.close()
      await running.close()
    },
  }
}
