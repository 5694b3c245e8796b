import type { Role } from '../../../document/resources/resource.js'
import { namesNull, onlyTypeOf, propertiesIn, requiredIn } from '../../../document/schema/facts.js'
import type { Schema } from '../../../document/schema/schema.js'
import type { ServiceResource } from '../../../engine/resources/service-resource.js'
import { stringifyJson } from '../../../lib/json.js'
import { type Check, type Context, writes } from '../check.js'
import { marksOf, requestSchema } from '../marks.js'
import type { Fields } from '../own-records.js'
import { isPlain } from '../resources.js'

const NOT_OBJECTS = ['[]', 'null', '"text"', '1']

/** Which bodies are rejected. */
export function bodyChecks(resources: readonly ServiceResource[]): Check[] {
  return resources.filter(isPlain).flatMap((resource) =>
    (['create', 'replace', 'merge'] as const).flatMap((role): Check[] => {
      const { request, operationId } = resource.operations[role] ?? {}
      if (request === undefined || operationId === undefined) return []
      return [
        writes(operationId, 'returns 400 INVALID_REQUEST for a body that breaks the schema', async (context) => {
          const target = role === 'create' ? {} : { id: (await context.create(resource.storedIn)).id }
          for (const raw of await invalidBodies(resource, role, context)) {
            await context.expectInvalid(operationId, { raw, ...target }, 'INVALID_REQUEST')
          }
        }),
      ]
    }),
  )
}

/** Bodies with one fault each. A service that accepts one creates a record that can be recognised as ours, if possible. */
async function invalidBodies(resource: ServiceResource, role: Role, context: Context): Promise<string[]> {
  const { resources, any, newBody, newMark, unknownReference } = context
  const { envelope = [] } = resource.operations[role]?.request ?? {}
  const schema = requestSchema(resource, role)
  const required = [...requiredIn(schema)]
  const referred: Record<string, unknown> = {}
  for (const [property, to] of Object.entries(resource.references)) {
    // Only what is required: another record might be changed by being referred to.
    if (required.includes(property)) referred[property] = await any(to)
  }

  /** A valid body without this property, marked in another way if it is the mark. */
  async function without(property: string): Promise<Fields> {
    const { [property]: _, ...rest } = await newBody(resource, role, referred)
    const [mark, other] = marksOf(resource)
    return property === mark?.property && other ? { ...rest, [other.property]: newMark[other.type]() } : rest
  }

  const bodies = required.length > 0 ? [...NOT_OBJECTS, '{}'] : [...NOT_OBJECTS]
  for (const property of required) bodies.push(stringifyJson(await without(property)) ?? '')
  for (const [property, each] of propertiesIn(schema)) {
    if (!resource.writable.includes(property)) continue
    const to = resource.references[property]
    const values =
      to === undefined
        ? invalidValues(each)
        : invalidReferences(referred[property], unknownReference(resources.get(to)))
    for (const value of values) bodies.push(withRaw(await without(property), property, value))
  }
  return [...NOT_OBJECTS, ...bodies.slice(NOT_OBJECTS.length).map((body) => wrapRaw(envelope, body))]
}

const wrapRaw = (envelope: readonly string[], body: string): string =>
  envelope.reduceRight((inner, name) => `{${JSON.stringify(name)}:${inner}}`, body)

export function withRaw(fields: Fields, property: string, value: string): string {
  const members = stringifyJson(fields)?.slice(1, -1)
  return `{${members === '' ? '' : `${members},`}${JSON.stringify(property)}:${value}}`
}

const INVALID_DATES = ['"yesterday"', '"2026-02-30T09:30:00Z"', '"2026-01-01T00:00:60Z"', '"2026-01-01"']

/** JSON that a property must not have. */
function invalidValues(schema: Schema): string[] {
  const byType: Readonly<Record<string, readonly string[]>> = {
    string: ['42'],
    integer: ['"1"', '1.5'],
    number: ['"1"'],
    boolean: ['"yes"'],
    object: ['"text"'],
    array: ['"text"'],
  }
  const isDate = schema.format === 'date-time'
  const wrong = schema.enum ? ['"lost"'] : isDate ? INVALID_DATES : (byType[onlyTypeOf(schema) ?? ''] ?? [])
  return namesNull(schema) ? [...wrong] : [...wrong, 'null']
}

/** However carelessly they are read, they are the ids of no record of others. */
function invalidReferences(known: unknown, unknown: unknown): string[] {
  if (typeof unknown === 'string') return [`8${Date.UTC(2026, 0)}`]
  return [`"${known ?? unknown}"`, `${unknown}.5`, `9999${unknown}`, `-9999${unknown}`]
}
