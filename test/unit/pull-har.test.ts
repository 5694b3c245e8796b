import { describe, expect, it } from 'vitest'
import { createPetstore } from '../../src/index.js'
import { parseJson, stringifyJson } from '../../src/lib/json.js'
import type { Fixture, PartialFixture } from '../../src/petstore/fixtures/format.js'
import { petstoreService as service } from '../../src/petstore/service.js'
import { type HarOptions, pullHar } from '../../src/tools/pull/pull-har.js'
import { PullError } from '../../src/tools/pull/require-list.js'
import { formatFixture } from '../support/petstore-fixtures.js'

const API = 'https://api.pets.example/v1'

interface Recorded {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** Milliseconds since the start of the recording. */
  readonly at?: number
  readonly time?: number
  readonly content?: object
}

let clock = 0

/** An entry with what is read of it. The request is `GET /pets` or `GET https://…`. */
function entry(request: string, body?: unknown, { status, headers = {}, at, time = 5, content }: Recorded = {}) {
  const [method = '', target = ''] = request.split(' ')
  clock += 10
  const text = typeof body === 'string' ? body : stringifyJson(body)
  return {
    request: {
      method,
      url: target.startsWith('/') ? `${API}${target}` : target,
      headers: [{ name: 'authorization', value: 'Bearer secret' }],
    },
    response: {
      status: status ?? { POST: 201, DELETE: 204 }[method] ?? 200,
      headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
      content: content ?? { size: 10, mimeType: 'application/json', ...(text !== undefined && { text }) },
    },
    startedDateTime: new Date(Date.UTC(2026, 4, 1) + (at ?? clock)).toISOString(),
    time,
  }
}

const toHar = (entries: readonly unknown[]) => ({ log: { version: '1.2', creator: {}, pages: [], entries } })

function read(har: unknown, options: Partial<HarOptions> = {}) {
  const { fixture, ...rest } = pullHar(har, { service, maxBytes: 1_000_000, ...options })
  return { fixture: fixture as unknown as Fixture, ...rest }
}

async function pull(entries: readonly unknown[], baseUrl?: string) {
  const pulled = read(toHar(entries), { baseUrl })
  const petstore = createPetstore({ fixtures: parseJson(formatFixture(pulled.fixture)) as PartialFixture })
  await petstore.ready
  return pulled
}

const DOGS = { id: 1, name: 'Dogs' }
const REX = { id: 1, name: 'Rex', categoryId: 1, status: 'available' }
const ADA = { id: 2, name: 'Ada', categoryId: 1, status: 'sold' }
const STOCK = { petId: 1, quantity: 3, status: 'available' }
const ORDER = { id: 7, petId: 1, quantity: 1, complete: false }

const petsOf = async (entries: readonly unknown[]) =>
  (await pull([entry('GET /categories', [DOGS]), ...entries])).fixture.pets

