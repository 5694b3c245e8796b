import { describe, expect, it } from 'vitest'
import { createPetstore } from '../../src/index.js'
import { parseJson } from '../../src/lib/json.js'
import type { Fixture } from '../../src/petstore/fixtures/format.js'
import { formatFixture } from '../../src/petstore/fixtures/write.js'
import { PullError } from '../../src/remote/pull/pull-error.js'
import { type Pulled, type PullOptions, pullService } from '../../src/remote/pull/pull-service.js'
import type { Fetch } from '../../src/remote/send-request.js'

const BASE = 'https://pets.example/api'
const MAX_BYTES = 64 * 1024 * 1024

function pull(fetch: Fetch, options: Partial<PullOptions> = {}): Promise<Pulled> {
  return pullService({ baseUrl: BASE, fetch, headers: [], timeoutMs: 60_000, maxBytes: MAX_BYTES, ...options })
}

/** The data after loading what was pulled, without the next ids, which no list shows. */
async function load(fixture: Fixture) {
  const fixtures = parseJson(formatFixture(fixture)) as Fixture
  const petstore = createPetstore({ fixtures })
  await petstore.ready
  const { nextIds, ...data } = petstore.exportState()
  return data
}

async function dataOf(petstore: ReturnType<typeof createPetstore>) {
  await petstore.ready
  const { nextIds, ...data } = petstore.exportState()
  return data
}

const PETS = Array.from({ length: 250 }, (_, index) => ({ id: index + 1, name: `Pet ${index + 1}`, categoryId: 1 }))
const DATA: Readonly<Record<string, readonly unknown[]>> = {
  '/categories': [{ id: 1, name: 'Dogs' }],
  '/pets': PETS,
  '/store/inventory': [],
  '/store/orders': [],
}

interface PageRequest {
  readonly url: URL
  readonly path: string
  readonly offset: number
  readonly limit: number
  /** How many requests for the list came before. */
  readonly index: number
  readonly items: readonly unknown[]
}

type Respond = (request: PageRequest) => Response | Promise<Response>

const json = (value: unknown, headers: Record<string, string> = {}, status = 200): Response =>
  new Response(JSON.stringify(value), { status, headers: { 'Content-Type': 'application/json', ...headers } })

/** Pages by offset, without a header that says so. */
const honest: Respond = ({ items, offset, limit }) => json(items.slice(offset, offset + limit))

/** A service of which one list responds in its own way. */
function createService(lists: Readonly<Record<string, Respond>>, data = DATA) {
  const requests: Request[] = []
  const counts = new Map<string, number>()
  const fetch: Fetch = async (address, init) => {
    requests.push(new Request(address, { ...init, signal: null }))
    const url = new URL(address)
    const path = url.pathname.replace('/api', '')
    const index = counts.get(path) ?? 0
    counts.set(path, index + 1)
    const { offset, limit } = Object.fromEntries(url.searchParams)
    const request = { url, path, index, offset: Number(offset), limit: Number(limit), items: data[path] ?? [] }
    return (lists[path] ?? honest)(request)
  }
  return { fetch, requests }
}

