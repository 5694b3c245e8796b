import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toRecords } from '../../src/engine/data/read.js'
import { runNow } from '../../src/lib/steps.js'
import type { Fixture, FixtureId } from '../../src/petstore/fixtures/format.js'
import { petstoreService } from '../../src/petstore/service.js'
import { findFixtureProblems } from '../support/petstore-fixtures.js'

const RUNS = { seed: 7, numRuns: 200 }

function recordsOf(fixture: Partial<Fixture>) {
  const { categories = [], pets = [], orders = [] } = toRecords(fixture as never, petstoreService.fixtureFormat)
  return { categories: [...categories], pets: [...pets], orders: [...orders] }
}

const problemsOf = (fixture: unknown, rules: 'on' | 'off' = 'on') =>
  runNow(findFixtureProblems(fixture, rules)).map(({ message }) => message)

/** A valid fixture; each test makes one mistake in it. */
const VALID: Fixture = {
  categories: [{ id: 1, name: 'Dogs' }],
  pets: [
    { id: 1, name: 'Rex', categoryId: 1, status: 'available' },
    { id: 2, name: 'Ada', categoryId: 1, status: 'sold' },
  ],
  inventory: [
    { petId: 1, quantity: 3, status: 'available' },
    { petId: 2, quantity: 0, status: 'sold' },
  ],
  orders: [{ id: 1, petId: 1, quantity: 1, complete: false }],
}

type ListName = 'categories' | 'pets' | 'inventory' | 'orders'

/** The valid fixture with other values in one entry. */
function withChange(list: ListName, index: number, values: object): object {
  const entries: readonly object[] = VALID[list]
  return { ...VALID, [list]: entries.map((entry, at) => (at === index ? { ...entry, ...values } : entry)) }
}

/** The valid fixture with one more entry. */
function withMore(list: ListName, entry: unknown): object {
  return { ...VALID, [list]: [...VALID[list], entry] }
}

function withoutField(list: ListName, field: string): object {
  const [first, ...others]: readonly object[] = VALID[list]
  const kept = Object.fromEntries(Object.entries(first ?? {}).filter(([name]) => name !== field))
  return { ...VALID, [list]: [kept, ...others] }
}

describe('a valid fixture', () => {
  it('has no problems', () => {
    expect(problemsOf(VALID)).toEqual([])
    expect(problemsOf({})).toEqual([])
    expect(problemsOf({ description: 'nothing', pets: [] })).toEqual([])
  })

  it('may have complete orders for deleted pets, and orders without a pet', () => {
    expect(problemsOf(withMore('orders', { id: 2, petId: 99, complete: true }))).toEqual([])
    expect(problemsOf(withMore('orders', { id: 2 }))).toEqual([])
  })
})

describe('a malformed fixture', () => {
  it.each([
    ['a pet without a name', withoutField('pets', 'name'), '/pets/0/name is missing'],
    ['an entry without a quantity', withoutField('inventory', 'quantity'), '/inventory/0/quantity is missing'],
    ['an order whose id is undefined', withChange('orders', 0, { id: undefined }), '/orders/0/id is missing'],
    ['an unknown status', withChange('pets', 1, { status: 'SOLD' }), '/pets/1/status must be one of'],
    ['an id that is not exact', withChange('pets', 1, { id: 2 ** 53 }), '/pets/1/id must be a 64-bit integer'],
    ['an impossible date', withChange('orders', 0, { shipDate: '2024-02-30T00:00:00Z' }), '/orders/0/shipDate must be'],
    ['a pet that is text', withMore('pets', 'Rex'), '/pets/2 must be an object, but is the string "Rex"'],
    [
      'an unknown field',
      withChange('pets', 0, { stauts: 'sold' }),
      '/pets/0/stauts is unknown. Available: id, name, categoryId, status, category.',
    ],
    ['a list named like a member of every object', { ...VALID, constructor: [] }, '/constructor is unknown'],
    ['a list whose name needs escaping', { ...VALID, 'a/b~c': [] }, '/a~1b~0c is unknown'],
  ])('has one problem with its JSON pointer: %s', (_, fixture, expected) => {
    const problems = problemsOf(fixture)
    expect(problems.map((line) => line.slice(0, expected.length))).toEqual([expected])
    expect(problemsOf(fixture, 'off')).toEqual(problems)
  })
})

describe('an inconsistent fixture', () => {
  it.each([
    ['a category twice', withMore('categories', { id: 1, name: 'x' }), '/categories/1/id repeats the id 1'],
    ['a pet twice', withMore('pets', { id: 1, name: 'x', categoryId: 1 }), '/pets/2/id repeats the id 1'],
    ['an order twice', withMore('orders', { id: 1n }), '/orders/1/id repeats the id 1'],
    [
      'an entry twice',
      withMore('inventory', { petId: 1, quantity: 3, status: 'available' }),
      '/inventory/2/petId repeats the id 1',
    ],
    [
      'an entry without a pet',
      withMore('inventory', { petId: 9, quantity: 3, status: 'available' }),
      '/inventory/2/petId refers to pet 9',
    ],
  ])('has one problem with its JSON pointer, with the rules on and off: %s', (_, fixture, expected) => {
    const problems = problemsOf(fixture, 'off')
    expect(problems.map((line) => line.slice(0, expected.length))).toEqual([expected])
    expect(problemsOf(fixture)).toEqual(problems)
  })
})