describe('recorded traffic', () => {
  it('shows the records of lists, reads, creates and updates', async () => {
    const { fixture, notes, omissions } = await pull([
      entry('GET /categories?limit=100', [DOGS], { headers: { 'X-Total-Count': '1' } }),
      entry('POST /pets', REX),
      entry('GET /pets?limit=1&offset=0', [REX], { headers: { 'x-total-count': '2' } }),
      entry('GET /pets?limit=1&offset=1', [ADA], { headers: { 'x-total-count': '2' } }),
      entry('GET /store/inventory/1', STOCK),
      entry('PATCH /store/orders/7', { ...ORDER, customer: 'secret' }),
    ])
    expect(fixture).toEqual({ categories: [DOGS], pets: [REX, ADA], inventory: [STOCK], orders: [ORDER] })
    expect([...(omissions.orders?.fields ?? [])]).toEqual(['customer'])
    expect(notes).toEqual([
      `Used the responses of ${API}.`,
      'There may be more inventory entries and orders than were recorded.',
      'The stock of 1 pet was not recorded. It is 1, or 0 for a sold pet.',
    ])
    expect(JSON.stringify({ fixture, notes })).not.toContain('secret')
  })

  it('of our own journal gives the data that the mock has', async () => {
    const petstore = createPetstore({ scenario: 'big-ids' })
    await petstore.ready
    const base = 'http://localhost/sandbox/a'
    const sandbox = petstore.sandboxes.open('a')
    // All responses then have the same time.
    sandbox.clock.freeze()
    const send = (path: string, method = 'GET', body?: string) =>
      petstore.fetch(`${base}${path}`, {
        method,
        ...(body && { body, headers: { 'Content-Type': 'application/json' } }),
      })
    for (const path of ['/categories', '/pets', '/store/orders', '/store/inventory']) await send(`${path}?limit=100`)
    const created = await send('/categories', 'POST', '{"name":"New"}')
    const location = created.headers.get('Location')?.replace('/sandbox/a', '') ?? ''
    await send(location, 'PUT', '{"name":"Newer"}')
    await send('/categories', 'POST', '{"name":"Not for long"}')
    await send(`/categories/${sandbox.data.categories.all().at(-1)?.id}`, 'DELETE')
    const har = parseJson(stringifyJson(sandbox.journal.toHar()) ?? '')
    const { fixture, notes } = read(har)
    const copy = createPetstore({ fixtures: parseJson(formatFixture(fixture)) as PartialFixture })
    await copy.ready
    const [received, expected] = [copy, sandbox].map((each) => ({ ...each.exportState(), nextIds: {} }))
    expect(received).toEqual(expected)
    expect(notes).toEqual(['Used the responses of http://localhost/sandbox/a.'])
  })

  it.each<[string, unknown[], unknown[]]>([
    [
      'the latest response',
      [entry('GET /pets/1', REX), entry('PUT /pets/1', { ...REX, name: 'Max' })],
      [{ ...REX, name: 'Max' }],
    ],
    [
      'the time at which a response was complete',
      [entry('PUT /pets/1', { ...REX, name: 'Max' }, { at: 100, time: 500 }), entry('GET /pets/1', REX, { at: 200 })],
      [{ ...REX, name: 'Max' }],
    ],
    ['no deleted record', [entry('GET /pets', [REX, ADA]), entry('DELETE /pets/1')], [ADA]],
    [
      'a record that could not be deleted',
      [entry('GET /pets', [REX]), entry('DELETE /pets/1', {}, { status: 409 })],
      [REX],
    ],
    [
      'no record that is not found later',
      [entry('GET /pets', [REX, ADA]), entry('GET /pets/1', {}, { status: 404 })],
      [ADA],
    ],
    [
      'no record that is missing in a later complete list',
      [entry('GET /pets/1', REX), entry('GET /pets', [ADA], { headers: { 'X-Total-Count': '1' } })],
      [ADA],
    ],
    [
      'a record that is missing in a filtered list or another page',
      [
        entry('GET /pets/1', REX),
        entry('GET /pets?status=sold', [ADA], { headers: { 'X-Total-Count': '1' } }),
        entry('GET /pets?offset=1', [ADA], { headers: { 'X-Total-Count': '2' } }),
      ],
      [REX, ADA],
    ],
    [
      'a body in base64',
      [entry('GET /pets', undefined, { content: { text: btoa(JSON.stringify([REX])), encoding: 'base64' } })],
      [REX],
    ],
    ['a body from the cache', [entry('GET /pets', [REX], { status: 304 })], [REX]],
    [
      'the status of a later inventory entry',
      [entry('GET /pets', [ADA]), entry('PUT /store/inventory/2', { ...STOCK, petId: 2 })],
      [{ ...ADA, status: 'available' }],
    ],
    [
      'no failed request, no HEAD and no other path',
      [
        entry('GET /pets', [REX]),
        entry('GET /pets/2', ADA, { status: 500 }),
        entry('HEAD /pets/1', { ...REX, name: 'Max' }),
        entry('GET /pets/1/photos', [ADA]),
        entry('GET /pets/01', { ...REX, name: 'Max' }),
        entry('GET /pets/%zz', ADA),
        entry('GET data:text/plain,1', 'x'),
        entry('GET wss://api.pets.example/v1/pets/2', ADA),
      ],
      [REX],
    ],
  ])('gives %s', async (_, entries, pets) => {
    expect(await petsOf(entries)).toEqual(pets)
  })

  it('drops the stock of a pet that was sold later', async () => {
    const { fixture } = await pull([
      entry('GET /store/inventory', [STOCK]),
      entry('GET /pets/1', { ...REX, status: 'sold' }),
    ])
    expect(fixture.inventory).toEqual([])
  })

  it('says what it does not show', async () => {
    const { fixture, notes, omissions } = await pull([
      entry('GET /pets?name=x', [REX, { ...ADA, categoryId: 5 }, { id: 3 }]),
      entry('GET /pets/2', '{"id":2,"name":"Ad'),
      entry('GET /pets/2'),
      entry('GET /store/orders/7', { ...ORDER, petId: 99 }),
      { request: {} },
      null,
      entry('GET :no address', 'x'),
    ])
    expect(fixture.categories).toEqual([
      { id: 1, name: 'Category 1' },
      { id: 5, name: 'Category 5' },
    ])
    expect(fixture.orders).toEqual([])
    expect(omissions.pets?.examples).toEqual(['pet 3: /name is missing'])
    expect(omissions.orders?.examples).toEqual(['order 7: /petId refers to pet 99, which is not in the fixture'])
    expect(notes).toEqual([
      `Used the responses of ${API}.`,
      'Entries of the file that cannot be read: 3.',
      'Responses with no body, or not all of it: 2.',
      'There may be more categories, pets, inventory entries and orders than were recorded.',
      'The stock of 2 pets was not recorded. It is 1, or 0 for a sold pet.',
      'The names of 2 categories are not known. They are "Category" and the id.',
    ])
  })
})

describe('the base address of recorded traffic', () => {
  const MIXED = [
    entry('GET https://shop.example/pets', '<html>'),
    entry('GET https://shop.example/assets/pets', 'not JSON'),
    entry('GET https://staging.example/pets/2', ADA),
    entry('GET /pets', [REX]),
    entry('GET /pets/1', REX),
  ]

  it('is the one with the most responses of the API', async () => {
    const { fixture, notes } = await pull(MIXED)
    expect(fixture.pets).toEqual([REX])
    expect(notes).toContain('Ignored responses of https://staging.example: 1. To use them, name this base URL.')
  })

  it('can be chosen', async () => {
    const { fixture, notes } = await pull(MIXED, 'https://staging.example')
    expect(fixture.pets).toEqual([ADA])
    expect(notes[0]).toBe('Used the responses of https://staging.example.')
  })

  it.each([
    [
      MIXED,
      'https://other.example',
      /^The file has no response of https:\/\/other\.example with data .+; it has responses of https:\/\/api\.pets\.example\/v1, https:\/\/staging\.example$/,
    ],
    [[], undefined, /^The file has no response with data of the Pet Store API$/],
  ])('must have responses', (entries, baseUrl, message) => {
    expect(() => read(toHar(entries), { baseUrl })).toThrow(message)
  })
})

it.each([null, [], 'x', {}, { log: [] }, { log: { entries: {} } }])('rejects %j, which is not a HAR file', (har) => {
  expect(() => read(har)).toThrow(PullError)
  expect(() => read(har)).toThrow('Not a HAR file')
})
