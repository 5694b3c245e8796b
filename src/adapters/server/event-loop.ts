import { every, monotonicTime } from '../../lib/clock.js'

const INTERVAL_MS = 100

/** Notices when the event loop is blocked, for example by a breakpoint or by synchronous code of a test. */
export function watchEventLoop() {
  let lastTick = monotonicTime.now()
  let lastBlocked = Number.NEGATIVE_INFINITY

  function update(): number {
    const now = monotonicTime.now()
    if (now - lastTick > 2 * INTERVAL_MS) lastBlocked = now
    return now
  }

  const stop = every(INTERVAL_MS, () => {
    lastTick = update()
  })
  return {
    stop,
    /** Whether the loop was blocked in this time. If so, a timeout that has expired should start again. */
    wasBlocked: (withinMs: number): boolean => update() - lastBlocked <= withinMs,
  }
}
