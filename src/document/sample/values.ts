import type { RandomSource } from '../../lib/random.js'
import { drawSpan } from '../../lib/random.js'
import { copyData, setMember } from '../../lib/values.js'
import { hasFlag, isContainer, namesNullItself } from '../schema/facts.js'
import { type AnySchema, includesValue, type JsonSchema, toKey } from '../schema/json-schema.js'
import type { FlatSchema } from '../schema/merge-schemas.js'
import { conforms } from './conforms.js'
import { draw, drawText, drawWord, FORMATS } from './formats.js'
import { sampleNumber } from './numbers.js'
import { textForName } from './property-names.js'
import { isOfNew, isRecursive, nameAt, ownerAt, type SamplePlace, type SampleRun } from './run.js'
import type { TextPattern } from './sample-pattern.js'

const MAX_ITEMS = 3
/** A list has no more, even if the schema requires them. */
const MAX_REQUIRED_ITEMS = 2000
/** One item with some properties is better than several empty ones. */
const SMALL_BUDGET = 20
/** To find an item that is not in the list yet. */
const MAX_ITEM_ATTEMPTS = 30

/** One to three items if the schema allows it, and no more than necessary if the budget is used up or an item contains the list. */
function sampleArray(flat: FlatSchema, place: SamplePlace, run: SampleRun): unknown[] {
  const { prefixItems = [], items = true, uniqueItems = false } = flat
  const minItems = Math.min(flat.minItems ?? 0, MAX_REQUIRED_ITEMS)
  const maxItems = items === false ? prefixItems.length : (flat.maxItems ?? Number.POSITIVE_INFINITY)
  const isShort = place.budget < 1 || items === false || isRecursive(items, place) || isOfNew(place, run)
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
    for (let attempt = 0; uniqueItems && keys.has(toKey(item)) && attempt < MAX_ITEM_ATTEMPTS; attempt++)
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

/** An object has no more properties with made-up names, even if the schema requires them. */
const MAX_REQUIRED_MEMBERS = 200

/** Whether a value does not conform. The members of an object were checked before. */
function isWrong(value: unknown, schema: AnySchema, run: SampleRun): boolean {
  if (typeof schema === 'boolean') return false
  const { allOf, anyOf, oneOf, not, enum: listed } = schema
  const isDoubtful = !isContainer(schema) || [allOf, anyOf, oneOf, not, listed].some((keyword) => keyword !== undefined)
  return isDoubtful && !conforms(schema, value, run)
}

/** All required properties, and as many of the others as the budget and the schema allow. */
function sampleObject(flat: FlatSchema, place: SamplePlace, run: SampleRun): Record<string, unknown> {
  const { properties = {}, discriminated = {}, maxProperties = Number.POSITIVE_INFINITY } = flat
  const minProperties = Math.min(flat.minProperties ?? 0, MAX_REQUIRED_MEMBERS)
  const required = new Set([...(flat.required ?? []), ...Object.keys(discriminated)])
  const allowed = flat.allowed && new Set(flat.allowed)
  const names = Object.keys(properties).filter((name) => !hasFlag(properties[name], run.hidden))
  const containers = new Set(names.filter((name) => isContainer(properties[name] ?? true)))
  // Texts and numbers are small: what is left after them is for the others.
  const share = Math.max((place.budget - names.length) / (containers.size + 1), 0)
  const object: Record<string, unknown> = {}
  let size = 0

  function add(name: string, schema: AnySchema, budget: number): void {
    const fixed = Object.hasOwn(discriminated, name) ? discriminated[name] : undefined
    const isFixed = fixed !== undefined && conforms(schema, fixed, run)
    const value = isFixed ? fixed : run.sample(schema, { ...place, path: [...place.path, name], budget })
    // None is better than one that does not conform.
    if (value === undefined || (!required.has(name) && isWrong(value, schema, run))) return
    setMember(object, name, value)
    size += 1
  }

  function isIncluded(name: string, schema: AnySchema): boolean {
    if (required.has(name)) return true
    if (allowed?.has(name) === false) return false
    return containers.has(name) ? share >= 1 && !isRecursive(schema, place) : place.budget >= 1
  }

  let optionalLeft = maxProperties - required.size
  for (const name of names) {
    if (run.left < 0) return object
    const schema = properties[name] ?? true
    const isOptional = !required.has(name)
    if (!isIncluded(name, schema) || (isOptional && optionalLeft <= 0)) continue
    if (isOptional) optionalLeft -= 1
    add(name, schema, share)
  }
  const others = flat.additionalProperties ?? true
  for (const name of required) {
    if (run.left < 0) return object
    if (!Object.hasOwn(properties, name)) add(name, others || true, share)
  }

  // What was left out above is better than a made-up name.
  for (const name of names) {
    if (size >= minProperties || run.left < 0) break
    if (!Object.hasOwn(object, name) && allowed?.has(name) !== false) add(name, properties[name] ?? true, 0)
  }
  const isMap = typeof others === 'object' && share >= 1 && size < maxProperties
  const wanted = Math.max(minProperties, isMap ? size + 1 : 0)
  for (let attempt = 0; size < wanted && others !== false && attempt < wanted * 2 && run.left > 0; attempt++) {
    const name = drawWord(run.random) + (attempt || '')
    if (!Object.hasOwn(properties, name) && !Object.hasOwn(object, name)) add(name, others, share)
  }
  return object
}

/** A longer text is cut, even if the schema asks for it. */
const MAX_LENGTH = 100_000
const MAX_TEXT_ATTEMPTS = 4

/** A text of the schema's format, pattern and length. Without a format and a pattern, its property's name decides. */
function sampleString(
  schema: FlatSchema,
  place: SamplePlace,
  run: SampleRun,
  pattern: TextPattern | undefined,
): string {
  const { random } = run
  const name = nameAt(place)
  // Those of a list differ.
  const time = typeof place.path.at(-1) === 'number' ? undefined : () => run.timeOf(name)
  const minLength = Math.min(schema.minLength ?? 0, MAX_LENGTH)
  const maxLength = Math.max(schema.maxLength ?? Number.POSITIVE_INFINITY, minLength)
  const fits = (text: string) =>
    text.length >= minLength && text.length <= maxLength && (pattern === undefined || pattern.matches(text) === true)
  const format =
    schema.format !== undefined && Object.hasOwn(FORMATS, schema.format) ? FORMATS[schema.format] : undefined

  for (let attempt = 0; attempt < MAX_TEXT_ATTEMPTS; attempt++) {
    const text = format ? format.make(random, time) : textForName(name, ownerAt(place, run), random, time)
    if (text !== undefined && fits(text)) return text
  }
  const text = pattern?.make(random, minLength, maxLength)
  if (text !== undefined && format?.matches?.(text) === false) {
    // Many patterns say how an address ends, where the part after @ does, or how a text begins.
    const made = format.make(random, time)
    const joined = [made + text, made.replace(/@.*/, '') + text, text + made.slice(text.length)]
    const both = joined.find((each) => fits(each) && format.matches?.(each))
    if (both !== undefined) return both
  }
  if (text !== undefined) return text
  // A format says more than a length.
  return format?.matches ? format.make(random, time) : fillText(random, minLength, maxLength)
}

function fillText(random: RandomSource, minLength: number, maxLength: number): string {
  const word = drawWord(random)
  if (word.length >= minLength && word.length <= maxLength) return word
  if (word.length > maxLength) return word.slice(0, maxLength)
  return (
    word +
    drawText(random, 'abcdefghijklmnopqrstuvwxyz', Math.min(minLength - word.length, 100)).padEnd(
      minLength - word.length,
      'a',
    )
  )
}

/** A value of one of the schema's types. `null` only if nothing else is allowed. */
export function sampleValue(flat: FlatSchema, place: SamplePlace, run: SampleRun): unknown {
  const { random } = run
  const values = valuesOf(flat, run)
  if (values.length > 0) return copyData(draw(random, values))
  switch (typeOf(flat, place, run)) {
    case 'object':
      return sampleObject(flat, place, run)
    case 'array':
      return sampleArray(flat, place, run)
    case 'boolean':
      return random() < 0.5
    case 'integer':
      return sampleNumber(flat, true, nameAt(place), run)
    case 'number':
      return sampleNumber(flat, false, nameAt(place), run)
    case 'null':
      return null
    default:
      // Long texts take time, too.
      run.left -= (flat.minLength ?? 0) / 100
      return sampleString(flat, place, run, flat.pattern === undefined ? undefined : run.patternOf(flat.pattern))
  }
}

/** Where a schema requires itself: the shortest value, which conforms only if it may be `null` or empty. */
export function cutValue(schema: JsonSchema, flat: FlatSchema, place: SamplePlace, run: SampleRun): unknown {
  if (namesNullItself(schema)) return null
  const type = typeOf(flat, place, run)
  if (type === 'object') return {}
  return type === 'array' ? [] : sampleValue(flat, place, run)
}

/** The values that a schema lists. Empty if it does not. */
function valuesOf(
  { types, const: only, enum: listed = [], ...others }: FlatSchema,
  run: SampleRun,
): readonly unknown[] {
  // `const` may be that of a branch, where `enum` has only some of the branches.
  if (only !== undefined && (listed.length === 0 || includesValue(listed, only))) return [only]
  const schema = { ...others, ...(types.length > 0 && { type: types }) }
  const good = listed.filter((value) => value !== null && conforms(schema, value, run))
  return good.length > 0 ? good : listed
}

function typeOf(flat: FlatSchema, place: SamplePlace, { random }: SampleRun): string {
  const types = flat.types.filter((type) => type !== 'null')
  if (types.length > 0) return draw(random, types)
  if (flat.types.length > 0) return 'null'
  const implied = IMPLIED.find(([, keywords]) => keywords.some((keyword) => flat[keyword] !== undefined))
  return implied?.[0] ?? (place.path.length === 0 ? 'object' : 'string')
}

/** The type that a schema means if it does not name one. */
const IMPLIED: readonly (readonly [type: string, keywords: readonly (keyof FlatSchema)[]])[] = [
  ['object', ['properties', 'required', 'additionalProperties', 'minProperties', 'maxProperties', 'discriminated']],
  ['array', ['items', 'prefixItems', 'minItems', 'maxItems', 'uniqueItems']],
  ['string', ['pattern', 'format', 'minLength', 'maxLength']],
  ['number', ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']],
]
