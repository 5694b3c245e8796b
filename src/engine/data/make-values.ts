import { isPlainObject } from '../../lib/plain-object.js'
import { createRandom, type RandomSource } from '../../lib/random.js'
import type { Schema } from '../contract/schema.js'
import type { Field, ServiceResource } from '../resources/service-resource.js'
import type { Json, ValueMaker } from '../resources/value-maker.js'
import { conforms } from './conforms.js'
import { createSampler } from './sample.js'
import { readPattern } from './sample-pattern.js'

const MAX_STEPS = 5000

export function createValueMaker(): ValueMaker {
  let random: RandomSource = () => 0
  const sampler = createSampler(() => random())

  const isValid = (schema: Schema, value: unknown) =>
    conforms(schema, value, { left: MAX_STEPS, hidden: 'writeOnly', patternOf: readPattern })

  /** The value as it is, or in the form of a sample: an id becomes an object with that id. */
  function reshape(value: unknown, schema: Schema, sample: unknown): unknown {
    if (isValid(schema, value)) return value
    if (Array.isArray(value) && Array.isArray(sample)) {
      return value.map((each) => reshape(each, (schema.items ?? {}) as Schema, sample[0]))
    }
    if (!isPlainObject(sample)) return sample ?? value
    if (isPlainObject(value)) return { ...sample, ...value }
    const key = ID_NAMES.find((name) => name in sample)
    return key === undefined ? sample : { ...sample, [key]: value }
  }

  function reshapeField({ property, schema }: Field, given: Json, sample: Json): unknown {
    return reshape(given[property], schema, sample[property])
  }

  function sampleRecord({ record }: ServiceResource): Json {
    return (sampler.sample(record.schema) ?? {}) as Json
  }

  return {
    completeRecord(resource, given, salt, at) {
      random = createRandom(0, `${resource.name}/${salt}`)
      const sample = sampleRecord(resource)
      const required = new Set(requiredOf(resource.record.schema))
      const now = new Date(at).toISOString()
      const entries = resource.fields.flatMap((field): [string, unknown][] => {
        const { property, schema, isId } = field
        if (given[property] !== undefined) return [[property, reshapeField(field, given, sample)]]
        const isOptional = resource.writable.includes(property) && !required.has(property)
        if (isId || isOptional || sample[property] === undefined) return []
        return [[property, isTimestamp(property) && isValid(schema, now) ? now : sample[property]]]
      })
      return Object.fromEntries(entries)
    },
    reshapeRecord(resource, given) {
      const fields = resource.fields.filter(({ property }) => given[property] !== undefined)
      if (fields.every(({ property, schema }) => isValid(schema, given[property]))) return given
      random = createRandom(0, resource.name)
      const sample = sampleRecord(resource)
      return Object.fromEntries(fields.map((field) => [field.property, reshapeField(field, given, sample)]))
    },
    makeBody(schema, salt, place) {
      random = createRandom(0, salt)
      if (place === undefined) return sampler.sample(schema)
      const isPlace = (path: readonly (string | number)[]) =>
        path.length === place.path.length && path.every((name, index) => name === place.path[index])
      return sampler.sample(schema, { override: (path) => (isPlace(path) ? place.value : undefined) })
    },
  }
}

const ID_NAMES = ['id', 'uuid', 'gid', 'name', 'slug', 'key', 'code']

function isTimestamp(property: string): boolean {
  return /(?:created|updated|modified|changed)|(?:_at|At)$/i.test(property)
}

function requiredOf({ required = [], allOf = [] }: Schema): readonly string[] {
  return [...required, ...allOf.flatMap(requiredOf)]
}
