import type { Id } from '../../lib/int64.js'
import { createRandom } from '../../lib/random.js'
import { compareTexts } from './compare-texts.js'
import { countedBy } from './counting-sequence.js'
import type { IdKind } from './kind.js'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/**
 * UUIDs of any version. New ones are of version 7, which sorts them in the order in which they were made, and are others in
 * each collection.
 */
export function createUuidIds(collection: string): IdKind {
  return {
    read: (value) => (typeof value === 'string' && UUID.test(value) ? (value as Id) : undefined),
    toJson: String,
    compare: compareTexts,
    ...countedBy((number) => uuidOf(number, collection)),
  }
}

/** The time of the first one, and the milliseconds from each to the next. */
const START = Date.UTC(2025, 0, 1)
const STEP = 97_613

function uuidOf(number: number, collection: string): Id {
  const random = createRandom(number, collection)
  const draw = (digits: number) => toHex(Math.floor(random() * 16 ** digits), digits)
  const time = toHex(START + number * STEP, 12)
  const variant = toHex(8 + Math.floor(random() * 4), 1)
  const parts = [time.slice(0, 8), time.slice(8), `7${draw(3)}`, `${variant}${draw(3)}`, `${draw(6)}${draw(6)}`]
  return parts.join('-') as Id
}

const toHex = (number: number, digits: number) => number.toString(16).padStart(digits, '0')
