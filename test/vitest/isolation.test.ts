import { afterAll, afterEach, beforeEach, describe, test as plainTest } from 'vitest'
import { expect, test as petstoreTest, setupPetstore } from '../../src/runners/vitest/index.js'

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

describe('Concurrent tests at one address do not share a mock', () => {
  for (let number = 0; number < 50; number++) {
    test.concurrent(`number ${number} creates and counts its own pets`, async ({ petstore, expect }) => {
      const count = 1 + (number % 5)
      expect(await countPets()).toBe(1)
      for (let created = 0; created < count; created++) await createPet(`Pet ${number}`)
      expect(await countPets()).toBe(1 + count)
      const names = petstore.data.pets.all().map(({ name }) => name)
      expect(names.filter((name) => name === `Pet ${number}`)).toHaveLength(count)
      expect(names).toHaveLength(1 + count)
      expect(petstore).toHaveReceivedTimes('createPet', count, { body: { name: `Pet ${number}` } })
      expect(petstore.journal.total).toBe(2 + count)
    })
  }
})

describe('A concurrent test has its own mock', () => {
  test.concurrent.for(['a', 'b', 'c'])('with test.for %s', async (name, { petstore, expect }) => {
    await createPet(name)
    expect(petstore).toHaveReceivedTimes('createPet', 1, { body: { name } })
  })

  test.concurrent.each([
    ['d', 'e'],
    ['f', 'g'],
    ['h', 'i'],
  ])('with test.each %s and %s', async (name, other) => {
    await createPet(name)
    await createPet(other)
    expect(await countPets()).toBe(3)
  })

  test.skipIf(false).concurrent.each`
    name   | count
    ${'j'} | ${1}
    ${'k'} | ${2}
    ${'l'} | ${3}
  `('with test.each of a table: $name', { timeout: 30_000 }, async ({ name, count }) => {
    for (let number = 0; number < count; number++) await createPet(name)
    expect(await countPets()).toBe(1 + count)
  })

  const further = test.extend<{ greeting: string }>({ greeting: ({ task }, use) => use(`Hello ${task.name}`) })
  for (const number of [1, 2, 3]) {
    further.concurrent(`with a test that is extended again ${number}`, async ({ greeting, petstore, expect }) => {
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
    fetching.concurrent(`with fixtures that make requests ${number}`, async ({ created, other, petstore, expect }) => {
      expect(created).toBe(other)
      expect(petstore).toHaveReceivedTimes('createPet', 2, { body: { name: created } })
    })
  }

  describe.concurrent('with options and hooks', () => {
    test.aroundEach(async (runTest, { petstore }) => {
      await createPet('from aroundEach')
      await runTest()
      expect(petstore.data.pets.all()).toHaveLength(6)
    })
    test.beforeEach(async ({ petstore }) => {
      await createPet('from beforeEach')
      expect(petstore.journal.total).toBe(2)
    })
    // vitest's own hooks work too.
    beforeEach(() => createPet('from another beforeEach'))
    afterEach(async () => expect(await countPets()).toBe(5))

    for (const number of [1, 2, 3]) {
      test(`number ${number}`, { timeout: 30_000 }, async ({ petstore, expect, onTestFinished }) => {
        await createPet('from the test')
        expect(petstore.data.pets.all()).toHaveLength(5)
        onTestFinished(() => createPet('from onTestFinished'))
      })
    }
  })

  describe.concurrent('when it is retried', () => {
    let failures = 0

    test.for(['m', 'n'])('test %s', { retry: 1 }, async (name, { petstore, task, expect }) => {
      await createPet(name)
      expect(petstore.data.pets.all()).toHaveLength(2)
      if (task.result?.retryCount === 0) failures += 1
      expect(task.result?.retryCount).toBe(1)
    })

    afterAll(() => expect(failures).toBe(2))
  })
})

describe('The mock of a test', () => {
  test('has the options of petstoreOptions', async ({ petstore }) => {
    expect(await countPets()).toBe(1)
    expect(petstore.options.scenario).toBe('single')
  })

  test('is new for every test', async ({ petstore }) => {
    petstore.data.pets.create()
    expect(petstore.data.pets.all()).toHaveLength(2)
  })

  test('does not have the data of the previous test', async ({ petstore }) => {
    expect(petstore.data.pets.all()).toHaveLength(1)
    expect(petstore.journal.total).toBe(0)
  })

  test('listens for a test that does not use the fixture', async () => {
    expect(await countPets()).toBe(1)
  })

  test('can be replaced by another mock at the same address', async ({ petstore }) => {
    petstore.close()
    const other = setupPetstore({ baseUrl: BASE, scenario: 'empty' })
    other.listen()
    expect(await countPets()).toBe(0)
    other.close()
    expect(petstore.journal.total).toBe(0)
  })

  plainTest('is closed when the test ends', () => {
    expect(globalThis.fetch).toBe(ORIGINAL_FETCH)
  })
})

const ORIGINAL_FETCH = globalThis.fetch
