import { setupPetstore } from 'petstore-mock/node'
import { test as petstoreTest } from 'petstore-mock/vitest'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { OPTIONS, registerSuite } from './suite.js'

function register(entry, testWithMock) {
  registerSuite({
    setUp: { ...JSON.parse(process.env.SET_UP), entry },
    test: testWithMock,
    expectReceived: (petstore, operation, expected) => expect(petstore).toHaveReceived(operation, expected),
    timers: {
      fakeDate: (now) => vi.useFakeTimers({ now, toFake: ['Date'] }),
      fakeAll: () => vi.useFakeTimers(),
      advance: (ms) => vi.advanceTimersByTime(ms),
      restore: () => vi.useRealTimers(),
    },
  })
}

describe('petstore-mock/node', () => {
  const petstore = setupPetstore(OPTIONS)
  beforeAll(() => petstore.listen())
  afterEach(() => {
    petstore.reset()
    petstore.check()
  })
  afterAll(() => petstore.close())

  register('petstore-mock/node', (title, act) => test(title, () => act(petstore)))
})

describe('petstore-mock/vitest', () => {
  const ownTest = petstoreTest.extend('petstoreOptions', OPTIONS)

  register('petstore-mock/vitest', (title, act) => ownTest(title, ({ petstore }) => act(petstore)))
})
