import { drawSpan } from '../../lib/random.js'
import { conforms } from './conforms.js'
import { type AnySchema, toKey } from './json-schema.js'
import type { FlatSchema } from './merge-schemas.js'
import { isRecursive, type Place, type SampleRun } from './sample-run.js'

const MAX_ITEMS = 3
/** A list has no more, even if the schema requires them. */
const MAX_REQUIRED = 2000
/** One item with some properties is better than several empty ones. */
const SMALL_BUDGET = 20
/** To find an item that is not in the list yet. */
const MAX_ATTEMPTS = 30

/** One to three items if the schema allows it, and no more than necessary if the budget is used up or an item contains the list. */
export function sampleArray(flat: FlatSchema, place: Place, run: SampleRun): unknown[] {
  const { prefixItems = [], items = true, uniqueItems = false } = flat
  const minItems = Math.min(flat.minItems ?? 0, MAX_REQUIRED)
  const maxItems = items === false ? prefixItems.length : (flat.maxItems ?? Number.POSITIVE_INFINITY)
  const isShort = place.budget < 1 || items === false || isRecursive(items, place)
  const usual = isShort ? 0 : drawSpan([1, place.budget < SMALL_BUDGET ? 1 : MAX_ITEMS], run.random)
  const length = Math.min(Math.max(usual, prefixItems.length, minItems), maxItems)
  const budget = (place.budget - 1) / (length + 1)
  const list: unknown[] = []
  const keys = new Set<string>()
  const sampleItem = (withExamples: boolean) =>
    run.sample(prefixItems[list.length] ?? items, {
      ...place,
      path: [...place.path, list.length],
      budget,
      withExamples,
    })

  while (list.length < length && run.left > 0) {
    let item = sampleItem(place.withExamples)
    for (let attempt = 0; uniqueItems && keys.has(toKey(item)) && attempt < MAX_ATTEMPTS; attempt++)
      item = sampleItem(false)
    // No other item was found, or none is allowed: two choices may be the same schema.
    if (item === undefined || (uniqueItems && keys.has(toKey(item))) || isWrongChoice(item, items, run)) break
    keys.add(toKey(item))
    list.push(item)
  }
  return list
}

function isWrongChoice(item: unknown, schema: AnySchema, run: SampleRun): boolean {
  return typeof schema === 'object' && schema.oneOf !== undefined && run.left > 0 && !conforms(schema, item, run)
}