describe('a fixture that breaks the store rules', () => {
  it.each([
    ['a pet in no category', withChange('pets', 0, { categoryId: 9 }), '/pets/0/categoryId refers to category 9'],
    ['a stock below 0', withChange('inventory', 1, { quantity: -1 }), '/inventory/1/quantity'],
    ['an available pet without stock', withChange('inventory', 0, { quantity: 0 }), '/pets/0/status is available'],
    ['a sold pet with stock', withChange('inventory', 1, { quantity: 2 }), '/pets/1/status is sold'],
    ['an entry of another status', withChange('inventory', 0, { status: 'pending' }), '/inventory/0/status is pending'],
    ['an open order for no pet', withMore('orders', { id: 2, petId: 9 }), '/orders/1/petId refers to pet 9'],
    ['an order for 0', withChange('orders', 0, { quantity: 0 }), '/orders/0/quantity must be 1 or more'],
  ])('has one problem with its JSON pointer, and none with the rules off: %s', (_, fixture, expected) => {
    expect(problemsOf(fixture).map((line) => line.slice(0, expected.length))).toEqual([expected])
    expect(problemsOf(fixture, 'off')).toEqual([])
  })
})

describe('a fixture with several problems', () => {
  it('lists those of shape, references and rules together, in the order of the file', () => {
    const fixture = {
      categories: [{ id: 1, name: 'Dogs' }],
      pets: [
        { id: 1, name: 'Rex', categoryId: 7 },
        { id: 2, name: 'Ada', categoryId: 1, status: 'gone' },
        { id: 1, name: 'Bo', categoryId: 1 },
      ],
      inventory: [{ petId: 1, quantity: -1, status: 'available' }],
      orders: [
        { id: 1, petId: 99, shipDate: '2024-02-30T00:00:00Z' },
        { id: 2, petId: 99 },
      ],
    }
    expect(problemsOf(fixture).map((line) => line.split(' ')[0])).toEqual([
      '/pets/0/categoryId',
      '/pets/1/status',
      '/pets/2/id',
      '/inventory/0/quantity',
      '/orders/0/shipDate',
      '/orders/0/petId',
      '/orders/1/petId',
    ])
  })
})

describe('a list with an id that cannot be read', () => {
  it('does not hide references to missing entries of the list', () => {
    const fixture = { ...VALID, pets: [...VALID.pets, { name: 'Bo', categoryId: 1 }], orders: [{ id: 1, petId: 99 }] }
    expect(problemsOf(fixture)).toEqual([
      expect.stringMatching(/^\/pets\/2\/id is missing/),
      '/orders/0/petId refers to pet 99, which is not in the fixture.',
    ])
  })

  it('has no other problems if no id of it can be read', () => {
    const fixture = {
      categories: VALID.categories,
      pets: [{ ID: 1, name: 'Rex', categoryId: 1 }],
      orders: VALID.orders,
    }
    expect(problemsOf(fixture).map((line) => line.split(' ')[0])).toEqual(['/pets/0/ID', '/pets/0/id'])
  })
})

describe('the records of a fixture', () => {
  it('have the defaults of the contract for missing fields', () => {
    const records = recordsOf({
      categories: [{ id: 1, name: 'Dogs' }],
      pets: [
        { id: 1, name: 'Rex', categoryId: 1 },
        { id: 2, name: 'Ada', categoryId: 1, status: 'sold' },
        { id: 3, name: 'Bo', categoryId: 1, status: 'pending' },
      ],
      inventory: [{ petId: 3, quantity: 0, status: 'pending' }],
      orders: [{ id: 1 }],
    })
    expect(records.categories).toEqual([{ id: '1', name: 'Dogs' }])
    expect(records.pets.map(({ status, stock }) => [status, stock])).toEqual([
      ['available', 1],
      ['sold', 0],
      ['pending', 0],
    ])
    expect(records.orders).toEqual([{ id: '1' }])
  })

  it('have dates in UTC with milliseconds', () => {
    const { orders } = recordsOf({ orders: [{ id: 1, shipDate: '2026-03-31t09:30:00+02:00' }] })
    expect(orders[0]?.shipDate).toBe('2026-03-31T07:30:00.000Z')
  })

  it('have exact ids, whether they are numbers, bigints or strings', () => {
    const id = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
    const spelled = fc.tuple(id, fc.nat(2)).map(([value, way]): FixtureId => {
      if (way === 0) return String(value)
      return way === 1 && Number.isSafeInteger(Number(value)) ? Number(value) : value
    })
    fc.assert(
      fc.property(spelled, spelled, spelled, (category, pet, order) => {
        const fixture: Fixture = {
          categories: [{ id: category, name: 'Dogs' }],
          pets: [{ id: pet, name: 'Rex', categoryId: category }],
          inventory: [{ petId: pet, quantity: 2, status: 'available' }],
          orders: [{ id: order, petId: pet }],
        }
        expect(problemsOf(fixture)).toEqual([])
        const { categories, pets, orders } = recordsOf(fixture)
        expect(categories[0]?.id).toBe(String(category))
        expect(pets[0]).toMatchObject({ id: String(pet), categoryId: String(category), stock: 2 })
        expect(orders[0]).toMatchObject({ id: String(order), petId: String(pet) })
      }),
      RUNS,
    )
  })
})
