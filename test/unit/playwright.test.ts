import type { BrowserContext, Route } from '@playwright/test'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { createPetstore } from '../../src/index.js'
import { expect as expectInPlaywright } from '../../src/runners/playwright/expect.js'
import { createToMock, rejectWholeApplication, routePages } from '../../src/runners/playwright/route.js'
import { connect, type PetstoreClient } from '../../src/tools/client/index.js'

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

describe('the address in the mock', () => {
  const toMockFrom = (baseUrl: string) => createToMock(baseUrl, { url: 'http://127.0.0.1:4010/', sandbox: 'a' })

  it.each(['http://api.example/v1', 'http://api.example:80/v1/', 'HTTP://API.example/v1'])(
    'is found for %s',
    (base) => {
      const toMock = toMockFrom(base)
      expect(toMock('http://api.example/v1/pets?limit=1')).toBe('http://127.0.0.1:4010/@a:3/v1/pets?limit=1')
      expect(toMock('http://api.example/v1')).toBe('http://127.0.0.1:4010/@a:3/v1')
      expect(toMock('http://api.example/v10/pets')).toBeUndefined()
    },
  )

  it.each(['localhost', '127.0.0.1', '[::1]'])('is the same for every loopback name if the API is at %s', (host) => {
    const toMock = toMockFrom(`http://${host}:4010/`)
    for (const name of ['localhost', '127.0.0.1', '[::1]']) {
      expect(toMock(`http://${name}:4010/pets`)).toBe('http://127.0.0.1:4010/@a:0/pets')
      // After a redirect.
      expect(toMock(`http://${name}:4010/@a:0/pets`)).toBe('http://127.0.0.1:4010/@a:0/pets')
    }
    expect(toMock('http://localhost:4011/pets')).toBeUndefined()
  })

  it('is below the path of one of several services', () => {
    const mock = { url: 'http://127.0.0.1:4010/shop', sandbox: 'a' }
    const toMock = createToMock('http://api.example/v1', mock, 'baseUrl')
    expect(toMock('http://api.example/v1/orders')).toBe('http://127.0.0.1:4010/shop/@a:3/v1/orders')
    const toSame = createToMock('http://127.0.0.1:4010/shop', mock)
    expect(toSame('http://127.0.0.1:4010/shop/orders')).toBe('http://127.0.0.1:4010/shop/@a:5/shop/orders')
    expect(toSame('http://127.0.0.1:4010/shop/@a:5/shop/orders')).toBe('http://127.0.0.1:4010/shop/@a:5/shop/orders')
    expect(toSame('http://127.0.0.1:4010/billing/invoices')).toBeUndefined()
  })

  it.each(['api.example', '/api'])('cannot be found for the base URL %s', (base) => {
    expect(() => toMockFrom(base)).toThrow('Option "petstoreBaseUrl" must be an address')
  })
})

describe('petstoreBaseUrl', () => {
  const reject = (baseUrl: string, appUrl?: string) => () =>
    rejectWholeApplication({ baseUrl, option: 'petstoreBaseUrl', url: 'http://127.0.0.1:4010' }, appUrl)

  it.each(['http://localhost:4173', 'http://127.0.0.1:4173/'])('cannot be that of the application: %s', (baseUrl) => {
    expect(reject(baseUrl, 'http://localhost:4173/')).toThrow(
      'such as http://localhost:4173/api: the application itself is at http://localhost:4173/',
    )
  })

  it.each([
    ['a path of the application', 'http://localhost:4173/api', 'http://localhost:4173/'],
    ['another address', 'https://api.petstore.example', 'http://localhost:4173/'],
    ['that of the mock, whose own pages are tested', 'http://localhost:4010', 'http://localhost:4010/'],
    ['any, if the address of the application is unknown', 'http://localhost:4173', undefined],
  ])('can be %s', (_, baseUrl, appUrl) => expect(reject(baseUrl, appUrl)).not.toThrow())
})

it('pages are routed without a change to their headers, which Playwright would repeat after a redirect', async () => {
  const route = vi.fn<(isMocked: (url: URL) => boolean, handle: (route: Route) => Promise<void>) => Promise<void>>()
  const toMock = createToMock('http://api.example', { url: 'http://127.0.0.1:4010', sandbox: 'a' })
  await routePages({ route } as unknown as BrowserContext, toMock)
  const [isMocked, handle] = route.mock.calls[0] ?? []
  expect(isMocked?.(new URL('http://other.example/pets'))).toBe(false)
  expect(isMocked?.(new URL('http://api.example/pets'))).toBe(true)
  const next = vi.fn<(options: object) => void>()
  await handle?.({ request: () => ({ url: () => 'http://api.example/pets' }), continue: next } as never)
  expect(next.mock.calls).toEqual([[{ url: 'http://127.0.0.1:4010/@a:0/pets' }]])
})
