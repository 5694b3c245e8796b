import { wordsOf } from '../resources/names.js'
import type { JsonSchema } from '../schema/json-schema.js'
import type { FlatSchema } from '../schema/merge-schemas.js'
import {
  COUNT,
  COUNT_OF,
  COUNTED,
  END_STATE,
  LATER_FLAG,
  NO_COUNT,
  NO_STATE_FLAG,
  STATE,
  TRUE_FLAG,
} from '../words/new-values.js'
import { isOfNew, nameAt, type SamplePlace, type SampleRun } from './run.js'

/**
 * What a property of a new record has before anything happens to it: the default, else the first state, no items, a count of 0,
 * and flags that say so. Undefined if nothing is known.
 */
export function newValue(schema: JsonSchema, flat: FlatSchema, place: SamplePlace, run: SampleRun): unknown {
  if (!isOfNew(place, run)) return undefined
  return candidates(flat, wordsOf(nameAt(place))).find((value) => value !== undefined && run.accepts(schema, value))
}

function candidates(flat: FlatSchema, words: readonly string[]): readonly unknown[] {
  // A default of null says that there is usually nothing.
  const initial = flat.default ?? undefined
  if (flat.types.includes('array')) return [initial, []]
  if (flat.types.includes('boolean')) return [initial, ...flagsNamed(words)]
  if (flat.enum && STATE.test(words.at(-1) ?? '')) return [initial, firstState(flat.enum)]
  if (isNumber(flat) && isCount(words)) return [initial, 0, flat.minimum]
  return [initial]
}

const isNumber = ({ types }: FlatSchema) => types.includes('integer') || types.includes('number')

/** The first value that a record can begin with. */
function firstState(values: readonly unknown[]): unknown {
  const isEnd = (value: unknown) => wordsOf(String(value)).some((word) => END_STATE.test(word))
  return values.find((value) => value !== null && !isEnd(value)) ?? values.find((value) => value !== null)
}

/** What a flag with these words is in a new record; empty if nothing is known. */
export function flagsNamed(words: readonly string[]): readonly boolean[] {
  if (words.some((word) => NO_STATE_FLAG.test(word))) return []
  if (words.some((word) => LATER_FLAG.test(word))) return [false]
  return words.some((word) => TRUE_FLAG.test(word)) ? [true] : []
}

function isCount(words: readonly string[]): boolean {
  const [first = ''] = words
  const last = words.at(-1) ?? ''
  if (words.some((word) => NO_COUNT.test(word))) return false
  return COUNT.test(last) || COUNTED.test(last) || (words.length > 1 && COUNT_OF.test(first))
}
