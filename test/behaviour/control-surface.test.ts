import { describe, expect, it } from 'vitest'
import type { PetstoreOptions } from '../../src/index.js'
import { connect, MockError, type PetstoreClient } from '../../src/tools/client/index.js'
import { type Adapter, describeAdapters } from '../support/adapters.js'
import { openClient, shop } from '../support/client.js'

const ORIGIN = 'http://mock.test'
const fixtures = shop([
  { id: 1, name: 'Rex', stock: 3 },
  { id: 2, name: 'Bo', status: 'sold' },
])

/** What a test controls a mock with: the object in its own process, or a client of the admin API. */
const SURFACES: readonly (readonly [string, (adapter: Adapter, options?: PetstoreOptions) => Promise<Opened>])[] = [
  [
    'in process',
    async (adapter, options = { fixtures }) => {
      const { mock, ...api } = await openClient(adapter, options)
      // Its functions return values, which `await` accepts as well.
      return { ...api, control: mock.petstore as unknown as PetstoreClient }
    },
  ],
  [
    'over HTTP',
    async (adapter, options = { fixtures }) => {
      const { mock, ...api } = await openClient(adapter, options)
      const control = connect(ORIGIN, { fetch: (url, init) => mock.fetch(url.slice(ORIGIN.length), init) })
      return { ...api, control }
    },
  ],
]

type Opened = Omit<Awaited<ReturnType<typeof openClient>>, 'mock'> & { readonly control: PetstoreClient }

/** An error of a call in process is thrown, that of a client is a rejection. */
const outcomeOf = async (act: () => unknown) => act()

const expectThrown = (act: () => unknown, message: string) => expect(outcomeOf(act)).rejects.toThrow(message)

const nextPetId = async (post: Opened['post']) =>
  ((await post('/pets', { name: 'Next', categoryId: 1 })).body as { id: number }).id

