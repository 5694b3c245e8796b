import { isPlainObject, type Json } from '../../lib/values.js'
import { namedBranch } from '../schema/discriminator.js'
import { partsOf } from '../schema/facts.js'
import { type JsonSchema, toKey } from '../schema/json-schema.js'
import type { Schema } from '../schema/schema.js'
import { EMBEDDED_IDS } from '../words/ids.js'
import { type Check, conforms } from './conforms.js'
import type { Sampler } from './sample.js'
import { readPattern } from './sample-pattern.js'

const MAX_STEPS = 5000
/** For all samples and checks of one value together: choices may contain each other. */
const MAX_STEPS_TOGETHER = 50_000
/** How many samples of a choice are compared with the given value. */
const MAX_ATTEMPTS = 12
const MAX_DEPTH = 6

interface Run {
  left: number
  /** Properties with this keyword need not be there. */
  readonly hidden?: Check['hidden']
  /** Whether only those formats count that requests are checked for: what a client has sent stays. */
  readonly isLenient?: boolean
}

const createRun = (): Run => ({ left: MAX_STEPS_TOGETHER, isLenient: true })

export function isValid(schema: Schema, value: unknown, run: Run = { left: MAX_STEPS_TOGETHER }): boolean {
  const steps = Math.min(MAX_STEPS, run.left)
  const check: Check = {
    left: steps,
    hidden: run.hidden ?? 'writeOnly',
    patternOf: readPattern,
    isLenient: run.isLenient,
  }
  const isValid = conforms(schema, value, check)
  run.left -= steps - check.left
  return isValid
}

/**
 * A value that conforms to the schema, and that has as much as possible of the given one: an id that was sent becomes an
 * object with that id, and what is required and missing is made.
 */
export function fitValue(value: unknown, schema: Schema, sampler: Sampler, run = createRun(), depth = 0): unknown {
  if (isValid(schema, value, run) || depth > MAX_DEPTH || run.left <= 0) return value
  if (isPlainObject(value)) {
    const made = fitObject(value, schema, sampler, run, depth)
    if (isPlainObject(made)) return withoutOthers(made, Object.keys(value), schema, run)
    return made
  }
  const sample = sampler.sample(schema, { work: run, isNew: true })
  if (Array.isArray(value) && Array.isArray(sample)) {
    const { items = {} } = [...partsOf(schema)].find((part) => part.items) ?? {}
    const fitted = value.map((each) => fitValue(each, items, sampler, run, depth + 1))
    return isValid(schema, fitted, run) ? fitted : sample
  }
  if (isPlainObject(sample)) return identify(sample, value, schema, run)
  const converted = [Number(value), String(value)].find((each) => isValid(schema, each, run))
  return typeof value === 'object' ? sample : (converted ?? sample ?? value)
}

/** The sample of a schema that has the most of the given members. */
export function fitObject(given: Json, schema: Schema, sampler: Sampler, run = createRun(), depth = 0): unknown {
  const isChoice = [...partsOf(schema)].some(({ oneOf, anyOf }) => oneOf ?? anyOf)
  const wanted = Object.entries(given).filter(([, value]) => value !== undefined)
  const override = ([name, ...inner]: readonly (string | number)[], part: boolean | JsonSchema) => {
    const value = inner.length === 0 && name !== undefined && Object.hasOwn(given, name) ? given[name] : undefined
    if (value === undefined || typeof part === 'boolean') return value
    const fitted = fitValue(value, part as Schema, sampler, run, depth + 1)
    return typeof fitted === 'object' || run.left <= 0 || isValid(part as Schema, fitted, run) ? fitted : undefined
  }
  let best: unknown
  let most = -1
  const { discriminator: _, ...others } = schema
  const named = namedBranch<Schema>(schema, given)
  // Chosen at random, it might be none of the attempts.
  const chosen = named ? { ...others, oneOf: [named] } : schema
  for (let attempt = 0; attempt < (isChoice ? MAX_ATTEMPTS : 1); attempt++) {
    if (run.left <= 0 && attempt > 0) break
    const sample = sampler.sample(chosen, { override, isLenient: run.isLenient, work: run, isNew: true })
    const kept = wanted.filter(([name, value]) => isPlainObject(sample) && toKey(sample[name]) === toKey(value)).length
    const score = kept + (isChoice && isValid(schema, sample, run) ? 0.5 : 0)
    if (score > most) [best, most] = [sample, score]
    if (score >= wanted.length + 0.5) break
  }
  return best
}

/** Without the members that are not named, if the schema does not need them. */
export function withoutOthers(made: Json, names: readonly string[], schema: Schema, run = createRun()): Json {
  const few = Object.fromEntries(Object.entries(made).filter(([name]) => names.includes(name)))
  if (isValid(schema, few, run)) return few
  const required = [...partsOf(schema)].flatMap((part) => (Array.isArray(part.required) ? part.required : []))
  const more = Object.fromEntries(
    Object.entries(made).filter(([name]) => names.includes(name) || required.includes(name)),
  )
  return isValid(schema, more, run) ? more : made
}

/** A schema with the parts of `allOf`, and the choices that what was sent conforms to: all of them if none fits. */
export function fittingParts(
  schema: Schema | boolean,
  sent: Json,
  run: Run = { ...createRun(), hidden: 'readOnly' },
  found = new Set<Schema>(),
): ReadonlySet<Schema> {
  if (typeof schema === 'boolean' || found.has(schema)) return found
  found.add(schema)
  const choose = (choices: readonly Schema[] = []) => {
    const fitting = choices.filter((choice) => isValid(choice, sent, run))
    return fitting.length > 0 ? fitting : choices
  }
  const named = namedBranch(schema, sent)
  const parts = [...(schema.allOf ?? []), ...(named ? [named] : choose(schema.oneOf)), ...choose(schema.anyOf)]
  for (const part of parts) fittingParts(part, sent, run, found)
  return found
}

/** A sample of what an id refers to, with this id. */
function identify(sample: Json, id: unknown, schema: Schema, run: Run): Json {
  const key = EMBEDDED_IDS.find((name) => name in sample)
  const identified = key === undefined ? sample : { ...sample, [key]: id }
  return isValid(schema, identified, run) ? identified : sample
}
