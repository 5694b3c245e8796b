import { describe, expect, it } from 'vitest'
import { createPetstore, type PetstoreOptions } from '../../src/index.js'
import { parseJson } from '../../src/lib/json.js'
import type { Fixture } from '../../src/petstore/fixtures/format.js'
import { petstoreService as service } from '../../src/petstore/service.js'
import { type PullOptions, pullService } from '../../src/tools/pull/pull-service.js'
import { PullError } from '../../src/tools/pull/require-list.js'
import type { Fetch } from '../../src/tools/server/send-request.js'
import { formatFixture } from '../support/petstore-fixtures.js'

const BASE = 'https://pets.example/sandbox/a'
const MAX_BYTES = 64 * 1024 * 1024

async function pull(fetch: Fetch, options: Partial<PullOptions> = {}) {
  const common = { service, baseUrl: BASE, fetch, headers: [], timeoutMs: 60_000, maxBytes: MAX_BYTES }
  const { fixture, ...rest } = await pullService({ ...common, ...options })
  return { fixture: fixture as unknown as Fixture, ...rest }
}

/** The data of a mock, without the next ids, which no list shows. */
async function dataOf(options: PetstoreOptions) {
  const petstore = createPetstore(options)
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
    const path = url.pathname.replace('/sandbox/a', '')
    const index = counts.get(path) ?? 0
    counts.set(path, index + 1)
    const { offset, limit } = Object.fromEntries(url.searchParams)
    const request = { url, path, index, offset: Number(offset), limit: Number(limit), items: data[path] ?? [] }
    return (lists[path] ?? honest)(request)
  }
  return { fetch, requests }
}

describe('pull', () => {
  it.each<PetstoreOptions>([{ pets: 250, orders: 150, seed: 7 }, { scenario: 'edge-cases' }, { scenario: 'big-ids' }])(
    'copies the data of a mock exactly: %j',
    async (options) => {
      const petstore = createPetstore(options)
      const { fixture, omissions, notes } = await pull((url, init) => petstore.fetch(url, init))
      expect(notes).toEqual([])
      expect(Object.values(omissions).map(({ count, fields }) => [count, fields.size])).toEqual(Array(4).fill([0, 0]))
      expect(await dataOf({ fixtures: parseJson(formatFixture(fixture)) as Fixture })).toEqual(await dataOf(options))
    },
  )

  it('sends nothing but GET, with the headers of the user instead of its own', async () => {
    const { fetch, requests } = createService({})
    await pull(fetch, { headers: [['Authorization', 'Bearer secret']] })
    expect(requests.length).toBeGreaterThan(4)
    for (const { method, url, headers, redirect } of requests) {
      expect({ method, redirect }).toEqual({ method: 'GET', redirect: 'manual' })
      expect(url.startsWith(`${BASE}/`)).toBe(true)
      expect([headers.get('Authorization'), headers.get('Accept')]).toEqual(['Bearer secret', 'application/json'])
    }
    requests.length = 0
    await pull(fetch, { headers: [['accept', 'application/vnd.pets+json']] })
    for (const { headers } of requests) expect(headers.get('Accept')).toBe('application/vnd.pets+json')
  })

  it('stops at the limit', async () => {
    const { fetch, requests } = createService({})
    const { fixture } = await pull(fetch, { limit: 130 })
    expect(fixture.pets.map(({ id }) => id)).toEqual(PETS.slice(0, 130).map(({ id }) => id))
    expect(requests.filter(({ url }) => url.includes('/a/pets'))).toHaveLength(2)
    const few = createService({})
    expect((await pull(few.fetch, { limit: 7 })).fixture.pets).toHaveLength(7)
    expect(few.requests.map(({ url }) => url)).toContain(`${BASE}/pets?limit=7&offset=0`)
  })
})

