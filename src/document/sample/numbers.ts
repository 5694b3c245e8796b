import type { RandomSource } from '../../lib/random.js'
import type { Bounds } from '../schema/json-schema.js'
import type { FlatSchema } from '../schema/merge-schemas.js'
import { TIME_FORMATS } from '../words/times.js'
import { rangeForName } from './property-names.js'
import type { TimeOf } from './times.js'

/** How far a number is from the only bound it has. */
const SPAN = 1000
const MAX_ATTEMPTS = 20

/** A number, or an integer, within the bounds of the schema. The name of its property decides how large it usually is. */
export function sampleNumber(schema: FlatSchema, isInteger: boolean, name: string, run: Source): number {
  const { random } = run
  const step = stepOf(schema, isInteger)
  const [low, high] = narrow(rangeOf(schema, step), usualRange(schema, name, run), step)
  const first = Math.ceil(low / step)
  const count = Math.floor(high / step) - first + 1
  for (let attempt = 0; attempt < MAX_ATTEMPTS && count > 0; attempt++) {
    const number = toMultiple(first + Math.floor(random() * count), step)
    if (isAllowed(schema, schema.multipleOf, number)) return number
  }
  // Bounds that are close together, or very large.
  const middle = low + (high - low) / 2
  return isInteger ? Math.ceil(low) : middle
}

/** Whether a number is within the bounds, and a multiple as Ajv computes it: 0.3 is no multiple of 0.1. */
export function isAllowed(bounds: Partial<Bounds>, multipleOf: number | undefined, number: number): boolean {
  const { minimum = number, maximum = number, exclusiveMinimum, exclusiveMaximum } = bounds
  if (number < minimum || number > maximum) return false
  if (exclusiveMinimum !== undefined && number <= exclusiveMinimum) return false
  if (exclusiveMaximum !== undefined && number >= exclusiveMaximum) return false
  return multipleOf === undefined || Number.isInteger(number / multipleOf)
}

/** Fractions have two decimals, unless the bounds are closer than that. */
function stepOf(
  { multipleOf, minimum, maximum, exclusiveMinimum, exclusiveMaximum }: FlatSchema,
  isInteger: boolean,
): number {
  if (multipleOf !== undefined && multipleOf > 0) return isInteger && multipleOf < 1 ? 1 : multipleOf
  if (isInteger) return 1
  const distance = Number(maximum ?? exclusiveMaximum) - Number(minimum ?? exclusiveMinimum)
  return distance < 1 ? distance / 100 || 0.01 : 0.01
}

/** Without the last digits that come from rounding: 0.07, not 0.07000000000000001. */
function toMultiple(count: number, step: number): number {
  if (Number.isInteger(step)) return count * step
  return Number((count * step).toPrecision(12))
}

interface Source {
  readonly random: RandomSource
  readonly timeOf: TimeOf
}

type Range = readonly [low: number, high: number]

function rangeOf(schema: FlatSchema, step: number): Range {
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = schema
  const { exclusiveMinimum: above = Number.NEGATIVE_INFINITY, exclusiveMaximum: below = Number.POSITIVE_INFINITY } =
    schema
  const low = above >= minimum ? Math.floor(above / step + 1) * step : minimum
  const high = below <= maximum ? Math.ceil(below / step - 1) * step : maximum
  return schema.format === 'int32' ? [Math.max(low, -(2 ** 31)), Math.min(high, 2 ** 31 - 1)] : [low, high]
}

function usualRange({ format = '' }: FlatSchema, name: string, { timeOf }: Source): Range | undefined {
  if (!TIME_FORMATS.includes(format)) return rangeForName(name, timeOf)
  const time = Math.floor(timeOf(name) / 1000)
  return [time, time]
}

/** The usual numbers if the bounds allow them, else those near 1, or near a bound. */
function narrow([low, high]: Range, usual: Range | undefined, step: number): Range {
  if (usual && step <= 1 && usual[0] >= low && usual[1] <= high) return usual
  const start = Math.max(1, step)
  const span = SPAN * start
  if (high - low <= span) return [low, high]
  if (low > start) return [low, Math.min(high, low + span)]
  return high < start ? [Math.max(low, high - span), high] : [start, Math.min(high, span)]
}
