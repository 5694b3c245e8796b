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

/** What an answer can spell. */
const EARLIEST = Date.parse('0000-01-01T00:00:00.000Z')
const LATEST = Date.parse('9999-12-31T23:59:59.999Z')

export function createClock(source: TimeSource): Clock {
  let offset = 0
  let frozenAt: number | undefined
  const now = () => frozenAt ?? source.now() + offset

  function moveTo(time: number, how: string): void {
    if (!(time >= EARLIEST && time <= LATEST)) {
      throw new MockError('INVALID_OPTION', `${how} takes the clock out of the years 0000 to 9999`)
    }
    if (frozenAt === undefined) offset = time - source.now()
    else frozenAt = time
  }

  return {
    now,
    set: (time) => moveTo(toMilliseconds(time), 'clock.set'),
    freeze() {
      frozenAt = now()
    },
    unfreeze() {
      const resumed = now()
      frozenAt = undefined
      moveTo(resumed, 'clock.unfreeze')
    },
    advance(milliseconds) {
      if (!Number.isFinite(milliseconds)) {
        throw new MockError('INVALID_OPTION', `clock.advance takes a number of milliseconds, but got ${milliseconds}`)
      }
      moveTo(now() + milliseconds, 'clock.advance')
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