describe('a service that pages in its own way', () => {
  const link = (target: string, relation = 'next') => ({ Link: `<${target}>; rel="${relation}"` })

  /** A page of 90 records from the cursor in its query, with a link to the next one. */
  const byCursor =
    (toTarget: (cursor: number) => string): Respond =>
    ({ url, items }) => {
      const start = Number(url.searchParams.get('cursor') ?? 0)
      const headers = start + 90 < items.length ? link(toTarget(start + 90)) : link('?cursor=0', 'first')
      return json(items.slice(start, start + 90), headers)
    }

  /** Pages by offset, with a total. */
  const withTotal =
    (total: (request: PageRequest) => number): Respond =>
    (request) =>
      json(request.items.slice(request.offset, request.offset + request.limit), {
        'X-Total-Count': String(total(request)),
      })

  it.each<[string, Respond]>([
    ['offset and nothing else', honest],
    ['pages that are smaller than requested', ({ items, offset }) => json(items.slice(offset, offset + 30))],
    ['a total', withTotal(() => 250)],
    ['cursors in links', byCursor((cursor) => `?cursor=${cursor}`)],
    [
      'links with another scheme, port and path, as behind a proxy',
      byCursor((cursor) => `http://pets.example:8080/pets?cursor=${cursor}`),
    ],
    ['no pages at all', ({ items }) => json(items)],
  ])('is read to the end: %s', async (_, respond) => {
    const { fetch } = createService({ '/pets': respond })
    const { fixture, omissions } = await pull(fetch)
    expect(fixture.pets).toEqual(PETS)
    expect(omissions.pets?.count).toBe(0)
  })

  it.each<[string, Respond]>([
    ['pages', withTotal(() => 100)],
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

  it('may have no list of categories or pets', async () => {
    const missing: Respond = () => json({}, {}, 404)
    const pets = await pull(createService({ '/categories': missing, '/store/orders': missing }).fetch)
    expect(pets.fixture).toMatchObject({ categories: [{ id: 1, name: 'Category 1' }], pets: PETS, orders: [] })
    expect(pets.notes).toStrictEqual([
      'The categories are missing: GET /categories returned 404.',
      'The orders are missing: GET /store/orders returned 404.',
      'The names of 1 category are not known. They are "Category" and the id.',
    ])
    const categories = await pull(createService({ '/pets': missing }).fetch)
    expect(categories.fixture).toMatchObject({ categories: DATA['/categories'], pets: [] })
    expect(categories.notes).toStrictEqual(['The pets are missing: GET /pets returned 404.'])
  })

  it('is not one if it has none of the lists', async () => {
    const { fetch } = createService(
      Object.fromEntries(Object.keys(DATA).map((path) => [path, () => json({}, {}, 404)])),
    )
    const message = 'GET /categories returned 404; is the base URL right, including its path?'
    await expect(pull(fetch)).rejects.toThrow(new PullError(message))
  })

  const contradiction = (problem: string) => `GET /pets returned contradictory pages: ${problem}`
  const returned = (what: string) => `GET /pets returned ${what}`
  const page =
    (headers: Record<string, string> = {}): Respond =>
    ({ items }) =>
      json(items.slice(0, 100), headers)
  const status =
    (code: number, body: object = {}): Respond =>
    () =>
      json(body, {}, code)

  it.each<[string, Respond, string]>([
    ['the same page again', page(), contradiction('no new records on page 2')],
    [
      'a next link to the same page',
      ({ items, url }) => json(items.slice(0, 100), link(url.search)),
      contradiction('an earlier page is the next one on page 2'),
    ],
    [
      'next links in a circle',
      byCursor((cursor) => `?cursor=${cursor % 180}&x=${cursor}`),
      contradiction('no new records on page 3'),
    ],
    [
      'empty pages that never end',
      ({ index }) => json([], link(`?cursor=${index}`)),
      contradiction('an empty page has a next one on page 1'),
    ],
    [
      'a total that changes',
      withTotal(({ index }) => 250 + index),
      contradiction('X-Total-Count changed from 250 to 251 on page 2'),
    ],
    [
      'a total that is too small',
      page({ 'X-Total-Count': '99' }),
      contradiction('more records than the 99 of X-Total-Count on page 1'),
    ],
    [
      'a total that is too large',
      withTotal(() => 300),
      contradiction('the list ends after 250 of 300 records on page 4'),
    ],
    [
      'a link to another host',
      page(link('https://evil.example/pets?token=1')),
      'GET /pets names https://evil.example/pets as its next page, which is not the same list',
    ],
    [
      'a link to another path',
      page(link('/api/users?offset=100')),
      'GET /pets names https://pets.example/api/users as its next page, which is not the same list',
    ],
    [
      'a link that is none',
      page(link('http://[')),
      'GET /pets names an invalid address as its next page, which is not the same list',
    ],
    [
      'more records than a file can hold',
      ({ offset }) =>
        json(PETS.slice(0, 100).map((pet) => ({ ...pet, id: offset + pet.id, name: 'x'.repeat(10_000) }))),
      'The records exceed 3000000 bytes, the maximum size of a fixture file',
    ],
    [
      'a redirect',
      () => new Response(null, { status: 302, headers: { Location: 'https://evil.example/login?next=1' } }),
      returned('302, a redirect to https://evil.example/login; redirects are not followed'),
    ],
    [
      'a page of HTML',
      () => new Response('<html>', { headers: { 'Content-Type': 'text/html; charset=utf-8' } }),
      returned('200 with text/html that is not JSON'),
    ],
    [
      'deep nesting',
      () => new Response(`${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}`),
      returned('200 with a body that is nested deeper than 64 levels'),
    ],
    [
      'millions of values',
      () => new Response(`[${'1,'.repeat(1_000_000)}1,1]`),
      returned('200 with a body that has more than 1000000 values'),
    ],
    ['an object', status(200, { items: [] }), returned('200 with JSON that is not a list')],
    ['401', status(401), returned("401; if it needs credentials, send them with --header 'Authorization: …'")],
    ['500 in the middle', (request) => (request.index === 1 ? status(500)(request) : honest(request)), returned('500')],
    [
      'a huge response',
      () => new Response(new ReadableStream({ pull: (stream) => stream.enqueue(new Uint8Array(4_000_000)) })),
      `GET ${BASE}/pets: the response exceeds 16777216 bytes`,
    ],
  ])('ends the run with one message: %s', async (_, respond, message) => {
    const { fetch, requests } = createService({ '/pets': respond })
    await expect(pull(fetch, { maxBytes: 3_000_000 })).rejects.toThrow(new PullError(message))
    for (const { url } of requests) expect(new URL(url).origin).toBe('https://pets.example')
  })
})

describe('a record that cannot be kept', () => {
  const CATEGORY = { id: 1, name: 'Dogs' }

  async function pullData(data: Record<string, readonly unknown[]>) {
    const service = createService({}, { ...DATA, '/pets': [], ...data })
    const { fixture, omissions } = await pull(service.fetch)
    await dataOf({ fixtures: fixture })
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

  // test/unit/fixture-check.test.ts has all ways in which records contradict each other.
  it.each<[string, string, unknown, string]>([
    [
      'violates its schema',
      '/pets',
      { ...REX, id: 3, status: 'secret' },
      'pet 3: /status must be one of available, pending, sold',
    ],
    ['has no id', '/store/orders', { petId: 1 }, 'order without a valid id: /id is missing'],
    ['repeats an id', '/pets', { ...REX, name: 'secret' }, 'pet 1: its id was read before'],
    [
      'has no category',
      '/pets',
      { ...REX, id: 3, categoryId: 9 },
      'pet 3: /categoryId refers to category 9, which is not in the fixture',
    ],
    [
      'is the stock of a sold pet',
      '/store/inventory',
      { petId: 2, quantity: 3, status: 'sold' },
      'inventory entry 2: /quantity is 3, but pet 2 is sold',
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
