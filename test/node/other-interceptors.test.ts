import { afterEach, describe, expect, it, vi } from 'vitest'
import { listen, mswMajor } from './listen.js'

// docs/limitations.md states what these tests show; those of undici's MockAgent are in clients.test.ts.

const BASE = 'https://petstore.test'
const stub = () => vi.stubGlobal('fetch', async (input: RequestInfo) => new Response(`stub ${new Request(input).url}`))

afterEach(() => vi.unstubAllGlobals())

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
  it.runIf(mswMajor >= 3)('gets every request with msw 3, even if it was there before listen()', async () => {
    stub()
    const petstore = listen({ baseUrl: BASE })
    expect(await read(`${BASE}/pets/1`)).toBe(`stub ${BASE}/pets/1`)
    expect(petstore.journal.total).toBe(0)
    petstore.check()
  })

  it('is restored by close() if it was there before listen()', () => {
    stub()
    const before = globalThis.fetch
    listen({ baseUrl: BASE }).close()
    expect(globalThis.fetch).toBe(before)
  })
})
