import { expect, it } from 'vitest'
import { describeEveryAdapter } from '../support/adapters.js'
import { forEachCase } from '../support/cases.js'
import { type ApiResponse, expectError, openClient, readResponse, shop } from '../support/client.js'

const fixtures = shop([{ id: 1 }])

/** A request whose path and headers name sandboxes. */
interface Naming {
  readonly path?: string
  readonly headers?: Readonly<Record<string, string>>
}

// A page cannot set its Cookie header.
const canSendCookies = !('document' in globalThis)

/** The ways that count for every request. */
const explicitWays = (name: string): readonly (readonly [way: string, Naming])[] => [
  ['X-Petstore-Sandbox', { headers: { 'X-Petstore-Sandbox': name } }],
  ['the baggage header', { headers: { baggage: `petstore-sandbox=${name}` } }],
  ['the path', { path: `/sandbox/${name}` }],
]

const inCookie = (name: string): Naming => ({ headers: { cookie: `petstore-sandbox=${name}` } })

const ways = (name: string): readonly (readonly [way: string, Naming])[] => [
  ...explicitWays(name),
  ...(canSendCookies ? [['the cookie', inCookie(name)] as const] : []),
]

const both = (one: Naming, other: Naming): Naming => ({
  path: `${one.path ?? ''}${other.path ?? ''}`,
  headers: { ...one.headers, ...other.headers },
})

