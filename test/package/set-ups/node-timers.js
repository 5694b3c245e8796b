import { mock } from 'node:test'

/** For runners without an environment of their own. */
export const timers = {
  fakeDate: (now) => mock.timers.enable({ now, apis: ['Date'] }),
  fakeAll: () => mock.timers.enable(),
  advance: (ms) => mock.timers.tick(ms),
  restore: () => mock.timers.reset(),
}
