import type { TimeSource } from '../../lib/clock.js'
import { parseDateTime } from '../../lib/date-time.js'
import { addDuration, parseDuration } from '../../lib/duration.js'
import { isKind } from '../../lib/kind.js'
import { quote } from '../../lib/quote.js'
import { describeValue } from '../../lib/thrown.js'
import { MockError } from '../contract/errors.js'
import { requireNumbers } from './saved-values.js'

/** The mock's clock. It shows the machine's time until a test changes it. */
export interface Clock extends TimeSource {
  /** The clock runs on from there unless it is frozen. */
  set(time: string | Date): void
  freeze(): void
  unfreeze(): void
  /** By milliseconds, or by an ISO 8601 duration such as `P1DT2H`. */
  advance(by: number | string): void
  state(): ClockState
  /** Back to the machine's time, not frozen. */
  reset(): void
}

export interface ClockState {
  /** RFC 3339, UTC. */
  readonly now: string
  readonly frozen: boolean
}

/** What RFC 3339 can express. */
const EARLIEST = Date.parse('0000-01-01T00:00:00.000Z')
const LATEST = Date.parse('9999-12-31T23:59:59.999Z')

/** How the clock differs from the machine's time. */
export interface SavedClock {
  readonly offset: number
  readonly frozenAt?: number | undefined
}

export function createClock(source: TimeSource) {
  let offset = 0
  let frozenAt: number | undefined
  // A running clock stops at the latest time.
  const now = () => frozenAt ?? Math.min(source.now() + offset, LATEST)

  function moveTo(time: number): void {
    if (!(time >= EARLIEST && time <= LATEST)) {
      throw new MockError('INVALID_TIME', 'The clock cannot leave the years 0000 to 9999.')
    }
    if (frozenAt === undefined) offset = time - source.now()
    else frozenAt = time
  }

  const clock: Clock = {
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
    advance: (by) => moveTo(advanced(now(), by)),
    state: () => ({ now: new Date(now()).toISOString(), frozen: frozenAt !== undefined }),
    reset() {
      offset = 0
      frozenAt = undefined
    },
  }

  return {
    clock,
    /** Undefined if it shows the machine's time. */
    save: (): SavedClock | undefined => (offset === 0 && frozenAt === undefined ? undefined : { offset, frozenAt }),
    /** Throws if it is invalid, otherwise returns a function that restores it. */
    readSaved(saved: SavedClock): () => void {
      requireNumbers(saved.offset, saved.frozenAt ?? 0)
      return () => {
        offset = saved.offset
        frozenAt = saved.frozenAt
      }
    },
  }
}

function advanced(from: number, by: unknown): number {
  if (typeof by === 'number' && Number.isFinite(by)) return from + by
  const duration = typeof by === 'string' ? parseDuration(by) : undefined
  if (duration) return addDuration(from, duration)
  const received = typeof by === 'string' ? quote(by) : describeValue(by)
  throw new MockError(
    'INVALID_OPTION',
    `clock.advance requires milliseconds or an ISO 8601 duration such as P1DT2H. Received: ${received}.`,
  )
}

function toMilliseconds(time: string | Date): number {
  const text = isKind(time, 'Date') ? (Number.isNaN(time.getTime()) ? '' : time.toISOString()) : time
  const canonical = parseDateTime(text)
  if (canonical === undefined) {
    throw new MockError(
      'INVALID_OPTION',
      'clock.set requires a valid Date or an RFC 3339 date-time such as 2030-12-06T00:00:00Z.',
    )
  }
  return Date.parse(canonical)
}
