import { faker } from '@faker-js/faker/locale/en'
import { describe, expect, it, vi } from 'vitest'
import { runNow } from '../../src/lib/steps.js'
import type { Fixture } from '../../src/petstore/fixtures/format.js'
import { generateScenario } from '../../src/petstore/fixtures/generate.js'
import { type Distribution, RECIPES, type Sizes } from '../../src/petstore/fixtures/recipes.js'
import { findBrokenInvariants } from '../support/invariants.js'
import { formatFixture } from '../support/petstore-fixtures.js'

const DEFAULT_SIZES = RECIPES.default.sizes
const SEEDS = Array.from({ length: 30 }, (_, index) => index + 1)
const LARGE_SIZES = { categories: 40, pets: 2000, orders: 3000 }

const LARGE = generateFixture(LARGE_SIZES, 1)

const generateDefault = (seed: number) => runNow(generateScenario(RECIPES.default, seed))

function generateFixture(
  sizes: Sizes,
  seed: number,
  distribution: Distribution = RECIPES.default.distribution,
): Fixture {
  return runNow(generateScenario({ description: '', sizes, distribution }, seed))
}

describe('the same seed', () => {
  it('gives the same bytes in any time zone, at any time and whatever Math.random returns', () => {
    const expected = formatFixture(generateDefault(7))
    vi.stubEnv('TZ', 'Pacific/Kiritimati')
    vi.useFakeTimers({ now: new Date('1999-12-31T23:59:59Z') })
    vi.spyOn(Math, 'random').mockReturnValue(0.5)
    try {
      expect(formatFixture(generateDefault(7))).toBe(expected)
    } finally {
      vi.restoreAllMocks()
      vi.useRealTimers()
      vi.unstubAllEnvs()
    }
  })

  it('neither changes the global faker nor depends on it', () => {
    faker.seed(5)
    const expected = [faker.number.int(), faker.number.int()]
    faker.seed(5)
    const first = faker.number.int()
    const fixture = generateDefault(7)
    expect([first, faker.number.int()]).toEqual(expected)
    faker.seed(6)
    expect(generateDefault(7)).toEqual(fixture)
  })
})

describe('different seeds', () => {
  it('differ over the whole range of safe integers', () => {
    const seeds = [0, 1, 2 ** 32, 2 ** 32 + 1, Number.MAX_SAFE_INTEGER]
    expect(new Set(seeds.map((seed) => JSON.stringify(generateDefault(seed).pets))).size).toBe(seeds.length)
  })
})

describe('the distribution', () => {
  const { sizes, distribution } = RECIPES.default
  const base = generateFixture(sizes, 3)
  const generateWith = (change: Partial<Distribution>) => generateFixture(sizes, 3, { ...distribution, ...change })

  it('does not change names and categories', () => {
    const other = generateWith({
      statusWeights: { available: 1, pending: 1, sold: 0 },
      maxStock: 2,
      reservedPercent: 50,
      openOrderPercent: 90,
    })
    const namesOf = ({ pets }: Fixture) => pets.map(({ name, categoryId }) => [name, categoryId])
    expect(other.categories).toEqual(base.categories)
    expect(namesOf(other)).toEqual(namesOf(base))
    expect(findBrokenInvariants(other)).toEqual([])
  })

  it('decides how many orders are open, not counting those that made a pet pending', () => {
    const openOf = ({ orders }: Fixture) => orders.filter(({ complete }) => !complete)
    const statusOf = new Map(base.pets.map(({ id, status }) => [id, status]))
    expect(openOf(generateWith({ openOrderPercent: 0 })).map(({ petId = 0 }) => statusOf.get(petId))).toEqual(
      base.inventory.filter(({ status, quantity }) => status === 'pending' && quantity === 0).map(() => 'pending'),
    )
    const all = generateWith({ openOrderPercent: 100 })
    expect(all.orders.filter(({ complete }) => complete).every(({ petId = 0 }) => statusOf.get(petId) === 'sold')).toBe(
      true,
    )
    expect(openOf(all).length).toBeGreaterThan(openOf(base).length)
  })
})

describe('independent random sources', () => {
  const base = generateFixture(DEFAULT_SIZES, 3)

  it('do not change categories, pets and stock when more orders are requested', () => {
    const more = generateFixture({ ...DEFAULT_SIZES, orders: 500 }, 3)
    expect(more.categories).toEqual(base.categories)
    expect(more.pets).toEqual(base.pets)
    expect(more.inventory).toEqual(base.inventory)
  })

  it('do not change the first pets and their stock when more pets are requested', () => {
    const more = generateFixture({ ...DEFAULT_SIZES, pets: 500 }, 3)
    expect(more.categories).toEqual(base.categories)
    expect(more.pets.slice(0, 72)).toEqual(base.pets)
    expect(more.inventory.slice(0, 72)).toEqual(base.inventory)
  })
})