describeAdapters('the control surface', (adapter) => {
  describe.each(SURFACES)('%s', (surface, open) => {
    it('replaces the response of an operation, as often as it says', async () => {
      const { control, get } = await open(adapter)
      const headers = { 'Retry-After': '7', 'WWW-Authenticate': 'Bearer' }
      const override = await control.override('getPet', { status: 503, headers }, { times: 2 })
      expect(override).toMatchObject({ id: 1, operation: 'getPet', status: 503, headers, times: 2, applied: 0 })
      for (let count = 0; count < 2; count += 1) {
        const response = await get('/pets/1')
        expect([response.status, response.headers.get('retry-after')]).toEqual([503, '7'])
        expect(response.body).toMatchObject({ status: 503 })
      }
      expect((await get('/pets/1')).status).toBe(200)
      expect(await control.overrides.list()).toMatchObject([{ id: 1, applied: 2, active: false }])
    })

    it('responds with a sequence of an override, and then with the operation', async () => {
      const { control, get } = await open(adapter)
      const headers = { 'Retry-After': '7' }
      const sequence = [{ status: 503 }, 'pass', { status: 429, headers }] as const
      const added = await control.override('getPet', sequence)
      expect(added).toMatchObject({ id: 1, operation: 'getPet', sequence, applied: 0, active: true })
      const responses = []
      for (let count = 0; count < 4; count += 1) responses.push(await get('/pets/1'))
      expect(responses.map(({ status }) => status)).toEqual([503, 200, 429, 200])
      expect(responses[2]?.headers.get('retry-after')).toBe('7')
      expect(await control.overrides.list()).toMatchObject([{ sequence, applied: 3, active: false }])
      const overrides = (await control.journal.entries()).map(({ override }) => override)
      expect(overrides).toEqual([1, undefined, 1, undefined])
      // Older overrides are behind it.
      await control.override('listPets', { status: 500 })
      await control.override('listPets', ['pass', { status: 503 }], { match: { query: { limit: 1 } } })
      const statuses = []
      for (const path of ['/pets', '/pets?limit=1', '/pets?limit=1']) statuses.push((await get(path)).status)
      expect(statuses).toEqual([500, 500, 503])
    })

    it('applies a sequence of a fault rule, and then nothing', async () => {
      const { control, get } = await open(adapter)
      const headers = { 'Retry-After': '7' }
      const sequence = [{ status: 503 }, 'pass', { code: 'RATE_LIMITED', headers }, { kind: 'malformed' }] as const
      expect(await control.faults.add({ operation: 'getPet', after: 1, sequence })).toMatchObject({ sequence })
      await control.faults.add({ operation: 'getPet', status: 404, after: 2, times: 1 })
      const statuses = []
      for (let count = 0; count < 4; count += 1) statuses.push((await get('/pets/1')).status)
      // The rule that lets a request through leaves it to the next one.
      expect(statuses).toEqual([200, 503, 404, 429])
      await expect(get('/pets/1')).rejects.toThrow()
      expect((await get('/pets/1')).status).toBe(200)
      expect(await control.faults.list()).toMatchObject([{ applied: 4, active: false }, { applied: 1 }])
      await control.faults.update(1, { sequence: [{ status: 500 }, 'pass', 'pass', 'pass', { status: 418 }] })
      expect((await get('/pets/1')).status).toBe(418)
    })

    it('rejects an invalid sequence', async () => {
      const { control } = await open(adapter)
      for (const [sequence, options, message] of [
        [[], {}, 'at least one entry'],
        [[{ status: 503 }], { times: 2 }, 'Remove times.'],
        [[{ status: 503 }, 'skip'], {}, 'or "pass" in a sequence'],
        [[{ status: 503 }, { status: 299 }], {}, 'does not declare'],
        [[{ status: 503, code: 'X' }], {}, 'Unknown field "code"'],
      ] as const) {
        await expectThrown(() => control.override('getPet', sequence as never, options), message)
      }
      for (const [rule, message] of [
        [{ sequence: [] }, '/sequence must be a list with at least one entry'],
        [{ sequence: [{ status: 503 }], status: 500 }, '/status has no effect beside /sequence'],
        [{ sequence: [{ status: 503 }], times: 2 }, '/times has no effect beside /sequence'],
        [{ sequence: [{ stauts: 503 }] }, '/sequence/0/stauts is unknown. Did you mean "status"?'],
        [{ sequence: ['pass', { status: 200 }] }, '/sequence/1/status must be'],
        [{ sequence: ['skip'] }, '/sequence/0 must be an object or "pass"'],
        [{ sequence: [null] }, '/sequence/0 must be an object or "pass"'],
        [{ sequence: [{ status: 503, times: 1 }] }, '/sequence/0/times belongs in the rule itself'],
        [{ sequence: [{ kind: 'delay' }] }, '/sequence/0/delayMs is required when /kind is delay'],
      ] as const) {
        await expectThrown(() => control.faults.add(rule as never), message)
      }
      expect([await control.overrides.list(), await control.faults.list()]).toEqual([[], []])
    })

    it('resets to other sizes and fixtures', async () => {
      const { control } = await open(adapter, { seed: 3 })
      const sizes = async () => {
        const { categories, pets, orders } = await control.exportState()
        return [categories.length, pets.length, orders.length]
      }
      const before = await sizes()
      await control.reset({ pets: 200 })
      expect((await sizes())[1]).toBe(200)
      await control.reset({ scenario: 'busy', categories: 4, pets: 9, orders: 5 })
      expect(await sizes()).toEqual([4, 9, 5])
      await control.reset({ fixtures })
      expect((await control.data.pets.all()).map(({ name }) => name)).toEqual(['Rex', 'Bo'])
      await control.reset({ scenario: 'single', fixtures: { categories: [{ id: 77, name: 'Birds' }] } })
      expect(await sizes()).toEqual([2, 1, 1])
      await control.reset()
      expect(await sizes()).toEqual(before)
      for (const [options, message] of [
        [{ pets: -1 }, 'pets'],
        [{ fixtures: { pets: [{ id: 1 }] } }, '/pets/0'],
        [{ fixtures: {}, pets: 5 }, 'omitted when fixtures are given without a scenario'],
        [{ petz: 5 }, 'petz'],
      ] as const) {
        await expectThrown(() => control.reset(options as never), message)
      }
      expect(await sizes()).toEqual(before)
    })

    it('changes the sunset mode until the next reset', async () => {
      const { control, get } = await open(adapter)
      await control.clock.set('2031-01-01T00:00:00Z')
      expect((await get('/pets/1')).status).toBe(200)
      await control.clock.setSunset('enforce')
      expect((await get('/pets/1')).status).toBe(410)
      expect(await control.clock.state()).toMatchObject({ sunset: 'enforce', frozen: false })
      await control.clock.setSunset('announce')
      expect((await get('/pets/1')).status).toBe(200)
      await control.clock.setSunset('enforce')
      await control.reset()
      expect(await control.clock.state()).toMatchObject({ sunset: 'announce' })
      await expectThrown(() => control.clock.setSunset('later' as never), 'announce')
    })

    it('creates records with an id of the caller’s choice, which is never assigned to another', async () => {
      const { control, get, post } = await open(adapter)
      const { pets, categories, orders } = control.data
      expect(await categories.create({ id: '9223372036854775807', name: 'Owls' })).toMatchObject({
        id: 9223372036854775807n,
      })
      expect((await get('/categories/9223372036854775807')).status).toBe(200)
      expect(await pets.create({ id: 4, name: 'Hoot', stock: 2 })).toMatchObject({ id: 4, name: 'Hoot' })
      expect(await orders.create({ id: 7n, petId: 4, quantity: 2 })).toMatchObject({ id: 7, petId: 4 })
      const created = await pets.createMany(2, (index) => ({ id: 10 + index, name: `Rex ${index}` }))
      expect(created.map(({ id }) => id)).toEqual([10, 11])
      await pets.delete(10)
      const ids: unknown[] = []
      for (let count = 0; count < 8; count += 1) {
        ids.push(await nextPetId(post))
      }
      expect(ids).toEqual([3, 5, 6, 7, 8, 9, 12, 13])
    })

    it('rejects an id that is in use or invalid, and stores nothing then', async () => {
      const { control, post } = await open(adapter)
      const { pets } = control.data
      const before = await pets.all()
      await expectThrown(() => pets.create({ id: 1 }), 'data.pets.create: The id 1 is already in use.')
      await expectThrown(() => pets.createMany(2, { id: 4 }), 'The id 4 is already in use.')
      await expectThrown(() => pets.create({ id: '9223372036854775808' }), '64-bit integer')
      await expectThrown(() => pets.create({ id: 1.5 }), '64-bit integer')
      await expectThrown(() => pets.create({ id: 5, categoryId: 99 }), '99')
      const available = 'Available: name, categoryId, status, stock.'
      await expectThrown(() => pets.update(1, { id: 5 } as never), `Unknown field "id". ${available}`)
      expect(await pets.all()).toEqual(before)
      expect(await nextPetId(post)).toBe(3)
    })

    it('fails the test for requests that violate the OpenAPI document, if failOn says so', async () => {
      const { control, get, post } = await open(adapter, { fixtures, failOn: ['violation'] })
      await get('/pets/1')
      await get('/pets/99')
      await control.check()
      await get('/pats')
      await post('/pets', { name: 5, categoryId: 1 })
      await post('/pets', { name: 5, categoryId: 1 })
      const failure = await outcomeOf(() => control.check()).catch((error: Error) => error.message)
      expect(failure).toMatch(
        /^\n- GET \/pats was rejected with 404: .*failOn.*\n- POST \/pets was rejected with 400: .*name.* \(2 times\)$/,
      )
      await control.check()
    })

    it('does not fail the test for violations that it expects, nor without failOn', async () => {
      const { control, get } = await open(adapter, { fixtures, failOn: ['violation'] })
      await get('/pats')
      expect(await control.journal.entries({ status: 404 })).toHaveLength(1)
      await control.journal.clear()
      await control.check()
      await get('/pats')
      await control.reset()
      await expectThrown(() => control.check(), 'GET /pats was rejected with 404')
      const other = await open(adapter)
      await other.get('/pats')
      await other.control.check()
    })

    it('removes overrides one by one, all at once, and by a reset', async () => {
      const { control, get } = await open(adapter)
      const status = async () => (await get('/pets/1')).status
      const first = await control.override('getPet', { status: 500 })
      await control.override('getPet', { status: 502 })
      expect(await status()).toBe(502)
      await control.overrides.remove(2)
      expect(await status()).toBe(500)
      await first.remove()
      await first.remove()
      expect(await status()).toBe(200)
      await control.override('getPet', { status: 500 })
      await control.overrides.clear()
      expect([await status(), await control.overrides.list()]).toEqual([200, []])
      await control.override('getPet', { status: 500 })
      await control.reset()
      expect([await status(), await control.overrides.list()]).toEqual([200, []])
    })

    it('checks an override against the OpenAPI document, unless it is unchecked', async () => {
      const { control, get } = await open(adapter)
      const undeclared = { status: 201, body: { any: 'thing' } }
      await expectThrown(
        () => control.override('getPet', undeclared as never),
        'which the OpenAPI document does not declare',
      )
      await expectThrown(() => control.override('getPet', { status: 200, body: {} } as never), '/id is missing')
      await expectThrown(() => control.override('getPats' as never, { status: 500 }), 'Did you mean "getPet"?')
      const bad = { status: 500, headers: { 'Content-Length': '1' } } as const
      await expectThrown(() => control.override('getPet', bad), 'which only the mock may set')
      expect(await control.overrides.list()).toEqual([])
      await control.override('getPet', undeclared, { unchecked: true })
      expect(await get('/pets/1')).toMatchObject(undeclared)
    })

    it('matches overrides and faults by query, headers and body', async () => {
      const { control, get, post } = await open(adapter)
      await control.override('listPets', { status: 200, body: [] }, { match: { query: { status: 'sold' } } })
      expect([(await get('/pets?status=sold')).body, (await get('/pets')).body]).toMatchObject([
        [],
        [{ id: 1 }, { id: 2 }],
      ])
      await control.faults.add({ operation: 'createPet', status: 429, match: { body: { name: /^Z/ } } })
      expect((await post('/pets', { name: 'Zoe', categoryId: 1 })).status).toBe(429)
      expect((await post('/pets', { name: 'Ana', categoryId: 1 })).status).toBe(201)
      await control.faults.add({ operation: 'listCategories', match: { headers: { Accept: { matches: 'html' } } } })
      const page = await control.fetch('/categories', { headers: { accept: 'text/html, */*' } })
      expect([page.status, (await get('/categories')).status]).toEqual([500, 200])
      expect(await control.faults.list()).toMatchObject([
        { match: { body: { name: { matches: '^Z' } } }, applied: 1 },
        { applied: 1 },
      ])
    })

    it('throws unreported errors once: one as it is, several together', async () => {
      const { control } = await open(adapter, { fixtures, failOnUnused: true })
      await control.check()
      await control.faults.add({ operation: 'getPet', status: 503 })
      const message = 'Fault rule 1 for getPet was never applied. The option failOnUnused forbids it.'
      const one = await outcomeOf(() => control.check()).catch((error: unknown) => error)
      expect(one).toBeInstanceOf(MockError)
      expect(one).toMatchObject({ code: 'UNUSED_RULE', message })
      await control.check()

      for (let count = 0; count < 12; count += 1) await control.faults.add({ operation: 'getPet', status: 503 })
      const several = await outcomeOf(() => control.check()).catch((error: unknown) => error)
      expect(several).toBeInstanceOf(AggregateError)
      expect((several as AggregateError).errors).toHaveLength(10)
      expect(String(several)).toMatch(/\n- Fault rule 2 for getPet was never applied\.[\s\S]*\n- and 2 more$/)
      await control.check()
    })

    it('adds headers with a fault, Retry-After by default', async () => {
      const { control, get } = await open(adapter)
      const fault = await control.faults.add({ operation: 'getPet', status: 503 })
      expect((await get('/pets/1')).headers.get('retry-after')).toBe('1')
      await fault.remove()
      await control.faults.add({ operation: 'getPet', status: 429, headers: { 'retry-after': '9', 'X-Quota': '0' } })
      const { headers } = await get('/pets/1')
      expect([headers.get('retry-after'), headers.get('x-quota')]).toEqual(['9', '0'])
    })

    it('disables, changes and moves a fault rule', async () => {
      const { control, get } = await open(adapter)
      const status = async () => (await get('/pets/1')).status
      await control.faults.add({ status: 500, times: 5 })
      await control.faults.add({ status: 502 })
      await control.faults.update(1, { enabled: false })
      expect([await status(), (await control.faults.list())[0]]).toMatchObject([502, { enabled: false, active: false }])
      expect(await control.faults.update(1, { enabled: true, status: 503, times: null })).not.toHaveProperty('times')
      expect(await status()).toBe(503)
      await control.faults.update(2, { position: 1 })
      expect(await status()).toBe(502)
      expect((await control.faults.list()).map(({ id }) => id)).toEqual([2, 1])
      await expectThrown(() => control.faults.update(1, { status: 200 }), '/status must be')
      await expectThrown(() => control.faults.update(1, { position: 0 }), '/position must be')
      await expectThrown(() => control.faults.update(9, {}), 'Unknown fault rule 9.')
      expect(await control.faults.list()).toMatchObject([{ status: 502 }, { status: 503 }])
    })

    it('waits for requests, those already recorded included', async () => {
      const { control, get, post } = await open(adapter)
      const waiting = control.journal.waitFor('createOrder', { match: { body: { petId: 1 } }, timeoutMs: 30_000 })
      await get('/pets/1')
      await post('/store/orders', { petId: 2 })
      await post('/store/orders', { petId: 1 })
      expect(await waiting).toMatchObject([{ operation: 'createOrder', request: { body: { petId: 1 } } }])
      expect(await control.journal.waitFor('createOrder', { times: 2, timeoutMs: 30_000 })).toHaveLength(2)
      expect(await control.journal.entries({ match: { body: { petId: 2 } } })).toMatchObject([{ status: 409 }])
    })

    it('says what arrived instead of the requests that it waits for', async () => {
      const { control, get } = await open(adapter)
      await get('/pets/1')
      await expect(control.journal.waitFor('createOrder', { status: 201, timeoutMs: 20 })).rejects.toThrow(
        'Timed out after 20 ms: the mock received 0 of 1 requests of createOrder with {"status":201}. The last requests it received:\n  GET /pets/1 → 200',
      )
    })

    it('waits only for the requests that match, and rejects a match that cannot be meant', async () => {
      const { control, get } = await open(adapter)
      await get('/pets/1')
      const wait = (match: object) => outcomeOf(() => control.journal.waitFor('getPet', { match, timeoutMs: 20 }))
      await expect(wait({ heders: { a: 'b' } })).rejects.toThrow('/match/heders is unknown')
      await expect(wait({ query: null })).rejects.toThrow('/match/query must be')
      await expect(wait({ headers: { constructor: /native/ } })).rejects.toThrow('received 0 of 1')
      await expect(wait({ query: { limit: 9007199254740993n } })).rejects.toThrow('received 0 of 1')
      const next = control.journal.waitFor('getPet', { since: 1, timeoutMs: 30_000 })
      await get('/pets/2')
      expect(await next).toMatchObject([{ id: 2 }])
    })

    it('returns a body of null as no body, and rejects a body where HTTP allows none', async () => {
      const { control, get } = await open(adapter)
      const unchecked = { unchecked: true } as const
      await control.override('getPet', { status: 503, body: null }, unchecked)
      expect(await get('/pets/1')).toMatchObject({ status: 503, text: '' })
      await expectThrown(
        () => control.override('getPet', { status: 304, body: {} }, unchecked),
        'must return no body with 304',
      )
      await control.override('getPet', { status: 302, headers: { Location: '/x' }, body: null }, unchecked)
      const { status } = await control.fetch('/pets/1', { redirect: 'manual' })
      expect([0, 302]).toContain(status)
    })

    it('a handle removes its own rule only, even if a reset gave its id to another', async () => {
      const { control } = await open(adapter)
      const old = await control.override('getPet', { status: 500 })
      await control.reset()
      await control.clock.advance(1000)
      await control.override('getPet', { status: 502 })
      await old.remove()
      expect(await control.overrides.list()).toMatchObject([{ id: 1, status: 502 }])
    })

    it('creates more records than fit into one request, all of them or none', async () => {
      const { control } = await open(adapter)
      expect(await control.data.categories.createMany(201)).toHaveLength(201)
      const fail = (index: number) => ({ name: (index < 150 ? 'Fine' : 5) as string })
      await expectThrown(() => control.data.categories.createMany(151, fail), '/name must be')
      await expectThrown(() => control.data.categories.createMany(-1), 'an integer of 0 or more')
      expect(await control.data.categories.all()).toHaveLength(203)
    })

    it('arranges and reads data without faults, journal and coverage', async () => {
      const { control } = await open(adapter)
      await control.faults.add({ kind: 'timeout' })
      const pet = await control.data.pets.create({ name: 'Zoe', stock: 2 })
      expect(pet).toMatchObject({ id: 3, name: 'Zoe', status: 'available' })
      expect(await control.data.pets.update(3, { status: 'sold', stock: 0 })).toMatchObject({ status: 'sold' })
      expect(await control.data.pets.createMany(2, (index) => ({ name: `Pet ${index}` }))).toMatchObject([
        { id: 4, name: 'Pet 0' },
        { id: 5, name: 'Pet 1' },
      ])
      await control.data.pets.delete(4)
      expect([await control.data.pets.find(4), await control.data.pets.find(5)]).toMatchObject([undefined, { id: 5 }])
      expect((await control.data.pets.all()).map(({ id }) => id)).toEqual([1, 2, 3, 5])
      expect(await control.data.inventory.update(1, { quantity: 7 })).toMatchObject({ petId: 1, quantity: 7 })
      expect(await control.data.orders.create({ petId: 1 })).toMatchObject({ petId: 1 })
      expect(await control.data.categories.all()).toHaveLength(2)
      expect(await control.journal.entries()).toEqual([])
      expect(await control.faults.list()).toMatchObject([{ matched: 0 }])
      expect((await control.coverage()).summary.operations.exercised).toBe(0)
    })

    it('lists records over HTTP with the sort and the filters of the API, without using up a fault', async () => {
      const { control, get } = await open(adapter)
      await control.data.pets.create({ name: 'Zoe', status: 'sold' })
      await control.faults.add({ status: 503, times: 1 })
      const { body, headers } = await get('/__admin/data/pets?status=sold&status=available&sort=-name&limit=1')
      const matching = (await control.data.pets.all()).filter(({ status }) => status !== 'pending')
      expect([body, headers.get('X-Total-Count')]).toMatchObject([[{ name: 'Zoe' }], String(matching.length)])
      expect((await get('/__admin/data/inventory?maxQuantity=0')).body).toMatchObject([{ petId: 2 }, { petId: 3 }])
      expect([await control.faults.list(), await control.journal.entries()]).toMatchObject([[{ matched: 0 }], []])
    })

    it('rejects data that a schema or a store rule forbids, and changes nothing', async () => {
      const { control } = await open(adapter)
      const { pets, orders } = control.data
      await expectThrown(() => pets.create({ stok: 1 } as never), 'Did you mean "stock"?')
      await expectThrown(() => pets.createMany(2, (index) => ({ name: ['Ana', 5][index] as string })), '/name must be')
      await expectThrown(() => orders.create({ petId: 2 }), 'sold')
      await expectThrown(() => pets.update(99, { name: 'Nobody' }), '99')
      await expectThrown(() => pets.delete(99), '99')
      expect(await pets.all()).toHaveLength(2)
    })

    it('sets, freezes and advances the clock', async () => {
      const { control } = await open(adapter)
      await control.clock.freeze()
      await control.clock.set(new Date('2030-12-06T00:00:00Z'))
      await control.clock.advance('P1D')
      expect(await control.clock.state()).toEqual({ now: '2030-12-07T00:00:00.000Z', frozen: true, sunset: 'announce' })
      await control.clock.unfreeze()
      expect((await control.clock.state()).frozen).toBe(false)
      await expectThrown(() => control.clock.advance('P99999Y'), 'the years 0000 to 9999')
    })

    it('takes and restores snapshots, exports and imports the state', async () => {
      const { control, get } = await open(adapter)
      await control.snapshots.take('before')
      const state = await control.exportState()
      await control.data.pets.create()
      expect((await control.snapshots.list()).map(({ name }) => name)).toEqual(['before'])
      await control.snapshots.restore('before')
      expect(await control.exportState()).toEqual(state)
      await control.importState({ ...state, pets: [], inventory: [], orders: [] })
      expect((await get('/pets')).body).toEqual([])
      await control.snapshots.delete('before')
      const restore = (name: string) => () => control.snapshots.restore(name)
      await expectThrown(restore('before'), 'Unknown snapshot "before". Available: none.')
      await control.snapshots.take('logged-in')
      await control.snapshots.take('full')
      await expectThrown(restore('before'), 'Unknown snapshot "before". Available: logged-in, full.')
      await expectThrown(restore('loggedin'), 'Did you mean "logged-in"?')
      await control.reset({ scenario: 'empty' })
      expect((await get('/categories')).body).toEqual([])
    })

    it('controls sandboxes on their own', async () => {
      const { control, get } = await open(adapter)
      const sandbox = control.sandboxes.open('a')
      await sandbox.faults.add({ status: 503 })
      expect((await sandbox.fetch('/pets/1')).status).toBe(503)
      expect((await get('/pets/1')).status).toBe(200)
      expect((await sandbox.journal.entries()).map(({ path }) => path)).toEqual(['/pets/1'])
      expect((await control.sandboxes.list()).map(({ name }) => name)).toEqual(['a'])
      await control.sandboxes.delete('a')
      expect(await control.sandboxes.list()).toEqual([])
    })

    it('finds, exports and clears journal entries', async () => {
      const { control, get, post } = await open(adapter)
      await get('/pets/1')
      await post('/pets', { name: 5, status: 'gone' })
      expect(await control.journal.find(1)).toMatchObject({ operation: 'getPet' })
      expect(await control.journal.find(99)).toBeUndefined()
      expect((await control.journal.toHar({ operation: 'getPet' })).log.entries).toHaveLength(1)
      expect((await control.journal.entries({ status: 400 }))[0]?.violations).toEqual([
        expect.stringContaining('/categoryId is missing'),
        expect.stringContaining('/name must be'),
        expect.stringContaining('/status must be'),
      ])
      await control.journal.clear()
      expect(await control.journal.entries()).toEqual([])
    })

    it.each([
      [{ times: 0 }, '"times" must be a whole number of 1 or more. Received: 0.'],
      [{ timeoutMs: 600_001 }, '"timeoutMs" must be a number of milliseconds up to 600000. Received: 600001.'],
      [{ timeout: 5 }, 'Unknown option "timeout". Did you mean "timeoutMs"?'],
    ])('does not wait with the options %j', async (options, message) => {
      const { control } = await open(adapter)
      const waiting = outcomeOf(() => control.journal.waitFor('getPet', options as never))
      await expect(waiting).rejects.toMatchObject({ code: 'INVALID_OPTION', message: expect.stringContaining(message) })
    })

    it('rejects what JSON would drop, and changes nothing', async () => {
      const { control } = await open(adapter)
      const { faults, data, clock } = control
      const override = (response: object, options?: object) =>
        control.override('getPet', response as never, options as never)
      const before = await control.exportState()
      const cases: readonly [() => unknown, string | RegExp][] = [
        [() => override({ status: 503, bdy: {} }), 'Unknown field "bdy". Did you mean "body"?'],
        [() => override({ status: 503, headers: new Headers({ a: 'b' }) }), 'headers'],
        [() => override({ status: 503, body: { code: () => 1 } }, { unchecked: true }), /plain data|JSON/],
        [() => override({ status: 503 }, { match: { body: () => true } }), '/match/body must be JSON'],
        [() => override(new Response('{}')), /Response|Headers/],
        [() => faults.add({ match: { body: () => true } }), '/match/body must be JSON'],
        [() => faults.add({ headers: new Headers({ a: 'b' }) as never }), 'headers'],
        [() => faults.add(null as never), 'must be an object, but is null'],
        [() => data.pets.create({ name: (() => 'Rex') as never }), '/name must be'],
        [() => data.pets.find(''), surface === 'in process' ? 'An id must be a 64-bit integer' : 'but is empty'],
        [() => data.pets.update('x', {}), 'An id must be a 64-bit integer, but is x.'],
        [() => clock.set(undefined as never), 'RFC 3339'],
      ]
      for (const [act, message] of cases) await expect(outcomeOf(act)).rejects.toThrow(message)
      expect([await control.overrides.list(), await faults.list()]).toEqual([[], []])
      expect(await control.exportState()).toEqual(before)
    })

    it('creates records with default fields, if the function returns none', async () => {
      const { control } = await open(adapter)
      expect(await control.data.pets.createMany(2, () => undefined as never)).toHaveLength(2)
    })

    if (surface === 'in process') return

    it('rejects bytes, which JSON cannot contain', async () => {
      const { control } = await open(adapter)
      for (const body of [new Uint8Array([1, 2]), new TextEncoder().encode('x')]) {
        const added = control.override('getPet', { status: 200, body }, { raw: true })
        await expect(added).rejects.toThrow('/body must be JSON, but is of the type Uint8Array')
      }
    })

    it('rejects bad values of every new field, and changes nothing', async () => {
      const { control, get, post, patch } = await open(adapter)
      const before = await control.exportState()
      const cases: readonly [Promise<{ status: number; body: unknown }>, number, string][] = [
        [post('/__admin/overrides', { operation: 'getPet' }), 400, '/status is missing'],
        [post('/__admin/overrides', { operation: 'getPet', status: 700 }), 400, '/status must be'],
        [
          post('/__admin/overrides', { operation: 'getPet', status: 500, sequence: ['pass'] }),
          400,
          '/status has no effect',
        ],
        [post('/__admin/overrides', { operation: 'getPet', body: {}, sequence: ['pass'] }), 400, '/body has no effect'],
        [post('/__admin/overrides', { operation: 'getPet', status: 500, times: 0 }), 400, '/times must be'],
        [
          post('/__admin/overrides', { operation: 'getPet', status: 500, match: { cookies: {} } }),
          400,
          '/match/cookies is',
        ],
        [post('/__admin/overrides', { operation: 'getPet', status: 500, headers: { 'A B': 'x' } }), 422, 'A B'],
        [post('/__admin/faults', { enabled: 'no' }), 400, '/enabled must be'],
        [post('/__admin/faults', { headers: { a: 1 } }), 400, '/headers/a must be'],
        [
          post('/__admin/faults', { match: { query: { a: { matches: 'x', flags: 'g' } } } }),
          400,
          '/match/query/a must be',
        ],
        [patch('/__admin/faults/1', { status: 500 }), 404, 'Unknown fault rule 1'],
        [get('/__admin/journal?waitMs=60001'), 400, 'waitMs must be'],
        [get('/__admin/journal?times=0'), 400, 'times must be'],
        [get('/__admin/journal?match=%7B'), 400, 'match must be JSON'],
        [get('/__admin/data/pet'), 404, 'Did you mean "pets"?'],
        [get('/__admin/data/pets?limit=101'), 400, 'limit must be'],
        [get('/__admin/data/orders?status=sold'), 400, 'status is unknown'],
        [get('/__admin/data/pets/x'), 422, 'An id must be a 64-bit integer, but is x.'],
        [get('/__admin/data/pets/99'), 404, 'no record "99"'],
        [post('/__admin/data/inventory', {}), 422, 'cannot be created'],
        [post('/__admin/data/pets', [{ name: 'Ana' }, { name: 5 }]), 422, '/name must be'],
        [patch('/__admin/data/pets/1', { id: 5 }), 422, 'Unknown field "id"'],
      ]
      for (const [response, status, message] of cases) {
        expect(await response).toMatchObject({ status, body: { message: expect.stringContaining(message) } })
      }
      expect([await control.overrides.list(), await control.faults.list()]).toEqual([[], []])
      expect(await control.exportState()).toEqual(before)
    })
  })
})