describeEveryAdapter('the name of a sandbox', (adapter) => {
  async function open(options = {}) {
    const { mock } = await openClient(adapter, { fixtures, ...options })
    const send = async (method: string, path: string, naming: Naming): Promise<ApiResponse> =>
      readResponse(await mock.fetch((naming.path ?? '') + path, { method, headers: { ...naming.headers } }))
    return { petstore: mock.petstore, send }
  }

  it('can be in the path, the header, baggage and a cookie, which all reach the same sandbox', async () => {
    const { petstore, send } = await open()
    petstore.sandboxes.open('a').data.pets.update(1, { name: 'Only in a' })
    for (const [way, naming] of ways('a')) {
      expect((await send('GET', '/pets/1', naming)).body, way).toMatchObject({ name: 'Only in a' })
    }
    for (const [way, naming] of explicitWays('a')) {
      expect((await send('GET', '/__admin/journal?limit=1', naming)).body, way).toMatchObject({
        entries: [{ path: '/pets/1' }],
      })
    }
    expect(petstore.sandboxes.list()).toMatchObject([{ name: 'a' }])
    expect(petstore.journal.entries()).toEqual([])
    for (const [, naming] of ways('b')) {
      expect((await send('GET', '/pets/1', naming)).body).toMatchObject({ name: 'Pet 1' })
    }
  })

  it('is rejected when two ways disagree', async () => {
    const { petstore, send } = await open()
    const pairs = explicitWays('a').flatMap(([way, naming], index) =>
      explicitWays('b')
        .slice(index + 1)
        .map(([otherWay, other]) => ({
          naming: both(naming, other),
          message: `${way} names "a" and ${otherWay} names "b"`,
        })),
    )
    expect(pairs).toHaveLength(3)
    for (const { naming, message } of pairs) {
      expectError(await send('GET', '/pets/1', naming), 400, 'INVALID_REQUEST', message)
      expectError(await send('POST', '/__admin/reset', naming), 400, 'INVALID_REQUEST', 'Name one sandbox.')
    }
    expect(petstore.sandboxes.list()).toEqual([])
  })

  // A server on another port of the same host may have set the cookie, and browsers send it whatever a page means.
  it.skipIf(!canSendCookies)('in a cookie counts only if nothing else names one', async () => {
    const { petstore, send } = await open()
    petstore.data.pets.update(1, { name: 'Only in the root' })
    petstore.sandboxes.open('a').data.pets.update(1, { name: 'Only in a' })
    for (const cookie of ['planted', 'not valid', 'planted; petstore-sandbox=planted-too']) {
      for (const [way, naming] of explicitWays('a')) {
        const response = await send('GET', '/pets/1', both(naming, inCookie(cookie)))
        expect(response.body, `${way}, cookie ${cookie}`).toMatchObject({ name: 'Only in a' })
      }
      const root = both({ headers: { 'X-Petstore-Sandbox': '/' } }, inCookie(cookie))
      expect((await send('GET', '/pets/1', root)).body).toMatchObject({ name: 'Only in the root' })
    }
    expect(petstore.sandboxes.list()).toMatchObject([{ name: 'a' }])
  })

  it.skipIf(!canSendCookies)('in a cookie does not count for the admin API', async () => {
    const { petstore, send } = await open()
    petstore.data.pets.update(1, { name: 'Only in the root' })
    for (const cookie of ['planted', 'not valid']) {
      expect((await send('GET', '/__admin/data/pets/1', inCookie(cookie))).body).toMatchObject({
        name: 'Only in the root',
      })
    }
    expect((await send('POST', '/__admin/reset', inCookie('planted'))).status).toBe(204)
    expect(petstore.data.pets.find(1)).toMatchObject({ name: 'Pet 1' })
    expect(petstore.sandboxes.list()).toEqual([])
  })

  it('is / for the root, in the header only', async () => {
    const { petstore, send } = await open()
    const root = { headers: { 'X-Petstore-Sandbox': '/' } }
    expect((await send('GET', '/pets/1', root)).status).toBe(200)
    expectError(await send('GET', '/pets/1', both(root, { path: '/sandbox/a' })), 400, 'INVALID_REQUEST', /"\/".*"a"/)
    const baggage = { headers: { baggage: 'petstore-sandbox=/' } }
    expectError(await send('GET', '/pets/1', baggage), 400, 'INVALID_REQUEST', 'must be 1 to 64 letters')
    expect(petstore.journal.total).toBe(1)
    expect(petstore.sandboxes.list()).toEqual([])
  })

  it.skipIf(!canSendCookies)('that is invalid in a cookie is explained', async () => {
    const { send } = await open()
    const message =
      'Browsers send a cookie to every port of a host: if another server has set it, delete petstore-sandbox.'
    expectError(await send('GET', '/pets/1', inCookie('not valid')), 400, 'INVALID_REQUEST', message)
  })

  it.each(ways('a').map(([way]) => way))('must be valid in %s', async (way) => {
    const { petstore, send } = await open()
    await forEachCase(['', '.', '..', 'a b', '%C3%A4', '%zz', 'a~b', 'x'.repeat(65)], async (name) => {
      const naming = ways(name).find(([each]) => each === way)?.[1] ?? {}
      // A URL is resolved before it is sent.
      if (way === 'the path' && /^\.*$/.test(name)) return
      const response = await send('GET', '/pets/1', naming)
      expectError(response, 400, 'INVALID_REQUEST', new RegExp(`${way} must be 1 to 64 letters`))
    })
    expect(petstore.sandboxes.list()).toEqual([])
  })

  it.each([
    ['with properties', 'petstore-sandbox=a;ttl=1;secret, other=1;petstore-sandbox=b'],
    ['percent-encoded', 'x=%zz,petstore-sandbox=%61'],
    ['beside malformed members', ',,=,;,petstore-sandbox,petstore-sandbox=a,x;y,"'],
    ['beside similar keys', 'my-petstore-sandbox=b,petstore-sandbox2=c,Petstore-Sandbox=d,petstore-sandbox=a'],
    ['twice', 'petstore-sandbox=a,petstore-sandbox=a'],
  ])('is found in baggage %s', async (_, baggage) => {
    const { petstore, send } = await open()
    expect((await send('GET', '/pets/1', { headers: { baggage } })).status).toBe(200)
    expect(petstore.sandboxes.list()).toMatchObject([{ name: 'a' }])
  })

  it.each(['userId=alice', 'x=petstore-sandbox=a', 'x=1;petstore-sandbox=a', 'petstore-sandbox', ''])(
    'is not found in baggage "%s"',
    async (baggage) => {
      const { petstore, send } = await open()
      expect((await send('GET', '/pets/1', { headers: { baggage } })).status).toBe(200)
      expect(petstore.sandboxes.list()).toEqual([])
      expect(petstore.journal.total).toBe(1)
    },
  )

  it('is rejected when baggage names two sandboxes', async () => {
    const { send } = await open()
    const baggage = 'petstore-sandbox=a,petstore-sandbox=b'
    expectError(await send('GET', '/pets/1', { headers: { baggage } }), 400, 'INVALID_REQUEST', /"a".*"b"/)
  })

  it.skipIf(!canSendCookies).each([
    ['after others', 'session=1; theme="dark"; petstore-sandbox=a', 'a'],
    ['before others', 'petstore-sandbox=a;session=petstore-sandbox=b', 'a'],
    ['as a part of others only', 'x-petstore-sandbox=b; x=petstore-sandbox=c; petstore-sandbox', undefined],
  ])('is found in a Cookie header %s', async (_, cookie, name) => {
    const { petstore, send } = await open()
    expect((await send('GET', '/pets/1', { headers: { cookie } })).status).toBe(200)
    expect(petstore.sandboxes.list().map((each) => each.name)).toEqual([name].flatMap((each) => each ?? []))
  })

  it('is required by requireSandbox, in any way', async () => {
    const { petstore, send } = await open({ requireSandbox: true })
    for (const [way, naming] of ways('a')) expect((await send('GET', '/pets/1', naming)).status, way).toBe(200)
    const root = await send('DELETE', '/pets/1', { headers: { 'X-Petstore-Sandbox': '/' } })
    expectError(root, 400, 'SANDBOX_REQUIRED')
    const without = await send('DELETE', '/pets/1', { headers: { baggage: 'x=1' } })
    expectError(without, 400, 'SANDBOX_REQUIRED', /^DELETE "\/pets\/1" does not name a sandbox, /)
    const { message } = without.body as { message: string }
    for (const way of ['X-Petstore-Sandbox', '/sandbox/<name>', 'baggage', 'cookie']) expect(message).toContain(way)
    expect(petstore.data.pets.find(1)).toBeDefined()
  })
})
