import { beforeEach, describe } from 'vitest'
import { test } from '../../../src/runners/vitest/index.js'

async function createPet(name: string): Promise<void> {
  await fetch('http://127.0.0.1:4010/pets', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name, categoryId: 1 }),
  })
}

/** Concurrent tests at one address, at the top level and in a suite. */
export function declareConcurrentTests(): void {
  const names = ['a', 'b', 'c']

  test.concurrent.for(names)('top-level test %s', async (name, { petstore, expect }) => {
    await createPet(name)
    expect(petstore).toHaveReceivedTimes('createPet', 1, { body: { name } })
    expect(petstore.journal.total).toBe(1)
  })

  describe.concurrent('in a suite', () => {
    beforeEach(() => createPet('from the hook'))

    test.for(names)('test %s', async (name, { petstore, expect }) => {
      await createPet(name)
      expect(petstore).toHaveReceivedTimes('createPet', 1, { body: { name: 'from the hook' } })
      expect(petstore).toHaveReceivedTimes('createPet', 1, { body: { name } })
      expect(petstore.journal.total).toBe(2)
    })
  })
}
