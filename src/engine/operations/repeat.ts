import { normalize } from '../../document/resources/names.js'
import type { ResourceOperation } from '../../document/resources/resource.js'
import { isValid } from '../../document/sample/fit-value.js'
import { isObjectSchema, propertiesIn } from '../../document/schema/facts.js'
import type { Schema } from '../../document/schema/schema.js'
import { ENVELOPES } from '../../document/words/envelopes.js'
import { NOT_REPEATED } from '../../document/words/repeated.js'
import type { HandlerResponse } from '../../http/messages.js'
import { isPlainObject, type Json } from '../../lib/values.js'
import type { ResourceContext } from '../crud/handler.js'

/** A response in which what is known by the same names is as it is known. */
export type Repeat = (response: HandlerResponse, known: Json) => HandlerResponse

export function createRepeat({ response }: Pick<ResourceOperation, 'response'>): Repeat {
  const schema = response?.schema.schema
  if (schema === undefined) return (given) => given
  const envelope = envelopeIn(schema)
  return (given, known) =>
    isPlainObject(given.body) ? { ...given, body: repeatIn(given.body, schema, known, envelope) } : given
}

/** What a request has, by name. The `id` of a path may be that of something else. */
export function sentIn({ path, query, body }: Pick<ResourceContext, 'path' | 'query' | 'body'>): Json {
  const { id: _, ...named } = path
  return { ...named, ...query, ...membersIn(body) }
}

/** The property that holds the object, if the body is an envelope. */
function envelopeIn(schema: Schema): string | undefined {
  const properties = propertiesIn(schema)
  const named = [...properties.keys()].filter((name) => ENVELOPES.test(normalize(name)))
  const [found] = properties.size === 1 ? properties.keys() : named
  return found !== undefined && isObjectSchema(properties.get(found) ?? {}) ? found : undefined
}

function membersIn(body: unknown): Json {
  if (!isPlainObject(body)) return {}
  const [name, ...others] = Object.keys(body)
  const inner = name !== undefined && others.length === 0 ? body[name] : undefined
  return isPlainObject(inner) ? { ...body, ...inner } : body
}

/** What does not conform is left as it was. */
function repeatIn(body: Json, schema: Schema, facts: Json, envelope: string | undefined): Json {
  const put = (into: Json, shape: Schema, conforms: (next: Json) => boolean) => {
    const properties = propertiesIn(shape)
    let result = into
    for (const [name, value] of Object.entries(facts)) {
      const property = properties.get(name)
      if (property === undefined || value === undefined || NOT_REPEATED.test(name)) continue
      const fitting = [value, String(value), Number(value)].find((each) =>
        typeof value !== 'object' ? isValid(property, each) : each === value && isValid(property, each),
      )
      if (fitting === undefined) continue
      const next = { ...result, [name]: fitting }
      if (conforms(next)) result = next
    }
    return result
  }
  const inner = envelope === undefined ? undefined : body[envelope]
  const filled =
    envelope !== undefined && isPlainObject(inner)
      ? {
          ...body,
          [envelope]: put(inner, propertiesIn(schema).get(envelope) ?? {}, (next) =>
            isValid(schema, { ...body, [envelope]: next }),
          ),
        }
      : body
  return put(filled, schema, (next) => isValid(schema, next))
}
