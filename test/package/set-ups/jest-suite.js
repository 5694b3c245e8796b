import { afterAll, afterEach, beforeAll, jest, test } from '@jest/globals'
import { registerSuite } from './suite.js'

/** Everything that can be faked, but the date. */
const TIMERS = [
  ...['setTimeout', 'setInterval', 'setImmediate', 'clearTimeout', 'clearInterval', 'clearImmediate'],
  ...['nextTick', 'queueMicrotask', 'hrtime', 'performance'],
  ...['requestAnimationFrame', 'cancelAnimationFrame', 'requestIdleCallback', 'cancelIdleCallback'],
]

export function registerInJest(petstore, expectReceived) {
  beforeAll(() => petstore.listen())
  afterEach(() => {
    petstore.reset()
    petstore.check()
  })
  afterAll(() => petstore.close())

  registerSuite({
    setUp: SET_UP,
    test: (title, act) => test(title, () => act(petstore)),
    expectReceived,
    timers: {
      fakeDate: (now) => jest.useFakeTimers({ now, doNotFake: TIMERS }),
      fakeAll: () => jest.useFakeTimers(FAKE_TIMERS),
      advance: (ms) => jest.advanceTimersByTime(ms),
      restore: () => jest.useRealTimers(),
    },
  })
}
