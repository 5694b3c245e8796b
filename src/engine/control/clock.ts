import { invalidOption, MockError } from '../../http/errors.js'
import type { TimeSource } from '../../lib/clock.js'
import { describeValue } from '../../lib/functions.js'
import { quote } from '../../lib/text.js'
import { addDuration, parseDateTime, parseDuration } from '../../lib/time.js'
import { isKind, requireNumbers } from '../../lib/values.js'
import { ENGINE_OPTIONS, type EngineOptions } from '../options.js'

/** The mock's clock. It shows the machine's time until a test changes it. */
export interface Clock extends TimeSource {
  /** The clock runs on from there unless it is frozen. */
  set(time: string | Date): void
  freeze(): void
  unfreeze(): void
  /** By milliseconds, or by an ISO 8601 duration such as `P1DT2H`. */
  advance(by: number | string): void
  /** What happens to an operation whose sunset date has passed: overrides the option `sunset` until the next reset. */
  setSunset(mode: SunsetMode): void
  state(): ClockState
  /** Back to the machine's time, not frozen, and to the option `sunset`. */
  reset(): void
}

export interface ClockState {
  /** RFC 3339, UTC. */
  readonly now: string
  readonly frozen: boolean
  readonly sunset: SunsetMode
}

/** `enforce`: an operation whose sunset date has passed returns 410. */
export type SunsetMode = EngineOptions['sunset']

/** What RFC 3339 can express. */
const EARLIEST = Date.parse('0000-01-01T00:00:00.000Z')
const LATEST = Date.parse('9999-12-31T23:59:59.999Z')

/** How the clock differs from the machine's time. */
export interface SavedClock {
  readonly offset: number
  readonly frozenAt?: number | undefined
  readonly sunset?: SunsetMode | undefined
}

export function createClock(source: TimeSource, defaultSunset: SunsetMode) {
  let offset = 0
  let frozenAt: number | undefined
  let sunset: SunsetMode | undefined
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
    setSunset(mode) {
      requireSunset(mode)
      sunset = mode
    },
    state: () => ({
      now: new Date(now()).toISOString(),
      frozen: frozenAt !== undefined,
      sunset: sunset ?? defaultSunset,
    }),
    reset() {
      offset = 0
      frozenAt = undefined
      sunset = undefined
    },
  }

  return {
    clock,
    enforcesSunset: () => (sunset ?? defaultSunset) === 'enforce',
    /** Undefined if nothing was changed. */
    save: (): SavedClock | undefined =>
      offset === 0 && frozenAt === undefined && sunset === undefined ? undefined : { offset, frozenAt, sunset },
    /** Throws if it is invalid, otherwise returns a function that restores it. */
    readSaved(saved: SavedClock): () => void {
      requireNumbers(saved.offset, saved.frozenAt ?? 0)
      requireSunset(saved.sunset ?? defaultSunset)
      return () => {
        offset = saved.offset
        frozenAt = saved.frozenAt
        sunset = saved.sunset
      }
    },
  }
}

function requireSunset(mode: unknown): void {
  const [, isValid, expected] = ENGINE_OPTIONS.sunset
  if (!isValid(mode)) throw invalidOption('sunset', expected, mode)
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
