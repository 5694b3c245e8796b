import { createRandom, type RandomSource } from '../../lib/random.js'
import type { Json, ValueMaker } from '../resources/value-maker.js'
import { changeFields } from './change-fields.js'
import { fitObject, fitValue, isValid, withoutOthers } from './fit-value.js'
import { applyJsonPatch } from './json-patch.js'
import { createSampler } from './sample.js'

export function createValueMaker(): ValueMaker {
  let random: RandomSource = () => 0
  const sampler = createSampler(() => random())

  return {
    completeRecord({ name, record: { schema }, fields, writable, idPath }, given, salt, at) {
      random = createRandom(0, `${name}/${salt}`)
      const now = new Date(at).toISOString()
      const made = { ...(fitObject(given, schema, sampler) as Json | undefined) }
      for (const { property, schema: each } of fields) {
        const isMade = given[property] === undefined && made[property] !== undefined
        if (isMade && isTimestamp(property) && isValid(each, now)) made[property] = now
      }
      const kept = fields.filter(({ property }) => given[property] !== undefined || !writable.includes(property))
      const record = withoutOthers(
        made,
        kept.map(({ property }) => property),
        schema,
      )
      // The store makes the id.
      return idPath.length > 1 ? record : without(record, idPath[0])
    },
    fitRecord({ name, record: { schema } }, given) {
      random = createRandom(0, name)
      return fitValue(given, schema, sampler) as Json
    },
    changeFields,
    fit(schema, salt, value) {
      random = createRandom(0, salt)
      return fitValue(value, schema, sampler)
    },
    applyPatch: applyJsonPatch,
    makeBody(schema, salt, place) {
      random = createRandom(0, salt)
      if (place === undefined) return sampler.sample(schema)
      const isPlace = (path: readonly (string | number)[]) =>
        path.length === place.path.length && path.every((name, index) => name === place.path[index])
      return sampler.sample(schema, { override: (path) => (isPlace(path) ? place.value : undefined) })
    },
  }
}

function without(record: Json, property: string): Json {
  const { [property]: _, ...rest } = record
  return rest
}

function isTimestamp(property: string): boolean {
  return /(?:created|updated|modified|changed)|(?:_at|At)$/i.test(property)
}