describe('connect', () => {
  it('says that there is no mock at the address', async () => {
    const fetch = async () => new Response('not found', { status: 404 })
    await expect(connect(ORIGIN, { fetch }).reset()).rejects.toThrow(
      `${ORIGIN} is not a mock: it responded with status 404. Start a mock with petstore-mock, or correct the address.`,
    )
    const fail = () => Promise.reject(new TypeError('fetch failed'))
    await expect(connect(`${ORIGIN}/`, { fetch: fail }).coverage()).rejects.toMatchObject({
      code: 'CANNOT_CONNECT',
      message: expect.stringContaining(`${ORIGIN} could not be reached.`),
    })
    const missing = { code: 'ROUTE_NOT_FOUND', message: 'Unknown path.', status: 404 }
    const other = async () => Response.json(missing, { status: 404, headers: { 'X-Petstore-Mock': '1' } })
    await expect(connect(`${ORIGIN}/other`, { fetch: other }).data.pets.find(1)).rejects.toThrow('Unknown path.')
    await expect(connect(`${ORIGIN}/other`, { fetch: other }).journal.find(1)).rejects.toThrow('Unknown path.')
    expect(() => connect(ORIGIN, { sandbx: 'a' } as never)).toThrow('Did you mean "sandbox"?')
    expect(() => connect(ORIGIN, { sandbox: 'a b' })).toThrow('the name of a sandbox must be')
    expect(() => connect(new URL(`${ORIGIN}/?a=1`))).toThrow('must be a URL such as')
    expect(() => connect('localhost:4010')).toThrow(
      'must be a URL such as http://127.0.0.1:4010, but is localhost:4010',
    )
  })
})
