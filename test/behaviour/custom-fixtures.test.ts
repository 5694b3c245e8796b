import { expect, it } from 'vitest'
import type { Fixture, FixtureId, PartialFixture, PetstoreOptions, ScenarioName } from '../../src/index.js'
import { createPetstore, MockError } from '../../src/index.js'
import { listScenarios } from '../../src/petstore/fixtures/scenarios.js'
import { type Adapter, describeAdapters, type RunningMock } from '../support/adapters.js'
import { expectUnchanged, exportState, exportText, openClient, probeNextIds, shop } from '../support/client.js'
import { findBrokenInvariants } from '../support/invariants.js'

/** Fixtures that may have mistakes. */
const unchecked = (fixtures: unknown) => fixtures as PartialFixture

const REX = { id: 1, name: 'Rex', categoryId: 1, status: 'available' as const }

/** The data of the scenario `single`. */
const SINGLE = {
  categories: [{ id: 1, name: 'Dogs', description: 'Loyal company for every walk, in any weather.' }],
  pets: [{ id: 1, name: 'Biscuit', categoryId: 1, status: 'available' }],
  inventory: [{ petId: 1, quantity: 2, status: 'available' }],
  orders: [{ id: 1, petId: 1, quantity: 1, shipDate: '2026-07-03T10:00:00.000Z', complete: false }],
} satisfies Fixture