describe('pull', () => {
  it('copies 10,000 pets of a mock, with their stock and orders', async () => {
    const petstore = createPetstore({ pets: 10_000, orders: 2000, seed: 7 })
    const { fixture, omissions, notes } = await pull((url, init) => petstore.fetch(url.replace('/api', ''), init))
    expect(fixture.pets).toHaveLength(10_000)
    expect(notes).toEqual([])
    expect(Object.values(omissions).map(({ count, fields }) => [count, fields.size])).toEqual(Array(4).fill([0, 0]))
    expect(await load(fixture)).toEqual(await dataOf(petstore))
  })

  it.each(['empty', 'single', 'edge-cases', 'big-ids', 'busy', 'sold-out'] as const)(
    'copies the scenario %s exactly',
    async (scenario) => {
      const petstore = createPetstore({ scenario })
      const { fixture } = await pull((url, init) => petstore.fetch(url.replace('/api', '/sandbox/a'), init))
      expect(await load(fixture)).toEqual(await dataOf(petstore))
    },
  )

  it('sends nothing but GET, with the headers of the user', async () => {
    const { fetch, requests } = createService({})
    await pull(fetch, { headers: [['Authorization', 'Bearer secret']] })
    expect(requests.length).toBeGreaterThan(4)
    for (const { method, url, headers, redirect } of requests) {
      expect({ method, redirect }).toEqual({ method: 'GET', redirect: 'manual' })
      expect(url.startsWith(`${BASE}/`)).toBe(true)
      expect([headers.get('Authorization'), headers.get('Accept')]).toEqual(['Bearer secret', 'application/json'])
    }
  })

  it('sends the user’s own Accept instead of its own', async () => {
    const { fetch, requests } = createService({})
    await pull(fetch, { headers: [['accept', 'application/vnd.pets+json']] })
    expect(new Set(requests.map(({ headers }) => headers.get('Accept')))).toEqual(
      new Set(['application/vnd.pets+json']),
    )
  })

  it('reports after each page how far it is', async () => {
    const petstore = createPetstore({ pets: 150, orders: 0, categories: 2 })
    const pages: unknown[] = []
    await pull((url, init) => petstore.fetch(url.replace('/api', ''), init), { onPage: (...page) => pages.push(page) })
    expect(pages).toEqual([
      ['categories', 2, 2],
      ['pets', 100, 150],
      ['pets', 150, 150],
      ['inventory', 100, 150],
      ['inventory', 150, 150],
      ['orders', 0, 0],
    ])
  })

  it('stops at the limit', async () => {
    const { fetch, requests } = createService({})
    const { fixture } = await pull(fetch, { limit: 130 })
    expect(fixture.pets.map(({ id }) => id)).toEqual(PETS.slice(0, 130).map(({ id }) => id))
    expect(requests.filter(({ url }) => url.includes('/api/pets'))).toHaveLength(2)
    const few = createService({})
    expect((await pull(few.fetch, { limit: 7 })).fixture.pets).toHaveLength(7)
    expect(few.requests.map(({ url }) => url)).toContain(`${BASE}/pets?limit=7&offset=0`)
  })

  it('stops when the signal aborts', async () => {
    const controller = new AbortController()
    const { fetch } = createService({})
    const pulled = pull(fetch, { signal: controller.signal, onPage: () => controller.abort() })
    await expect(pulled).rejects.toThrow(new PullError(`GET ${BASE}/categories: the run was stopped`))
  })
})

