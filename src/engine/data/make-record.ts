import { createRandom, type RandomSource } from '../../lib/random.js'
import type { Contract } from '../contract/contract.js'
import { readIdOf } from '../resources/record-forms.js'
import { requiredIn } from '../resources/schema-facts.js'
import type { ServiceResource } from '../resources/service-resource.js'
import { type Check, conforms } from './conforms.js'
import type { AnySchema } from './json-schema.js'
import { createSampler } from './sample.js'
import { createPatternReader } from './sample-pattern.js'
import type { SamplePath } from './sample-run.js'
import type { ImpossibleField } from './scenarios.js'

type Json = Record<string, unknown>

/** Values that do not come from the schema of a record. Undefined where the schema decides. */
export interface FixedValues {
  /** Its id, and those of its parents. */
  readonly own: FixedValue
  /** References as well. */
  readonly all: FixedValue
}

/** A record, or how it is impossible if none was found that conforms. */
export type MadeRecord = { readonly record: Json } | { readonly impossible: ImpossibleField }

type FixedValue = (path: SamplePath, schema: AnySchema) => unknown

/** About how many optional values a record has: enough to show what there is. */
const BUDGET = 60

/** Of the quick check of a record. */
const MAX_STEPS = 10_000

/** How many properties of a record are repaired. */
const MAX_REPAIRS = 20

/** For samples that differ from the first. */
const SALTS = Array.from({ length: 30 }, (_, number) => `/${number}`)

/** Makes records that conform to the schema of their resource. */
export function createRecordMaker(contract: Contract, seed: number) {
  let random: RandomSource = () => 0
  const sampler = createSampler(() => random())
  const patternOf = createPatternReader()
  /** The first attempt that is worth making for a resource: where one has failed, it will most likely fail again. */
  const firstAttempts = new Map<string, number>()

  return (resource: ServiceResource, index: number, fixed: FixedValues): MadeRecord => {
    const { name, noun, record: place, fields, idPath } = resource
    const known = new Set(fields.map(({ property }) => property))
    const violationOf = (record: Json) => contract.violationsOf(place.pointer, record)[0]

    /** Compiling a validator takes longer than making the records: it is done only where the quick check is not sure. */
    function isValid(record: Json): boolean {
      const check: Check = { left: MAX_STEPS, hidden: 'writeOnly', patternOf }
      const isFine = conforms(place.schema as AnySchema, record, check) && !check.isUnsure
      return isFine || violationOf(record) === undefined
    }

    function sample(isVaried: boolean, override = fixed.all, salt = ''): Json {
      random = createRandom(seed, `${name}/${index}${salt}`)
      const made = sampler.sample(place.schema as AnySchema, { noun, isVaried, override, budget: BUDGET })
      // What else the schema allows is not stored.
      return Object.fromEntries(Object.entries(Object(made)).filter(([property]) => known.has(property)))
    }

    /** Where a record has its id at all, the store needs it. */
    const hasId = (record: Json) => !known.has(idPath[0]) || readIdOf(resource, record) !== undefined

    /** The record with the other one's values for properties that violate the schema, or without them. */
    function repair(record: Json, other: Json): Json {
      const repaired = { ...record }
      for (let count = 0; count < MAX_REPAIRS; count++) {
        const property = violationOf(repaired)?.pointer.split('/')[1]
        if (property === undefined) break
        if (other[property] === undefined || other[property] === repaired[property]) delete repaired[property]
        else repaired[property] = other[property]
      }
      return repaired
    }

    const attempts: readonly (() => Json)[] = [
      () => sample(true),
      () => repair(sample(true), sample(false)),
      () => sample(false),
      () => repair(sample(false), sample(false, fixed.own)),
      () => onlyRequired(sample(false, fixed.own), resource),
      // Others of several choices: one may have no id.
      ...SALTS.map((salt) => () => sample(false, fixed.all, salt)),
    ]
    const first = firstAttempts.get(name) ?? 0
    for (const [number, attempt] of [...attempts.entries()].slice(first)) {
      const record = attempt()
      if (!isValid(record) || !hasId(record)) continue
      firstAttempts.set(name, Math.min(number, attempts.length - SALTS.length))
      return { record }
    }
    const missing = { pointer: `/${idPath.join('/')}`, expected: 'the id' }
    const { pointer, expected } = violationOf(sample(false)) ?? missing
    return { impossible: { resource: name, schema: place.pointer, pointer, expected } }
  }
}

function onlyRequired(record: Json, { record: { schema }, idPath }: ServiceResource): Json {
  const required = requiredIn(schema)
  return Object.fromEntries(
    Object.entries(record).filter(([property]) => required.has(property) || property === idPath[0]),
  )
}