async function catchMockError(act: () => Promise<unknown>): Promise<MockError> {
  const error = await act().then(
    () => expect.fail('Nothing was thrown.'),
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(MockError)
  return error as MockError
}

/** The problems in the error for invalid fixtures, without its first line. */
async function problemsOf(act: () => Promise<unknown>): Promise<string[]> {
  const { code, message } = await catchMockError(act)
  expect(code).toBe('INVALID_FIXTURE')
  const [headline, ...lines] = message.split('\n').map((line) => line.trim())
  expect(headline).toBe('The fixture is invalid:')
  return lines
}

async function openWithState(
  adapter: Adapter,
  options: PetstoreOptions,
): Promise<{ mock: RunningMock; state: Fixture }> {
  const { mock } = await openClient(adapter, options)
  return { mock, state: await exportState(mock) }
}

/** Five mistakes, and the pointers to them. */
const MALFORMED = {
  categories: [{ id: 'x', name: 'Dogs' }],
  pets: [REX, { id: 2, categoryId: 1 }, { ...REX, id: 3, status: 'lost' }],
  inventory: [{ petId: 1, quantity: 'many', status: 'available' }],
  orders: [{ petId: 1 }],
}
const MALFORMED_AT = ['/categories/0/id', '/inventory/0/quantity', '/orders/0/id', '/pets/1/name', '/pets/2/status']

const AGAINST_THE_RULES = {
  categories: [{ id: 501, name: 'Owls' }],
  pets: [
    { id: 501, name: 'A', categoryId: 999 },
    { id: 502, name: 'B', categoryId: 501, status: 'sold' },
    { id: 503, name: 'C', categoryId: 501 },
    { id: 504, name: 'D', category: { name: 5 } },
  ],
  inventory: [{ petId: 503, quantity: 0, status: 'available' }],
  orders: [
    { id: 501, petId: 502 },
    { id: 502, petId: 999 },
  ],
}
const AGAINST_THE_RULES_AT = [
  '/orders/1/petId',
  '/pets/0/categoryId',
  '/pets/1/status',
  '/pets/2/status',
  '/pets/3/category/name',
]

const pointersOf = (lines: string[]) => lines.map((line) => line.split(' ')[0] ?? '').sort()

describeAdapters('custom fixtures', (adapter) => {
  it('are the complete starting data', async () => {
    const fixtures = shop(
      [
        { id: 1, stock: 5 },
        { id: '9007199254740993', status: 'sold' },
      ],
      [{ id: 4, petId: 1 }],
    )
    const { state } = await openWithState(adapter, { fixtures })
    const id = 9007199254740993n
    expect(state).toStrictEqual({
      ...fixtures,
      pets: [fixtures.pets[0], { ...fixtures.pets[1], id }],
      inventory: [fixtures.inventory[0], { ...fixtures.inventory[1], petId: id }],
    })
    expect((await openWithState(adapter, { fixtures: {} })).state).toStrictEqual(EMPTY)
  })

  it('are merged over a scenario', async () => {
    const fixtures = unchecked({
      categories: [{ id: 2, name: 'Owls' }],
      pets: [{ id: 2, name: 'Hedwig', categoryId: 2 }],
      orders: [{ id: 1, petId: 1, quantity: 2, complete: false }, { id: 5 }],
    })
    const { mock, state } = await openWithState(adapter, { scenario: 'single', fixtures })
    expect(state).toStrictEqual({
      categories: [...SINGLE.categories, { id: 2, name: 'Owls' }],
      pets: [...SINGLE.pets, { id: 2, name: 'Hedwig', categoryId: 2, status: 'available' }],
      inventory: [...SINGLE.inventory, { petId: 2, quantity: 1, status: 'available' }],
      orders: [{ id: 1, petId: 1, quantity: 2, complete: false }, { id: 5 }],
    })
    expect(await probeNextIds(mock)).toEqual(['/categories/3', '/pets/3', '/store/orders/6'])
  })

  it.each<[string, PartialFixture, number]>([
    ['a new inventory entry', { pets: [REX] }, 1],
    ['the given inventory entry', { pets: [REX], inventory: [{ petId: '1', quantity: 7, status: 'available' }] }, 7],
  ])('give a replaced pet %s, and keep its orders', async (_, fixtures, quantity) => {
    const { state } = await openWithState(adapter, { scenario: 'single', fixtures })
    const inventory = [{ petId: 1, quantity, status: 'available' }]
    expect(state).toStrictEqual({ ...SINGLE, pets: [REX], inventory })
  })

  it.each([
    ['available', 1],
    ['pending', 1],
    ['sold', 0],
  ] as const)('give a pet that is %s a stock of %i by default', async (status, quantity) => {
    const fixtures = { categories: SINGLE.categories, pets: [{ ...REX, status }] }
    const { state } = await openWithState(adapter, { fixtures })
    expect(state.inventory).toStrictEqual([{ petId: 1, quantity, status }])
  })

  it('may describe a category within a pet, and share it', async () => {
    const pets = ['Owls', 'Newts', 'Owls'].map((name, index) => ({ id: index + 1, name: 'P', category: { name } }))
    const { mock, state } = await openWithState(adapter, { fixtures: { pets } })
    const owls = { id: 1, name: 'Owls' }
    expect(state.categories).toStrictEqual([owls, { id: 2, name: 'Newts' }])
    expect(state.pets.map(({ categoryId }) => categoryId)).toEqual([1, 2, 1])
    expect(findBrokenInvariants(state)).toEqual([])
    expect(await probeNextIds(mock)).toEqual(['/categories/3', '/pets/4', '/store/orders/1'])
  })

  it.each<[ScenarioName, string, FixtureId]>([
    ['single', 'Dogs', 1],
    ['single', 'Owls', 2],
    ['default', 'Dogs', 1],
    ['default', 'Owls of the night', 11],
    ['big-ids', 'Cats', 2],
  ])('find or create the category when merged over %s: %s', async (scenario, name, categoryId) => {
    const { state } = await openWithState(adapter, {
      scenario,
      fixtures: { pets: [{ id: 7000, name: 'P', category: { name } }] },
    })
    expect(state.pets.find(({ id }) => id === 7000)).toMatchObject({ categoryId })
    expect(state.categories.filter((category) => category.name === name)).toHaveLength(1)
  })

  it('create a category even if the largest int64 is in use', async () => {
    const fixtures = { pets: [{ id: 7000, name: 'P', category: { name: 'Owls of the night' } }] }
    const { state } = await openWithState(adapter, { scenario: 'big-ids', fixtures })
    expect(findBrokenInvariants(state)).toEqual([])
    const created = state.categories.find(({ name }) => name === 'Owls of the night')
    expect(state.pets.find(({ id }) => id === 7000)?.categoryId).toBe(created?.id)
  })

  const bases: PetstoreOptions[] = [{}, { scenario: 'single' }, { scenario: 'default' }, { scenario: 'busy', seed: 7 }]

  it.each(bases)('with five schema violations report all five with pointers: %j', async (options) => {
    const lines = await problemsOf(() => openClient(adapter, { ...options, fixtures: unchecked(MALFORMED) }))
    expect(pointersOf(lines)).toEqual(MALFORMED_AT)
  })

  it.each(bases)('with five rule violations report all five with pointers: %j', async (options) => {
    const lines = await problemsOf(() => openClient(adapter, { ...options, fixtures: unchecked(AGAINST_THE_RULES) }))
    expect(pointersOf(lines)).toEqual(AGAINST_THE_RULES_AT)
  })

  it.each<[string, PartialFixture]>([
    ['/inventory/0', { inventory: [{ petId: 1, quantity: 0, status: 'available' }] }],
    ['/inventory/0', { inventory: [{ petId: 1, quantity: 0, status: 'sold' }] }],
    ['/pets/0', { pets: [{ ...REX, status: 'sold' }] }],
    ['/pets/0', { pets: [{ ...REX, categoryId: 9 }] }],
    ['/orders/0', { orders: [{ id: 1, petId: 9 }] }],
  ])('that conflict with the scenario report the pointer %s into the fixtures: %j', async (pointer, fixtures) => {
    const lines = await problemsOf(() => openClient(adapter, { scenario: 'single', fixtures }))
    expect(pointersOf(lines).filter((each) => !each.startsWith(pointer))).toEqual([])
  })

  it('with an open order for a sold pet of the scenario report a pointer into the fixtures', async () => {
    const { state } = await openWithState(adapter, { scenario: 'sold-out' })
    const petId = state.pets.find(({ status }) => status === 'sold')?.id ?? expect.fail('No pet is sold.')
    const fixtures = { orders: [{ id: 9000, petId }] }
    const lines = await problemsOf(() => openClient(adapter, { scenario: 'sold-out', fixtures }))
    expect(lines).toEqual([expect.stringMatching(/^\/orders\/0/)])
  })

  it('with a value in place of a list report it once, not for each pet', async () => {
    const fixtures = unchecked({ categories: 'none', pets: [{ id: 1, name: 'P', category: { name: 'Owls' } }] })
    expect(await problemsOf(() => openClient(adapter, { fixtures }))).toEqual(['/categories must be a list.'])
  })

  it('with many mistakes report the first fifty and the number of the others', async () => {
    const pets = Array.from({ length: 60 }, (_, index) => ({ ...REX, id: index + 1, categoryId: 9 }))
    const lines = await problemsOf(() => openClient(adapter, { fixtures: { pets } }))
    expect(lines).toHaveLength(51)
    expect([lines[0], lines[50]]).toEqual([expect.stringMatching(/^\/pets\/0\/categoryId/), 'and 10 more'])
  })

  it.each([null, 5, 'x', []].map(unchecked))('that are not an object are rejected: %j', async (fixtures) => {
    const { mock } = await openClient(adapter)
    const lines = await problemsOf(() => expectUnchanged(mock, () => mock.petstore.load(fixtures)))
    expect(lines).toEqual([expect.stringContaining('must be an object')])
  })
})

const EMPTY: Fixture = { categories: [], pets: [], inventory: [], orders: [] }

const sizesOf = ({ categories, pets, orders }: Fixture) => [categories.length, pets.length, orders.length]

describeAdapters('the size options', (adapter) => {
  it.each<[PetstoreOptions, number[]]>([
    [{ pets: 36 }, [10, 36, 60]],
    [{ pets: 1 }, [10, 1, 2]],
    [{ pets: 0 }, [10, 0, 0]],
    [{ pets: 0, categories: 0 }, [0, 0, 0]],
    [{ orders: 0 }, [10, 72, 0]],
    [{ orders: 7 }, [10, 72, 7]],
    [{ orders: 500 }, [10, 72, 500]],
    [{ categories: 1 }, [1, 72, 120]],
    [{ categories: 60 }, [60, 72, 120]],
    [{ categories: 3, pets: 250, orders: 1 }, [3, 250, 1]],
    [{ scenario: 'sold-out', pets: 96 }, [8, 96, 240]],
    [{ scenario: 'busy', pets: 9, seed: 7 }, [12, 9, 64]],
  ])('give exactly these sizes and break no invariant: %j', async (options, sizes) => {
    const { state } = await openWithState(adapter, options)
    expect(sizesOf(state)).toEqual(sizes)
    expect(findBrokenInvariants(state)).toEqual([])
  })

  it('give the same data for the same seed, and other data for another', async () => {
    const [one, twin, other] = await Promise.all([7, 7, 8].map((seed) => openClient(adapter, { seed, pets: 30 })))
    const text = one && (await exportText(one.mock))
    expect(twin && (await exportText(twin.mock))).toBe(text)
    expect(other && (await exportText(other.mock))).not.toBe(text)
  })

  const curated = listScenarios().filter(({ name }) => ['empty', 'single', 'edge-cases', 'big-ids'].includes(name))
  const invalid: [PetstoreOptions, RegExp][] = [
    ...curated.map(({ name }): [PetstoreOptions, RegExp] => [{ scenario: name, pets: 5 }, new RegExp(name)]),
    [{ scenario: 'single', orders: 0 }, /single/],
    [{ fixtures: {}, categories: 5 }, /categories/],
    [{ pets: 0, orders: 5 }, /pets/],
    [{ categories: 0 }, /categories/],
    [{ pets: -1 }, /pets.*from 0 to.*-1/],
    [{ orders: 1.5 }, /orders.*1\.5/],
  ]
  it.each(invalid)('are rejected if they are impossible: %j', async (options, mentioning) => {
    const { code, message } = await catchMockError(() => openClient(adapter, options))
    expect([code, message]).toEqual(['INVALID_OPTION', expect.stringMatching(mentioning)])
  })

  it('can be combined with fixtures', async () => {
    const fixtures = { pets: [{ id: 500, name: 'P', category: { name: 'Dogs' } }] }
    const { state } = await openWithState(adapter, { scenario: 'default', pets: 5, orders: 0, fixtures })
    expect(sizesOf(state)).toEqual([10, 6, 0])
  })
})

const OTHER = shop([{ id: 3, stock: 2 }], [{ id: 8, petId: 3 }])

describeAdapters('loading fixtures', (adapter) => {
  it.each<PetstoreOptions>([
    {},
    { seed: 7 },
    { pets: 5 },
    { scenario: 'empty' },
    { scenario: 'single' },
    { fixtures: shop([{ id: 70 }]) },
  ])('gives the same data as creating the mock with them: %j', async (options) => {
    const { petstore, ...rest } = (await openClient(adapter, options)).mock
    await petstore.load(OTHER)
    const loaded = { ...rest, petstore }
    const { pets: _, ...others } = options
    const { mock, state } = await openWithState(adapter, { ...others, fixtures: OTHER })
    expect(await exportState(loaded)).toStrictEqual(state)
    expect(await probeNextIds(loaded)).toEqual(await probeNextIds(mock))
    if (options.scenario !== 'single') expect(state).toStrictEqual(OTHER)
  })

  it('resets ids, clock and generated values, and a reset returns to the loaded data', async () => {
    const { mock } = await openClient(adapter, { fixtures: OTHER })
    const first = mock.petstore.data.pets.create()
    mock.petstore.data.orders.create({ petId: 3 })
    mock.petstore.clock.set('2031-01-01T00:00:00Z')
    await mock.petstore.load(OTHER)
    expect(await exportState(mock)).toStrictEqual(OTHER)
    expect(await probeNextIds(mock)).toEqual(['/categories/3', '/pets/4', '/store/orders/9'])
    expect(mock.petstore.data.pets.create()).toStrictEqual(first)
    expect(new Date(mock.petstore.clock.now()).getUTCFullYear()).toBeLessThan(2031)
    mock.petstore.reset()
    expect(await exportState(mock)).toStrictEqual(OTHER)
  })

  it('that are invalid rejects and changes nothing', async () => {
    const { mock } = await openClient(adapter)
    mock.petstore.data.orders.create()
    const [snapshot, text] = [mock.petstore.snapshot(), await exportText(mock)]
    for (const invalid of [MALFORMED, AGAINST_THE_RULES]) {
      const lines = await problemsOf(() => expectUnchanged(mock, () => mock.petstore.load(unchecked(invalid))))
      expect(lines).toHaveLength(5)
      expect(await exportText(mock)).toBe(text)
    }
    mock.petstore.data.orders.create()
    mock.petstore.restore(snapshot)
    expect(await exportText(mock)).toBe(text)
  })

  it('keeps earlier snapshots, and a reset returns to the loaded data', async () => {
    const { mock } = await openClient(adapter)
    mock.petstore.data.orders.create()
    const [snapshot, text] = [mock.petstore.snapshot(), await exportText(mock)]
    const next = await probeNextIds(mock)
    await mock.petstore.load(OTHER)
    mock.petstore.restore(snapshot)
    expect([await exportText(mock), await probeNextIds(mock)]).toEqual([text, next])
    mock.petstore.reset()
    expect(await exportState(mock)).toStrictEqual(OTHER)
  })

  it('does not allow snapshots of another mock, even with the same fixtures', async () => {
    const [{ mock }, other] = [
      await openClient(adapter, { fixtures: OTHER }),
      await openClient(adapter, { fixtures: OTHER }),
    ]
    const snapshot = other.mock.petstore.snapshot()
    await mock.petstore.load(OTHER)
    const error = await expectUnchanged(mock, () => catchMockError(async () => mock.petstore.restore(snapshot)))
    expect(error.code).toBe('FOREIGN_SNAPSHOT')
  })

  it('is not affected by later changes of the fixtures', async () => {
    const mine = structuredClone(OTHER)
    const { mock } = await openClient(adapter)
    await mock.petstore.load(mine)
    mine.pets.length = 0
    for (const category of mine.categories) category.name = 'Changed'
    expect(await exportState(mock)).toStrictEqual(OTHER)
    mock.petstore.reset()
    expect(await exportState(mock)).toStrictEqual(OTHER)
  })
})

it('loading fixtures takes effect even while the starting data is still being generated', async () => {
  const petstore = createPetstore({ seed: 7 })
  await petstore.load(OTHER)
  await petstore.ready
  expect(petstore.data.pets.all()).toStrictEqual(OTHER.pets)
})

describeAdapters('the text of a file as fixtures', (adapter) => {
  const TEXTS = {
    JSON: '{"categories":[{"id":1,"name":"Dogs"}],"pets":[{"id":9007199254740993,"name":"Rex","categoryId":1}]}',
    YAML: 'categories:\n  - { id: 1, name: Dogs }\npets:\n  - { id: 9007199254740993, name: Rex, categoryId: "1" }\n',
  }
  const PETS = [{ id: 9007199254740993n, name: 'Rex', categoryId: 1, status: 'available' }]

  it.each(Object.entries(TEXTS))('may be %s, at the start and with load', async (_, fixtures) => {
    const { state } = await openWithState(adapter, { fixtures })
    expect(state.pets).toEqual(PETS)
    const { mock } = await openClient(adapter)
    await mock.petstore.load(fixtures)
    expect((await exportState(mock)).pets).toEqual(PETS)
  })

  it('is not the path of one', async () => {
    for (const fixtures of ['shop.yaml', './data/shop.JSON']) {
      const message = `Option "fixtures" must be an object in the fixture format, or the text of a file: readFileSync('shop.yaml', 'utf8'). Received: "${fixtures}".`
      expect((await catchMockError(async () => createPetstore({ fixtures }))).message).toBe(message)
      expect((await catchMockError(() => createPetstore().load(fixtures))).message).toBe(message)
    }
  })

  it('is reported if it cannot be parsed, or has mistakes', async () => {
    const open = (fixtures: string) => async () => createPetstore({ fixtures }).ready
    expect(await problemsOf(open('{ "pets": ['))).toEqual([
      expect.stringMatching(/^Invalid YAML at line 1, column \d+/),
    ])
    expect(await problemsOf(open('pets: [\n'))).toEqual([expect.stringMatching(/^Invalid YAML at line \d/)])
    expect(await problemsOf(open('Rex'))).toEqual([
      expect.stringContaining('A fixture must be an object with the lists'),
    ])
    expect(await problemsOf(open('pets: [{ id: 1 }]'))).toContainEqual(
      expect.stringContaining('/pets/0/name is missing'),
    )
  })
})
