import type { TimeSource } from '../clock.js'
import { parseDateTime } from '../contract/date-time.js'
import { MockError } from '../contract/errors.js'

/** The store's clock: runs with the machine's until a test takes it in hand. */
export interface Clock extends TimeSource {
  /** Sets the time; it runs on from there unless it is frozen. */
  set(time: string | Date): void
  freeze(): void
  unfreeze(): void
  advance(milliseconds: number): void
  /** Back to the machine's time, running. */
  reset(): void
}

export function createClock(source: TimeSource): Clock {
  let offset = 0
  let frozenAt: number | undefined
  const now = () => frozenAt ?? source.now() + offset

  function moveTo(time: number): void {
    if (frozenAt === undefined) offset = time - source.now()
    else frozenAt = time
  }

  return {
    now,
    set: (time) => moveTo(toMilliseconds(time)),
    freeze() {
      frozenAt = now()
    },
    unfreeze() {
      const resumed = now()
      frozenAt = undefined
      moveTo(resumed)
    },
    advance(milliseconds) {
      if (!Number.isFinite(milliseconds)) {
        throw new MockError('INVALID_OPTION', `clock.advance takes a number of milliseconds, but got ${milliseconds}`)
      }
      moveTo(now() + milliseconds)
    },
    reset() {
      offset = 0
      frozenAt = undefined
    },
  }
}

function toMilliseconds(time: string | Date): number {
  const text = time instanceof Date ? (Number.isNaN(time.getTime()) ? '' : time.toISOString()) : time
  const canonical = parseDateTime(text)
  if (canonical === undefined) {
    throw new MockError(
      'INVALID_OPTION',
      'clock.set takes a Date or an RFC 3339 date-time such as 2030-12-06T00:00:00Z',
    )
  }
  return Date.parse(canonical)
}
