import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parseJson } from '../../src/lib/json.js'
import { runNow } from '../../src/lib/steps.js'
import type { Fixture } from '../../src/petstore/fixtures/format.js'
import { generateScenario } from '../../src/petstore/fixtures/generate.js'
import { DEFAULT_SEED, RECIPES } from '../../src/petstore/fixtures/recipes.js'
import { listScenarios, loadScenario, type ScenarioName, scenarioNames } from '../../src/petstore/fixtures/scenarios.js'
import { findBrokenInvariants } from '../support/invariants.js'
import { findFixtureProblems, formatFixture } from '../support/petstore-fixtures.js'

const SEEDS = Array.from({ length: 10 }, (_, index) => index + 1)
const RECIPE_NAMES = Object.keys(RECIPES) as (keyof typeof RECIPES)[]
const HANDWRITTEN_NAMES = scenarioNames().filter((name) => !Object.hasOwn(RECIPES, name))

function readFile(name: string): string {
  return readFileSync(new URL(`../../fixtures/${name}.json`, import.meta.url), 'utf8')
}

/** A scenario at the default seed, which is read from its file. */
function loadFile(name: ScenarioName): Fixture {
  return loadScenario(name, DEFAULT_SEED) as Fixture
}

function expectValid(fixture: Fixture): void {
  expect(runNow(findFixtureProblems(fixture, 'on'))).toEqual([])
  expect(findBrokenInvariants(fixture)).toEqual([])
}

describe('the shipped scenarios', () => {
  it('are the files in fixtures/', () => {
    const files = readdirSync(new URL('../../fixtures/', import.meta.url)).map((file) => file.replace(/\.json$/, ''))
    expect([...scenarioNames()].sort()).toEqual(files.sort())
    expect(scenarioNames()).toEqual(
      expect.arrayContaining(['default', 'empty', 'sold-out', 'busy', 'single', 'edge-cases', 'big-ids']),
    )
  })

  it.each(scenarioNames())('conform to the contract: %s', (name) => {
    expectValid(loadFile(name))
  })

  it('are listed with description and sizes', () => {
    expect(listScenarios()).toEqual(
      scenarioNames().map((name) => {
        const { description, categories, pets, orders } = JSON.parse(readFile(name))
        return { name, description, sizes: { categories: categories.length, pets: pets.length, orders: orders.length } }
      }),
    )
    expect(new Set(listScenarios().map(({ description }) => description)).size).toBe(scenarioNames().length)
  })
})

describe.each(RECIPE_NAMES)('the recipe %s', (name) => {
  const fixtures = SEEDS.map((seed) => runNow(generateScenario(RECIPES[name], seed)))

  it.each(SEEDS)('conforms to the contract at seed %i', (seed) => {
    expectValid(runNow(generateScenario(RECIPES[name], seed)))
  })

  it('gives exactly the bytes of its file at the default seed', () => {
    expect(formatFixture(runNow(generateScenario(RECIPES[name], DEFAULT_SEED)))).toBe(readFile(name))
  })

  it('gives different data at every seed', () => {
    expect(new Set(fixtures.map(formatFixture)).size).toBe(SEEDS.length)
    for (const list of ['pets', 'inventory', 'orders'] as const) {
      expect(new Set(fixtures.map((fixture) => JSON.stringify(fixture[list]))).size).toBeGreaterThan(1)
    }
  })

  it('is loaded synchronously at the default seed and generated at others', async () => {
    expect(loadScenario(name, DEFAULT_SEED)).toEqual(fixtures[0])
    const later = loadScenario(name, 2)
    expect(later).toBeInstanceOf(Promise)
    expect(await later).toEqual(fixtures[1])
  })
})

describe('handwritten scenarios', () => {
  it.each(HANDWRITTEN_NAMES)('are the same at every seed and loaded synchronously: %s', (name) => {
    for (const seed of [0, 7]) expect(loadScenario(name, seed)).toEqual(parseJson(readFile(name)))
  })
})