describe('a service that pages in its own way', () => {
  const link = (target: string, relation = 'next') => ({ Link: `<${target}>; rel="${relation}"` })
  const start = ({ url }: PageRequest) => Number(url.searchParams.get('cursor') ?? 0)

  it.each<[string, Respond]>([
    ['offset and nothing else', honest],
    ['pages that are smaller than requested', ({ items, offset }) => json(items.slice(offset, offset + 30))],
    ['a total', ({ items, offset, limit }) => json(items.slice(offset, offset + limit), { 'X-Total-Count': '250' })],
    [
      'cursors in links',
      (request) => {
        const at = start(request)
        const headers = at + 90 < 250 ? link(`?cursor=${at + 90}`) : link('?cursor=0', 'first')
        return json(request.items.slice(at, at + 90), headers)
      },
    ],
    [
      'absolute links',
      (request) => {
        const at = start(request)
        return json(request.items.slice(at, at + 100), at < 200 ? link(`${BASE}/pets?cursor=${at + 100}`) : {})
      },
    ],
    [
      'links with another scheme and port, as behind a proxy',
      (request) => {
        const at = start(request)
        const target = `http://pets.example:8080/pets?cursor=${at + 100}`
        return json(request.items.slice(at, at + 100), at < 200 ? link(target) : {})
      },
    ],
    ['no pages at all', ({ items }) => json(items)],
  ])('is read to the end: %s', async (_, respond) => {
    const { fetch } = createService({ '/pets': respond })
    const { fixture, omissions } = await pull(fetch)
    expect(fixture.pets).toEqual(PETS)
    expect(omissions.pets.count).toBe(0)
  })

  it.each<[string, Respond]>([
    ['pages', ({ items, offset, limit }) => json(items.slice(offset, offset + limit), { 'X-Total-Count': '100' })],
    ['no pages at all', ({ items }) => json(items, { 'X-Total-Count': '100' })],
  ])('is read to the end if it has as many records as a page: %s', async (_, respond) => {
    const { fetch } = createService({ '/pets': respond }, { ...DATA, '/pets': PETS.slice(0, 100) })
    expect((await pull(fetch)).fixture.pets).toEqual(PETS.slice(0, 100))
  })

  it('may have no list of inventory entries or orders', async () => {
    const missing: Respond = () => json({}, {}, 404)
    const { fetch } = createService({ '/store/inventory': missing, '/store/orders': missing })
    const { fixture, notes } = await pull(fetch)
    expect(fixture).toMatchObject({ pets: PETS, inventory: [], orders: [] })
    expect(notes).toEqual([
      'The inventory entries are missing: GET /store/inventory returned 404.',
      'The orders are missing: GET /store/orders returned 404.',
    ])
    const orders = Array.from({ length: 150 }, (_, index) => ({ id: index, complete: true }))
    const half: Respond = (request) => (request.index > 0 ? missing(request) : honest(request))
    const broken = createService({ '/store/orders': half }, { ...DATA, '/store/orders': orders })
    await expect(pull(broken.fetch)).rejects.toThrow(new PullError('GET /store/orders returned 404'))
  })

  it.each<[string, Respond, RegExp]>([
    [
      'the same page again',
      ({ items }) => json(items.slice(0, 100)),
      /^GET \/pets returned contradictory pages: no new records on page 2$/,
    ],
    [
      'the same page again, with a total',
      ({ items }) => json(items.slice(0, 30), { 'X-Total-Count': '250' }),
      /no new records on page 2$/,
    ],
    [
      'a next link to the same page',
      ({ items, url }) => json(items.slice(0, 100), link(url.search)),
      /an earlier page is the next one on page 2$/,
    ],
    [
      'next links in a circle',
      (request) => {
        const at = start(request)
        return json(request.items.slice(at, at + 50), link(`?cursor=${(at + 50) % 150}`))
      },
      /no new records on page 4$/,
    ],
    [
      'cursors that never end',
      ({ items, index }) => json(items.slice(0, 10), link(`?cursor=${index}`)),
      /no new records on page 2$/,
    ],
    [
      'empty pages that never end',
      ({ index }) => json([], link(`?cursor=${index}`)),
      /an empty page has a next one on page 1$/,
    ],
    [
      'a total that changes',
      ({ items, offset, limit, index }) =>
        json(items.slice(offset, offset + limit), { 'X-Total-Count': String(250 + index) }),
      /X-Total-Count changed from 250 to 251 on page 2$/,
    ],
    [
      'a total that is too small',
      ({ items }) => json(items.slice(0, 100), { 'X-Total-Count': '99' }),
      /more records than the 99 of X-Total-Count on page 1$/,
    ],
    [
      'a total of the page',
      ({ items, offset, limit }) => json(items.slice(offset, offset + limit), { 'X-Total-Count': String(limit) }),
      /more records than the 100 of X-Total-Count on page 2$/,
    ],
    [
      'a total that is too large',
      ({ items, offset, limit }) => json(items.slice(offset, offset + limit), { 'X-Total-Count': '300' }),
      /the list ends after 250 of 300 records on page 4$/,
    ],
    [
      'a link to another host',
      ({ items }) => json(items.slice(0, 100), link('https://evil.example/pets?token=1')),
      /^GET \/pets names https:\/\/evil\.example\/pets as its next page, which is not the same list$/,
    ],
    [
      'a link to another path',
      ({ items }) => json(items.slice(0, 100), link('/api/users?offset=100')),
      /names https:\/\/pets\.example\/api\/users as its next page/,
    ],
    ['a link that is none', ({ items }) => json(items, link('http://[')), /names an invalid address as its next page/],
    [
      'more records than a file can hold',
      ({ offset }) =>
        json(
          Array.from({ length: 100 }, (_, index) => ({ id: offset + index, name: 'x'.repeat(10_000), categoryId: 1 })),
        ),
      /^The records exceed 3000000 bytes, the maximum size of a fixture file$/,
    ],
    [
      'a redirect',
      () => new Response(null, { status: 302, headers: { Location: 'https://evil.example/login?next=1' } }),
      /^GET \/pets returned 302, a redirect to https:\/\/evil\.example\/login; redirects are not followed$/,
    ],
    [
      'a page of HTML',
      () => new Response('<html>', { headers: { 'Content-Type': 'text/html; charset=utf-8' } }),
      /^GET \/pets returned 200 with text\/html that is not JSON$/,
    ],
    ['an empty body', () => new Response(''), /returned 200 with .+ that is not JSON$/],
    ['an object', () => json({ items: [] }), /^GET \/pets returned 200 with JSON that is not a list$/],
    ['null', () => json(null), /JSON that is not a list$/],
    ['401', () => json({}, {}, 401), /^GET \/pets returned 401; if it needs credentials, send them with --header/],
    ['404', () => json({}, {}, 404), /^GET \/pets returned 404; is the base URL right, including its path\?$/],
    ['500', () => json({}, {}, 500), /^GET \/pets returned 500$/],
    ['a code', () => json({ code: 'MAINTENANCE' }, {}, 503), /^GET \/pets returned 503 MAINTENANCE$/],
    [
      '421',
      () => json({}, {}, 421),
      /^GET \/pets returned 421; it does not accept this host name; a petstore-mock does/,
    ],
    [
      '500 in the middle',
      (request) => (request.index === 1 ? json({}, {}, 503) : honest(request)),
      /^GET \/pets returned 503$/,
    ],
    [
      'a huge response',
      () => new Response(new ReadableStream({ pull: (stream) => stream.enqueue(new Uint8Array(4_000_000)) })),
      /^GET https:\/\/pets\.example\/api\/pets: the response exceeds 16777216 bytes$/,
    ],
    [
      'a connection that is refused',
      () => Promise.reject(new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } })),
      /^GET https:\/\/pets\.example\/api\/pets: connection refused$/,
    ],
    [
      'an untrusted certificate',
      () => Promise.reject(new TypeError('fetch failed', { cause: { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' } })),
      /pets: its certificate is not trusted; name the certificate that signed it with --ca <file>$/,
    ],
  ])('ends the run with one message: %s', async (_, respond, message) => {
    const { fetch, requests } = createService({ '/pets': respond })
    const error = await pull(fetch, { maxBytes: 3_000_000 }).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(PullError)
    expect((error as PullError).message).toMatch(message)
    expect((error as PullError).message).not.toContain('\n')
    for (const { url } of requests) expect(new URL(url).origin).toBe('https://pets.example')
  })

  it('is given up after the timeout', async () => {
    const fetch: Fetch = (_, { signal }) =>
      new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
    await expect(pull(fetch, { timeoutMs: 1 })).rejects.toThrow(`GET ${BASE}/categories: no response within 1 ms`)
  })
})

describe('a record that cannot be kept', () => {
  const CATEGORY = { id: 1, name: 'Dogs' }

  async function pullData(data: Record<string, readonly unknown[]>) {
    const service = createService({}, { ...DATA, '/pets': [], ...data })
    const { fixture, omissions } = await pull(service.fetch)
    await load(fixture)
    return { fixture, omissions }
  }

  it('loses fields that the OpenAPI document does not have, wherever they are', async () => {
    const { fixture, omissions } = await pullData({
      '/categories': [{ ...CATEGORY, description: null, owner: 'secret', __v: 1 }],
      '/pets': [JSON.parse('{"id":1,"name":"Rex","categoryId":1,"__proto__":{"a":1},"tags":[],"constructor":2}')],
      '/store/orders': [{ id: 1, complete: true, customer: { name: 'secret' } }],
    })
    expect(fixture).toEqual({
      categories: [CATEGORY],
      pets: [{ id: 1, name: 'Rex', categoryId: 1 }],
      inventory: [],
      orders: [{ id: 1, complete: true }],
    })
    expect(Object.values(omissions).map(({ fields }) => [...fields])).toEqual([
      ['owner', '__v'],
      ['__proto__', 'tags', 'constructor'],
      [],
      ['customer'],
    ])
    expect(JSON.stringify(fixture)).not.toContain('secret')
  })

  const REX = { id: 1, name: 'Rex', categoryId: 1, status: 'available' }
  const ADA = { id: 2, name: 'Ada', categoryId: 1, status: 'sold' }

  it.each<[string, string, unknown, string]>([
    [
      'violates its schema',
      '/pets',
      { ...REX, id: 3, status: 'secret' },
      'pet 3: /status must be one of available, pending, sold',
    ],
    ['lacks a field', '/pets', { id: 3, categoryId: 1 }, 'pet 3: /name is missing'],
    ['has an id that is a text', '/pets', { ...REX, id: '3' }, 'pet 3: /id must be a 64-bit integer'],
    ['has no id', '/store/orders', { petId: 1 }, 'order without a valid id: /id is missing'],
    ['is not an object', '/pets', 'secret', 'pet without a valid id: it must be an object'],
    ['repeats an id', '/pets', { ...REX, name: 'secret' }, 'pet 1: its id was read before'],
    [
      'has no category',
      '/pets',
      { ...REX, id: 3, categoryId: 9 },
      'pet 3: /categoryId refers to category 9, which is not in the fixture',
    ],
    [
      'is an order of a missing pet',
      '/store/orders',
      { id: 5, petId: 9 },
      'order 5: /petId refers to pet 9, which is not in the fixture',
    ],
    [
      'is an open order of a sold pet',
      '/store/orders',
      { id: 5, petId: 2 },
      'order 5: /petId refers to pet 2, which is sold',
    ],
    [
      'is an order of nothing',
      '/store/orders',
      { id: 5, quantity: 0 },
      'order 5: /quantity must be 1 or more, but is 0',
    ],
    [
      'is the stock of a missing pet',
      '/store/inventory',
      { petId: 9, quantity: 1, status: 'sold' },
      'inventory entry 9: /petId refers to pet 9, which is not in the fixture',
    ],
    [
      'is the stock of a sold pet',
      '/store/inventory',
      { petId: 2, quantity: 3, status: 'sold' },
      'inventory entry 2: /quantity is 3, but pet 2 is sold',
    ],
    [
      'has another status than its pet',
      '/store/inventory',
      { petId: 1, quantity: 3, status: 'pending' },
      'inventory entry 1: /status is pending, but pet 1 is available',
    ],
  ])('is left out, with the reason, if it %s', async (_, path, item, reason) => {
    const base: Record<string, unknown[]> = {
      '/categories': [CATEGORY],
      '/pets': [REX, ADA],
      '/store/inventory': [],
      '/store/orders': [],
    }
    const { fixture, omissions } = await pullData({ ...base, [path]: [...(base[path] ?? []), item] })
    expect(fixture).toEqual({ categories: [CATEGORY], pets: [REX, ADA], inventory: [], orders: [] })
    const examples = Object.values(omissions).flatMap((each) => each.examples)
    expect(examples).toEqual([reason])
    expect(examples.join()).not.toContain('secret')
  })

  it('is left out with all others of its kind: open orders of a sold pet', async () => {
    const orders = Array.from({ length: 3 }, (_, index) => ({ id: index + 1, petId: 2 }))
    const { omissions } = await pullData({ '/categories': [CATEGORY], '/pets': [ADA], '/store/orders': orders })
    expect(omissions.orders.count).toBe(3)
  })

  it('is left out if it is nested deeply', async () => {
    const name = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
    const { fetch } = createService({
      '/pets': ({ index }) => new Response(index > 0 ? '[]' : `[{"id":3,"name":${name}}]`),
    })
    const { omissions } = await pull(fetch)
    expect(omissions.pets.examples).toEqual(['pet 3: /categoryId is missing'])
  })

  it('takes the records with it that refer to it, and is counted once', async () => {
    const { fixture, omissions } = await pullData({
      '/categories': [CATEGORY],
      '/pets': [REX, { ...REX, id: 3, categoryId: 9 }],
      '/store/inventory': [{ petId: 3, quantity: -1, status: 'sold' }],
      '/store/orders': Array.from({ length: 500 }, (_, index) => ({ id: index + 1, petId: 3 })),
    })
    expect(fixture).toEqual({ categories: [CATEGORY], pets: [REX], inventory: [], orders: [] })
    expect(Object.values(omissions).map(({ count, examples }) => [count, examples.length])).toEqual([
      [0, 0],
      [1, 1],
      [1, 1],
      [500, 3],
    ])
  })
})
