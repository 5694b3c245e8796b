import http from 'node:http'
import { createRequire } from 'node:module'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { type NodePetstore, setupPetstore } from '../../src/adapters/node/index.js'
import { httpClients } from './http-clients.js'
import { listen, mswMajor } from './listen.js'

// docs/limitations.md states what these tests show; those of undici's MockAgent are in clients.test.ts, and those with
// nock itself in test/package/set-ups.test.ts.

const BASE = 'https://petstore.test'

function stub(): void {
  vi.stubGlobal('fetch', async (input: RequestInfo) => new Response(`stub ${new Request(input).url}`))
  // Not in `afterEach`, which runs before a mock that started later is closed.
  onTestFinished(() => void vi.unstubAllGlobals())
}

const read = async (url: string) => (await fetch(url)).text()

describe('A stub of the global fetch', () => {
  it('gets every request if it replaces fetch after listen(), and the mock reports none of them', async () => {
    const petstore = listen({ baseUrl: BASE })
    stub()
    expect(await read(`${BASE}/pets/1`)).toBe(`stub ${BASE}/pets/1`)
    expect(await read('https://elsewhere.test/')).toBe('stub https://elsewhere.test/')
    expect(petstore.journal.total).toBe(0)
    petstore.check()
  })

  it.skipIf(mswMajor >= 3)('gets what the mock lets through if it was there before listen()', async () => {
    stub()
    const petstore = listen({ baseUrl: BASE, onUnhandledRequest: 'bypass' })
    expect(JSON.parse(await read(`${BASE}/pets/1`))).toMatchObject({ id: 1 })
    expect(await read('https://elsewhere.test/')).toBe('stub https://elsewhere.test/')
    expect(petstore.journal.total).toBe(1)
    petstore.check()
  })

  // msw 3 intercepts sockets, and the stub opens none.
  it.runIf(mswMajor >= 3)(
    'gets every request with msw 3, even if it was there before listen(), with a warning',
    async () => {
      const warnings = collectWarnings()
      stub()
      const petstore = listen({ baseUrl: BASE })
      for (let request = 0; request < 2; request++) expect(await read(`${BASE}/pets/1`)).toBe(`stub ${BASE}/pets/1`)
      expect(warnings()).toEqual([expect.stringContaining('such as a stub of the global fetch')])
      expect(petstore.journal.total).toBe(0)
      petstore.check()
    },
  )

  it('is restored by close() if it was there before listen()', () => {
    stub()
    const before = globalThis.fetch
    listen({ baseUrl: BASE }).close()
    expect(globalThis.fetch).toBe(before)
  })
})

describe('An interceptor that gets requests before the mock', () => {
  it.each([
    ['OverriddenClientRequest', mswMajor >= 3 ? 'With msw 3, use nock 15.' : 'if nock is loaded before listen()'],
    ['OtherRequest', 'OtherRequest has replaced http.ClientRequest, and gets requests before the mock.'],
  ])('is named once by a warning: %s', (name, text) => {
    const warnings = collectWarnings()
    const { ClientRequest } = http
    onTestFinished(() => void Object.assign(http, { ClientRequest }))
    const replacement = { [name]: class extends ClientRequest {} }[name]
    Object.assign(http, { ClientRequest: replacement })
    listen({ baseUrl: BASE }).close()
    listen({ baseUrl: BASE }).close()
    expect(warnings()).toEqual([expect.stringContaining(text)])
  })

  it('is not warned of where there is none', () => {
    const warnings = collectWarnings()
    listen({ baseUrl: BASE })
    expect(warnings()).toEqual([])
  })
})

// nock 14 works like this.
describe.skipIf(mswMajor >= 3)('An interceptor that shares its interception with msw 2', () => {
  const responses = new Map<string, string>()
  let interceptor: Interceptor
  let petstore: NodePetstore

  beforeAll(() => {
    // Once for all tests: msw ends this interceptor when the mock closes.
    interceptor = respondOnce(responses)
    petstore = setupPetstore({ baseUrl: BASE })
    petstore.listen()
  })
  afterAll(() => {
    // First, as docs/limitations.md says of nock 14: otherwise its patches stay in place.
    interceptor.dispose()
    petstore.close()
  })

  const clients = httpClients.filter(({ name }) => !name.includes('undici'))
  it.each(clients)('responds to $name, which is not reported', async ({ protocol, send }) => {
    const url = `${protocol}//rates.test/eur`
    responses.set(url, '1.1')
    expect((await send(url)).text).toBe('1.1')
    petstore.check()
  })

  it('does not keep a blocked request from being reported', async () => {
    const url = 'https://rates.test/eur'
    responses.set(url, '1.1')
    expect(await read(url)).toBe('1.1')
    await expect(read(url)).rejects.toThrow('was blocked by the mock')
    // Once: otherwise the message would say how often.
    expect(petstore.check).toThrow(/^GET https:\/\/rates\.test\/eur was blocked by the mock .* \(at [^,]*\)$/)
  })
})

function collectWarnings(): () => unknown[] {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  onTestFinished(() => warn.mockRestore())
  return () => warn.mock.calls.flat()
}

interface Interceptor {
  apply(): void
  dispose(): void
  on(event: 'request', listener: (event: RequestEvent) => void): void
}

interface RequestEvent {
  readonly request: Request
  readonly controller: { respondWith(response: Response): void }
}

/** Starts an interceptor of the library that msw and nock are based on. */
function respondOnce(responses: Map<string, string>): Interceptor {
  const require = createRequire(createRequire(import.meta.url).resolve('msw'))
  const { BatchInterceptor } = require('@mswjs/interceptors')
  const interceptors = require('@mswjs/interceptors/presets/node')
  const interceptor: Interceptor = new BatchInterceptor({ name: 'other', interceptors })
  interceptor.apply()
  interceptor.on('request', ({ request, controller }) => {
    const text = responses.get(request.url)
    if (responses.delete(request.url)) controller.respondWith(new Response(text))
  })
  return interceptor
}