describe('generated data', () => {
  it.each([
    { categories: 0, pets: 0, orders: 0 },
    { categories: 1, pets: 1, orders: 5 },
    { categories: 2, pets: 50, orders: 3 },
  ])('satisfies the invariants and has the requested sizes: %o', (sizes) => {
    const fixture = generateFixture(sizes, 1)
    expect(findBrokenInvariants(fixture)).toEqual([])
    const { categories, pets, inventory, orders } = fixture
    expect([categories.length, pets.length, orders.length]).toEqual(Object.values(sizes))
    expect(inventory).toHaveLength(sizes.pets)
  })

  it('numbers the records of each list from 1', () => {
    for (const list of [LARGE.categories, LARGE.pets, LARGE.orders]) {
      expect(list.map(({ id }) => id)).toEqual(list.map((_, index) => index + 1))
    }
  })

  it('starts with an available, a pending and a sold pet', () => {
    for (const seed of SEEDS) {
      const first = generateDefault(seed).pets.slice(0, 3)
      expect(first.map(({ status }) => status)).toEqual(['available', 'pending', 'sold'])
    }
  })
})

describe('the default recipe', () => {
  const fixtures = SEEDS.map(generateDefault)

  it('has 10 described categories, each with a pet, 72 pets with distinct names and 120 orders', () => {
    for (const { categories, pets, orders } of fixtures) {
      expect(new Set(categories.map(({ name }) => name)).size).toBe(10)
      expect(categories.every(({ description }) => description?.endsWith('.'))).toBe(true)
      expect(new Set(pets.map(({ categoryId }) => categoryId)).size).toBe(10)
      expect(new Set(pets.map(({ name }) => name)).size).toBe(72)
      expect(orders).toHaveLength(120)
    }
  })

  it('has a complete order for every sold pet, and an open order for every pending pet without stock', () => {
    for (const { inventory, orders } of fixtures) {
      const openFor = new Set(orders.filter(({ complete }) => !complete).map(({ petId }) => petId))
      const completeFor = new Set(orders.filter(({ complete }) => complete).map(({ petId }) => petId))
      const pending = inventory.filter(({ status }) => status === 'pending')
      const outOfStock = pending.filter(({ quantity }) => quantity === 0)
      expect(inventory.every(({ petId, status }) => status !== 'sold' || completeFor.has(petId))).toBe(true)
      expect(outOfStock.every(({ petId }) => openFor.has(petId))).toBe(true)
      expect(outOfStock.length).toBeGreaterThan(pending.length / 2)
    }
  })
})

describe('large generated data', () => {
  it('has distinct names and one-sentence descriptions for hundreds of categories', () => {
    const { categories } = generateFixture({ categories: 800, pets: 0, orders: 0 }, 1)
    expect(new Set(categories.map(({ name }) => name)).size).toBe(800)
    for (const { description } of categories) expect(description).toMatch(/^[A-Z][^.]+\.$/)
  })
})

describe('invalid sizes and seeds', () => {
  it('include more categories than there are names for', () => {
    expect(() => generateFixture({ categories: 1_000_000, pets: 0, orders: 0 }, 1)).toThrow(
      expect.objectContaining({
        code: 'INVALID_OPTION',
        option: 'categories',
        expected: expect.stringMatching(/^\d+ or fewer$/),
        received: '1000000',
      }),
    )
  })
})

describe('formatFixture', () => {
  it.each(['', '1.5', 'seven', '1e3', '007', 2 ** 53, 1.5])('rejects the id %o', (id) => {
    expect(() => formatFixture({ categories: [{ id, name: 'x' }], pets: [], inventory: [], orders: [] })).toThrow(
      RangeError,
    )
  })
})

it('the oracle of the invariants finds what is broken', () => {
  const pets = [{ id: 1, name: 'Rex', categoryId: 7 }]
  const orders = [{ id: 1, petId: 9, quantity: 0 }]
  expect(findBrokenInvariants({ categories: [], pets, inventory: [], orders })).toEqual([
    'Pet 1 has no category 7.',
    'Pet 1 has no inventory entry.',
    'Open order 1 is for pet 9, which does not exist.',
    'Order 1 has a quantity of 0.',
  ])
})
