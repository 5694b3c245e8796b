import { describe, test as plainTest } from 'vitest'
import { expect, test as petstoreTest } from '../../src/vitest/index.js'

const BASE = 'https://petstore.test/v1'
const test = petstoreTest.extend({ petstoreOptions: { baseUrl: BASE, scenario: 'single' } })

async function createPet(name: string): Promise<void> {
  const response = await fetch(`${BASE}/pets`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name, categoryId: 1 }),
  })
  expect(response.status).toBe(201)
}

async function countPets(): Promise<number> {
  const response = await fetch(`${BASE}/pets?limit=1`)
  return Number(response.headers.get('x-total-count'))
}

describe('Concurrent tests at one address do not see each other', () => {
  for (let number = 0; number < 200; number++) {
    test.concurrent(`number ${number} creates and counts its own pets`, async ({ petstore, expect }) => {
      const wanted = 1 + (number % 5)
      expect(await countPets()).toBe(1)
      for (let count = 0; count < wanted; count++) await createPet(`Pet ${number}`)
      expect(await countPets()).toBe(1 + wanted)
      const names = petstore.data.pets.all().map(({ name }) => name)
      expect(names.filter((name) => name === `Pet ${number}`)).toHaveLength(wanted)
      expect(names).toHaveLength(1 + wanted)
      expect(petstore).toHaveReceivedTimes('createPet', wanted, { body: { name: `Pet ${number}` } })
      expect(petstore.journal.total).toBe(2 + wanted)
    })
  }
})

describe('Every way to declare a concurrent test keeps it apart', () => {
  test.concurrent.for(['a', 'b', 'c'])('test.for %s', async (name, { petstore, expect }) => {
    await createPet(name)
    expect(petstore).toHaveReceivedTimes('createPet', 1, { body: { name } })
  })

  test.concurrent.each([
    ['d', 'e'],
    ['f', 'g'],
    ['h', 'i'],
  ])('test.each %s and %s', async (name, other) => {
    await createPet(name)
    await createPet(other)
    expect(await countPets()).toBe(3)
  })

  test.skipIf(false).concurrent.each`
    name   | count
    ${'j'} | ${1}
    ${'k'} | ${2}
    ${'l'} | ${3}
  `('test.each of a table: $name', { timeout: 30_000 }, async ({ name, count }) => {
    for (let number = 0; number < count; number++) await createPet(name)
    expect(await countPets()).toBe(1 + count)
  })

  const further = test.extend<{ greeting: string }>({ greeting: ({ task }, use) => use(`Hello ${task.name}`) })
  for (const number of [1, 2, 3]) {
    further.concurrent(`a test extended further ${number}`, async ({ greeting, petstore, expect }) => {
      await createPet(greeting)
      expect(petstore).toHaveReceivedTimes('createPet', 1, { body: { name: greeting } })
    })
  }

  const fetching = test.extend<{ created: string; other: string }>({
    created: async ({ task, petstore: _ }, use) => {
      await createPet(task.name)
      await use(task.name)
    },
    other: [
      async ({ task, petstore: _ }, use) => {
        await createPet(task.name)
        await use(task.name)
      },
      { auto: true },
    ],
  })
  for (const number of [1, 2, 3]) {
    fetching.concurrent(`a fixture that makes requests ${number}`, async ({ created, other, petstore, expect }) => {
      expect(created).toBe(other)
      expect(petstore).toHaveReceivedTimes('createPet', 2, { body: { name: created } })
    })
  }

  describe.concurrent('with options and hooks', () => {
    test.beforeEach(async ({ petstore }) => {
      await createPet('from the hook')
      expect(petstore.journal.total).toBe(1)
    })

    for (const number of [1, 2, 3]) {
      test(`number ${number}`, { timeout: 30_000 }, async ({ petstore, expect }) => {
        await createPet('from the test')
        expect(petstore.data.pets.all()).toHaveLength(3)
      })
    }
  })
})

describe('test.each', () => {
  const given: unknown[] = []

  test.each([null, 'text', [1, 2], { name: 'an object' }])('hands over %j as it is', (...values: unknown[]) => {
    given.push(values)
  })

  test.each([
    [1, 2],
    [3, 4],
  ])('hands over the members of arrays alone: %i, %i', (...values: unknown[]) => {
    given.push(values)
  })

  test.each([undefined, 'text'])('titles %s', () => {
    const { currentTestName } = expect.getState()
    given.push(currentTestName?.split(' > ').at(-1))
  })

  test('has done so, with the titles of vitest', () => {
    expect(given).toEqual([
      ...[[null], ['text'], [[1, 2]], [{ name: 'an object' }], [1, 2], [3, 4]],
      ...['titles undefined', 'titles text'],
    ])
  })

  test.describe.each(['one', 'other'])('of describe is left alone: %s', (name) => {
    test('hands over', () => {
      expect(['one', 'other']).toContain(name)
    })
  })
})

describe('The pet store of a test', () => {
  test('listens at the address of the options', async ({ petstore }) => {
    expect(await countPets()).toBe(1)
    expect(petstore.options.scenario).toBe('single')
  })

  test('is fresh, whatever the test before did to its own', async ({ petstore }) => {
    petstore.data.pets.create()
    expect(petstore.data.pets.all()).toHaveLength(2)
  })

  test('is fresh again', async ({ petstore }) => {
    expect(petstore.data.pets.all()).toHaveLength(1)
    expect(petstore.journal.total).toBe(0)
  })

  test('is there for a test that does not ask for it too', async () => {
    expect(await countPets()).toBe(1)
  })

  plainTest('is closed when the test has ended', () => {
    expect(globalThis.fetch).toBe(ORIGINAL_FETCH)
  })
})

const ORIGINAL_FETCH = globalThis.fetch
