import { ownMember } from '../../lib/own-member.js'
import { createRandom, type RandomSource } from '../../lib/random.js'
import { schemaAt } from '../resources/envelopes.js'
import type { ResourceOperation } from '../resources/resource.js'
import { partsOf } from '../resources/schema-facts.js'
import type { ServiceResource } from '../resources/service-resource.js'
import type { Json, ValueMaker } from '../resources/value-maker.js'
import { fitObject, fittingParts, fitValue, isValid, withoutOthers } from './fit-value.js'
import { applyJsonPatch } from './json-patch.js'
import { changeFields, setTimes } from './record-times.js'
import { createSampler } from './sample.js'

/** How often an envelope is made anew if it does not conform. */
const MAX_ATTEMPTS = 12

export function createValueMaker(): ValueMaker {
  let random: RandomSource = () => 0
  const sampler = createSampler(() => random())

  return {
    completeRecord(resource, sent, salt, at) {
      const { name, record: place, fields, writable, idPath, list, operations } = resource
      const { schema } = place
      random = createRandom(0, `${name}/${salt}`)
      const request = operations.create?.request ?? operations.replace?.request
      const given = { ...initialValues(fields, list), ...requestDefaults(resource, request, sent), ...sent }
      const made = setTimes({ ...(fitObject(given, schema, sampler) as Json | undefined) }, given, resource, at)
      const kept = fields.filter(
        ({ property }) => ownMember(given, property) !== undefined || !writable.includes(property),
      )
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
    requestDefaults,
    fit(schema, salt, value) {
      random = createRandom(0, salt)
      return fitValue(value, schema, sampler)
    },
    applyPatch: applyJsonPatch,
    makeBody(schema, salt, place) {
      random = createRandom(0, salt)
      if (place === undefined) return sampler.sample(schema)
      const isChoice = [...partsOf(schema)].some(({ oneOf, anyOf }) => oneOf ?? anyOf)
      const isPlace = (path: readonly (string | number)[]) =>
        path.length === place.path.length && path.every((name, index) => name === place.path[index])
      const sample = () => sampler.sample(schema, { override: (path) => (isPlace(path) ? place.value : undefined) })
      let body = sample()
      // The value fits into one of the choices.
      for (let attempt = 1; isChoice && attempt < MAX_ATTEMPTS && !isValid(schema, body); attempt++) body = sample()
      return body
    },
  }
}

/** What the filters of a list select without being given: an issue is open. */
function initialValues(fields: ServiceResource['fields'], list: ServiceResource['list']): Json {
  const entries = (list?.filters ?? []).flatMap(({ property, initial }) => {
    const field = fields.find((each) => each.property === property)
    return initial !== undefined && field && isValid(field.schema, initial) ? [[property, initial]] : []
  })
  return Object.fromEntries(entries)
}

function requestDefaults({ fields, sentAs }: ServiceResource, request: ResourceOperation['request'], sent: Json): Json {
  if (request === undefined) return {}
  // The first default of a property counts.
  const parts = [...fittingParts(schemaAt(request.schema.schema, request.envelope), sent)].reverse()
  const entries = parts
    .flatMap(({ properties = {} }) => Object.entries(properties))
    .flatMap(([name, schema]) => {
      const value = [...partsOf(schema)].find((part) => part.default !== undefined)?.default
      const field = value === undefined ? undefined : fields.find(({ property }) => property === (sentAs[name] ?? name))
      return field && isValid(field.schema, value) ? [[field.property, value]] : []
    })
  return Object.fromEntries(entries)
}

function without(record: Json, property: string): Json {
  const { [property]: _, ...rest } = record
  return rest
}
