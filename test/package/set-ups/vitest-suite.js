import { expect, vi } from 'vitest'
import { registerSuite } from './suite.js'

export function registerInVitest(entry, test) {
  registerSuite({
    setUp: { ...JSON.parse(process.env.SET_UP), entry },
    test,
    expectReceived: (petstore, operation, expected) => expect(petstore).toHaveReceived(operation, expected),
    timers: {
      fakeDate: (now) => vi.useFakeTimers({ now, toFake: ['Date'] }),
      fakeAll: () => vi.useFakeTimers(),
      advance: (ms) => vi.advanceTimersByTime(ms),
      restore: () => vi.useRealTimers(),
    },
  })
}
