import { describe, expect, it, vi } from 'vitest'
import { shop } from '../support/client.js'
import { httpClients } from './http-clients.js'
import { listen } from './listen.js'

const REX = { id: 1, name: 'Rex', categoryId: 1, status: 'available' } as const
const HEADERS = {
  'a control character': { 'X-A': 'a\u0001b' },
  'Content-Encoding': { 'Content-Encoding': 'gzip' },
}

describe.each(httpClients)('$name', ({ protocol, send }) => {
  const base = `${protocol}//shop.invalid`

  it.each(Object.entries(HEADERS))('fails if an override returns %s, and the process continues', async (_, headers) => {
    const petstore = listen({ baseUrl: base, fixtures: shop([{ id: 1 }]) })
    const response = { status: 200, body: REX, headers } as const
    for (const respond of [() => response, async () => response]) {
      const override = petstore.override('getPet', respond)
      await expect(send(`${base}/pets/1`)).rejects.toThrow()
      expect(() => petstore.check()).toThrow('The override of getPet sets the header')
      override.remove()
    }
    expect((await send(`${base}/pets/1`)).status).toBe(200)
  })

  it('fails if an override throws an object without a prototype, and the process continues', async () => {
    const petstore = listen({ baseUrl: base, fixtures: shop([{ id: 1 }]) })
    petstore.override('getPet', () => Promise.reject(Object.create(null)), { times: 1 })
    await expect(send(`${base}/pets/1`)).rejects.toThrow()
    expect(() => petstore.check()).toThrow('The override of getPet threw [object Object]')
    expect((await send(`${base}/pets/1`)).status).toBe(200)
  })

  it('gets 500 for a response that cannot be sent, and the test fails', async () => {
    const petstore = listen({ baseUrl: base, fixtures: shop([{ id: 1 }]) })
    petstore.handle = () => ({ response: { status: 1000, headers: {} }, trace: {} })
    expect((await send(`${base}/pets/1`)).status).toBe(500)
    expect(() => petstore.check()).toThrow(RangeError)
  })
})

describe('onUnhandledRequest', () => {
  it.each<[string, () => never]>([
    [
      'throws',
      () => {
        throw Object.create(null)
      },
    ],
    ['rejects', () => Promise.reject(Object.create(null)) as never],
  ])('that %s blocks the request and fails the test', async (_, onUnhandledRequest) => {
    const petstore = listen({ baseUrl: 'http://shop.invalid', onUnhandledRequest })
    await expect(fetch('http://elsewhere.invalid/')).rejects.toThrow()
    const messages: string[] = []
    await vi.waitFor(() => {
      messages.push(messageOf(() => petstore.check()))
      expect(messages.join()).toContain('onUnhandledRequest threw [object Object]')
    }, 30_000)
    expect(messages.join()).toContain('GET http://elsewhere.invalid/ was blocked by the mock')
  })
})

function messageOf(act: () => void): string {
  try {
    act()
    return ''
  } catch (error) {
    return (error as Error).message
  }
}
