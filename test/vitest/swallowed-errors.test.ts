import { afterAll, describe } from 'vitest'
import { expect, type NodePetstore, test as petstoreTest } from '../../src/runners/vitest/index.js'

const BASE = 'https://petstore.test'
const test = petstoreTest.extend({ petstoreOptions: { baseUrl: BASE, failOn: ['deprecated'] as const } })

/** Code under test that swallows every error. */
async function fetchQuietly(url: string): Promise<void> {
  await fetch(url).catch(() => {})
}

function expectFailure(subject: string, act: (petstore: NodePetstore) => Promise<void>, ...messages: string[]): void {
  describe(subject, () => {
    let failure = ''
    // Expected to fail: the integration must fail it when it ends. The next test checks why it failed.
    test.fails('fails the test, although the code under test swallows the error', async ({
      petstore,
      onTestFailed,
    }) => {
      onTestFailed(({ task }) => {
        failure = task.result?.errors?.map(({ message }) => message).join('\n') ?? ''
      })
      await act(petstore)
    })

    // The test would also pass if it failed for another reason.
    afterAll(() => {
      for (const message of messages) expect(failure).toContain(message)
    })
  })
}

expectFailure(
  'an unhandled request',
  async (petstore) => {
    await fetchQuietly('https://elsewhere.invalid/things?token=abc')
    expect(petstore.journal.total).toBe(0)
  },
  'GET https://elsewhere.invalid/things was blocked by the mock at https://petstore.test',
  "set onUnhandledRequest to 'bypass'",
)

expectFailure(
  'an override that violates the OpenAPI document',
  async (petstore) => {
    petstore.override('listPets', () => ({ status: 200, body: [{ id: 1, name: 5, categoryId: 1 } as never] }))
    await fetchQuietly(`${BASE}/pets`)
  },
  'The override of listPets returned 200 with a body that violates the OpenAPI document: /0/name must be a string, but is the number 5',
)

expectFailure(
  'a deprecated operation',
  async (petstore) => {
    await fetchQuietly(`${BASE}/pets/1`)
    expect(petstore.journal.total).toBe(1)
  },
  'getPet was used once, but is deprecated since 2026-01-01',
)

describe('a blocked request whose error the test does not catch', () => {
  let messages: string[] = []
  // Expected to fail: the mock blocks the request. How often it failed is checked after all tests.
  test.fails('fails the test once', async ({ onTestFailed }) => {
    onTestFailed(({ task }) => {
      messages = task.result?.errors?.map(({ message }) => message) ?? []
    })
    await fetch('https://elsewhere.invalid/things')
  })

  afterAll(() => expect(messages).toEqual([expect.stringContaining('was blocked by the mock')]))
})

test('a request without an error does not fail the test', async ({ petstore }) => {
  await fetchQuietly(`${BASE}/pets`)
  expect(petstore).toHaveReceived('listPets')
})