const isOpen = ({ complete }: { complete?: boolean }) => complete !== true

describe.each(SEEDS)('sold-out at seed %i', (seed) => {
  const { pets, inventory, orders } = runNow(generateScenario(RECIPES['sold-out'], seed))

  it('has nothing available and nothing in stock', () => {
    expect(inventory.filter(({ status, quantity }) => status === 'available' || quantity > 0)).toEqual([])
    expect(new Set(pets.map(({ status }) => status))).toEqual(new Set(['pending', 'sold']))
  })

  it('has an open order for every pending pet and a complete one for every sold pet', () => {
    const openFor = new Set(orders.filter(isOpen).map(({ petId }) => petId))
    const completeFor = new Set(orders.filter((order) => !isOpen(order)).map(({ petId }) => petId))
    for (const { id, status } of pets) expect((status === 'pending' ? openFor : completeFor).has(id)).toBe(true)
  })
})

describe.each(SEEDS)('busy at seed %i', (seed) => {
  const { pets, inventory, orders } = runNow(generateScenario(RECIPES.busy, seed))
  const open = orders.filter(isOpen)

  it('has at least 300 open orders, and more than one for most pets', () => {
    expect(open.length).toBeGreaterThanOrEqual(300)
    const several = pets.filter(({ id }) => open.filter(({ petId }) => petId === id).length > 1)
    expect(several.length).toBeGreaterThan(pets.length * 0.75)
  })

  it('has little stock, but some available pets', () => {
    const stocks = inventory.map(({ quantity }) => quantity)
    expect(Math.max(...stocks)).toBeLessThanOrEqual(3)
    expect(stocks.reduce((sum, stock) => sum + stock, 0)).toBeLessThan(open.length / 2)
    expect(inventory.some(({ status }) => status === 'available')).toBe(true)
  })
})

describe('edge-cases', () => {
  const { pets } = loadFile('edge-cases')

  it.each<[string, (name: string) => boolean]>([
    ['a very long one', (name) => name.length >= 4000],
    ['empty text', (name) => name === ''],
    ['only spaces', (name) => name !== '' && name.trim() === ''],
    ['combining marks', (name) => name.normalize('NFC') !== name && /\p{Mark}/u.test(name)],
    ['joined emoji', (name) => /\p{Emoji}\u200d\p{Emoji}/u.test(name)],
    ['markup', (name) => name.includes('<script>')],
    ['__proto__', (name) => name === '__proto__'],
    ['a line break', (name) => name.includes('\r\n')],
    ['a zero byte', (name) => name.includes('\0')],
  ])('has a pet whose name is or contains %s', (_, matches) => {
    expect(pets.some(({ name }) => matches(name))).toBe(true)
  })

  it('has invisible characters escaped in its file', () => {
    const text = readFile('edge-cases').replaceAll('\n', '')
    expect(text.match(/[\p{Control}\p{Format}\p{Zl}\p{Zp}\p{Variation_Selector}]/gu)).toBeNull()
  })
})

describe('big-ids', () => {
  const { categories, pets, orders } = loadFile('big-ids')
  const NEIGHBOURS = ['9007199254740991', '9007199254740992', '9007199254740993', '9007199254740994']
  const LAST = '9223372036854775807'

  it.each(Object.entries({ categories, pets, orders }))(
    'has neighbouring ids that a double cannot distinguish, the largest id and ordinary ids: %s',
    (_, list) => {
      const ids = list.map(({ id }) => String(id))
      expect(ids).toEqual(expect.arrayContaining([...NEIGHBOURS, LAST, '1', '2']))
      expect(new Set(ids.map(Number)).size).toBeLessThan(new Set(ids).size)
    },
  )

  it('is written and read with exact ids', () => {
    expect(formatFixture(loadFile('big-ids'))).toBe(readFile('big-ids'))
  })
})
