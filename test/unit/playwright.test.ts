import type { BrowserContext, Route } from '@playwright/test'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { createPetstore } from '../../src/index.js'
import { expect as expectInPlaywright } from '../../src/playwright/expect.js'
import { sendToSandbox } from '../../src/playwright/route.js'
import { connect, type PetstoreClient } from '../../src/remote/client/index.js'

describe("Playwright's matchers", () => {
  let client: PetstoreClient
  /** The same matchers, which do not wait. */
  const expectNow = expectInPlaywright.configure({ timeout: 0 }) as typeof expectInPlaywright

  beforeEach(async () => {
    client = connect('http://localhost', { fetch: createPetstore({ scenario: 'single' }).fetch })
    await client.fetch('/pets', { headers: { Authorization: 'Bearer abc', 'X-Client': 'shop' } })
  })

  it('compare headers that the journal hides', async () => {
    const expectHeaders = (headers: Record<string, string | RegExp>) => ({ headers })
    await expectNow(client).toHaveReceived(
      'listPets',
      expectHeaders({ Authorization: 'Bearer abc', 'x-client': 'shop' }),
    )
    await expectNow(client).toHaveReceivedTimes('listPets', 1, expectHeaders({ authorization: /^Bearer/ }))
    await expectNow(client).not.toHaveReceived('listPets', expectHeaders({ authorization: 'Bearer other' }))
    await expectNow(client).not.toHaveReceived(
      'listPets',
      expectHeaders({ Authorization: 'Bearer abc', 'x-client': 'x' }),
    )
    await expect(async () =>
      expectNow(client).toHaveReceived('listPets', expectHeaders({ authorization: 'Bearer other' })),
    ).rejects.toThrow('#1 listPets: GET /pets')
  })

  it('reject a matcher for a header that the journal hides', async () => {
    const expected = { headers: { authorization: expectInPlaywright.any(String) } }
    await expect(async () => expectNow(client).toHaveReceived('listPets', expected)).rejects.toThrow(
      'hides the header "authorization"',
    )
  })

  it('read the whole journal once', async () => {
    const entries = vi.spyOn(client.journal, 'entries')
    const expectation = expectInPlaywright(client).toHaveReceivedTimes('listPets', 2)
    await expect.poll(() => entries.mock.calls.length).toBeGreaterThan(2)
    await client.fetch('/pets')
    await expectation
    expect(entries.mock.calls.filter(([filter]) => filter === undefined)).toHaveLength(1)
  })

  it('have the types of the OpenAPI document', () => {
    const check = (_: () => unknown) => {}
    check(() => expectNow(client).toHaveReceived('createPet', { body: { name: /Rex/ } }))
    check(() => expectNow(client).toHaveReceived('createPet', { body: expectNow.objectContaining({ name: 'Rex' }) }))
    check(() => expectNow(client).toHaveReceived('createPet', { body: { name: expectNow.any(String) } }))
    // @ts-expect-error a misspelled property
    check(() => expectNow(client).toHaveReceived('createPet', { body: { nme: 'Rex' } }))
  })
})

interface RoutedRequest {
  url: string
  headers: Record<string, string>
}

describe('sendToSandbox', () => {
  const MOCK = { url: 'http://127.0.0.1:4010', sandbox: 'a' }

  /** What a page's request becomes; undefined if it is not routed. */
  async function routeFrom(baseUrl: string, url: string): Promise<RoutedRequest | undefined> {
    const route = vi.fn<(isMocked: (url: URL) => boolean, handle: (route: Route) => Promise<void>) => Promise<void>>()
    await sendToSandbox({ route } as unknown as BrowserContext, baseUrl, MOCK)
    const [isMocked, handle] = route.mock.calls[0] ?? []
    if (!isMocked?.(new URL(url))) return undefined
    const next = vi.fn<(options: RoutedRequest) => void>()
    await handle?.({ request: () => ({ url: () => url, allHeaders: () => ({}) }), continue: next } as never)
    return next.mock.calls[0]?.[0]
  }

  it.each(['http://api.example/v1', 'http://api.example:80/v1/', 'HTTP://API.example/v1'])(
    'routes %s',
    async (base) => {
      const headers = { 'x-petstore-sandbox': 'a', 'x-forwarded-prefix': '/v1' }
      const url = 'http://127.0.0.1:4010/pets?limit=1'
      expect(await routeFrom(base, 'http://api.example/v1/pets?limit=1')).toEqual({ url, headers })
      expect(await routeFrom(base, 'http://api.example/v1')).toEqual({ url: 'http://127.0.0.1:4010', headers })
      expect(await routeFrom(base, 'http://api.example/v10/pets')).toBeUndefined()
    },
  )

  it.each(['localhost', '127.0.0.1', '[::1]'])(
    'routes requests by every loopback name for a mock at %s',
    async (host) => {
      for (const name of ['localhost', '127.0.0.1', '[::1]']) {
        const routed = await routeFrom(`http://${host}:4010/`, `http://${name}:4010/pets`)
        expect(routed).toEqual({ url: 'http://127.0.0.1:4010/pets', headers: { 'x-petstore-sandbox': 'a' } })
      }
      expect(await routeFrom(`http://${host}:4010/`, 'http://localhost:4011/pets')).toBeUndefined()
    },
  )

  it.each(['api.example', '/api'])('rejects the base URL %s', async (base) => {
    await expect(routeFrom(base, 'http://api.example/')).rejects.toThrow('Option "petstoreBaseUrl" must be an address')
  })
})
