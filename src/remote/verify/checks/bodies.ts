import { propertiesOf, type Schema, typeOf } from '../../../engine/contract/schema.js'
import { isNullable } from '../../../engine/data/json-schema.js'
import type { Role } from '../../../engine/resources/resource.js'
import { requiredIn } from '../../../engine/resources/schema-facts.js'
import type { ServiceResource } from '../../../engine/resources/service-resource.js'
import { stringifyJson } from '../../../lib/json.js'
import { type Check, type Context, forEachAllowed, writes } from '../check.js'
import { markOf, marksOf } from '../marks.js'
import type { Fields } from '../own-records.js'
import { requestSchema } from '../record-factory.js'

const NOT_OBJECTS = ['[]', 'null', '"text"', '1']
const WRITING = ['create', 'replace', 'merge'] as const

/** Which bodies are rejected or accepted, and what of them is stored. */
export function bodyChecks(resources: readonly ServiceResource[]): Check[] {
  return resources
    .filter(({ parents }) => parents.length === 0)
    .flatMap((resource) => [
      ...WRITING.flatMap((role) => writeChecks(resource, role)),
      ...(resource.operations.create && markOf(resource, 'text')
        ? creationChecks(resource, resource.operations.create.operationId)
        : []),
    ])
}

function writeChecks(resource: ServiceResource, role: Role): Check[] {
  const { request, operationId = '' } = resource.operations[role] ?? {}
  if (request === undefined) return []
  const code = 'INVALID_REQUEST'
  return [
    writes(operationId, 'returns 400 INVALID_REQUEST for a body that breaks the schema', async (context) => {
      const target = role === 'create' ? {} : { id: (await context.create(resource.storedIn)).id }
      await forEachAllowed(await invalidBodies(resource, role, context), (raw) =>
        context.call(operationId, { raw, ...target }, { code }),
      )
    }),
    ...(role === 'create'
      ? []
      : [
          writes(operationId, 'validates the body before it looks for the record', async ({ call, unknownId }) => {
            await call(operationId, { id: unknownId(resource), raw: '[]' }, { code })
          }),
        ]),
  ]
}

/** Bodies with one fault each. A service that accepts one creates a record that can be recognised as ours, if possible. */
async function invalidBodies(resource: ServiceResource, role: Role, context: Context): Promise<string[]> {
  const { resources, any, newBody, newMark, unknownReference } = context
  const schema = requestSchema(resource, role)
  const properties = Object.entries(propertiesOf(schema))
  const required = [...requiredIn(schema)]
  const referred: Record<string, unknown> = {}
  for (const [property, to] of Object.entries(resource.references)) referred[property] = await any(to)
  const given = Object.fromEntries(Object.entries(referred).filter(([property]) => required.includes(property)))

  /** A valid body without this property, marked in another way if it is the mark. */
  async function without(property: string): Promise<Fields> {
    const { [property]: _, ...rest } = await newBody(resource, role, given)
    const [mark, other] = marksOf(resource)
    return property === mark?.property && other ? { ...rest, [other.property]: newMark[other.type]() } : rest
  }

  const bodies = required.length > 0 ? [...NOT_OBJECTS, '{}'] : [...NOT_OBJECTS]
  for (const property of required) bodies.push(stringifyJson(await without(property)) ?? '')
  for (const [property, each] of properties) {
    const to = resource.references[property]
    const values =
      to === undefined
        ? invalidValues(each)
        : invalidReferences(referred[property], unknownReference(resources.get(to)), each)
    if (resource.writable.includes(property)) {
      for (const value of values) bodies.push(withRaw(await without(property), property, value))
    }
  }
  return bodies
}

function withRaw(fields: Fields, property: string, value: string): string {
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
  const wrong = schema.enum ? ['"lost"'] : isDate ? INVALID_DATES : (byType[typeOf(schema) ?? ''] ?? [])
  return isNullable(schema as never) ? [...wrong] : [...wrong, 'null']
}

function invalidReferences(known: unknown, unknown: unknown, schema: Schema): string[] {
  if (typeof known === 'string') return invalidValues(schema)
  return [`"${known}"`, `${unknown}.5`, `9999${unknown}`, `-9999${unknown}`, 'null']
}

function creationChecks(resource: ServiceResource, operation: string): Check[] {
  const schema = requestSchema(resource, 'create')
  const mark = markOf(resource)?.property as string
  const required = requiredIn(schema)
  const optional = marksOf(resource).filter(({ type, property }) => type === 'text' && !required.has(property))
  const properties = propertiesOf(schema)
  const referring = [...required].filter((property) => property in resource.references)
  const reference = referring.find((property) => typeOf(properties[property] ?? {}) === 'integer')
  const referTo = async (context: Context) => {
    const referred: Record<string, unknown> = {}
    for (const each of referring) referred[each] = await context.any(resource.references[each] as string)
    return referred
  }
  const { idPath, id: idOf } = resource
  // Where a request may have the id, the service may keep it.
  const ignored = idOf.isAccepted ? 'fields' : 'an id and fields'
  return [
    writes(operation, `ignores ${ignored} that the schema does not have`, async (context) => {
      const id = idOf.isAccepted ? undefined : context.newUnknownId(resource)
      const sent = await context.newBody(resource, 'create', await referTo(context))
      const hidden = stringifyJson(Object.fromEntries(optional.map(({ property }) => [property, 'no'])))
      const members = stringifyJson(sent)?.slice(1, -1)
      const idMember = id === undefined ? '' : `"${idPath[0]}":${stringifyJson(id)},`
      const raw = `{${idMember}${members},"colour":"red","__proto__":${hidden}}`
      const absent = Object.fromEntries(
        ['colour', ...optional.map(({ property }) => property)].map((each) => [each, undefined]),
      )
      const created = await context.call(operation, { raw }, { fields: { ...sent, ...absent } })
      if (id === undefined || created.id !== id) return
      context.noteOn(operation, created)(`body /${idPath[0]}`, 'an id that the service chose', String(id))
    }),

    ...(reference === undefined
      ? []
      : [
          writes(operation, 'accepts every JSON spelling of an integer, and UTF-8', async (context) => {
            const referred = await referTo(context)
            const { [reference]: id, ...sent } = await context.newBody(resource, 'create', referred)
            const body = { ...sent, [mark]: `${sent[mark]} ☂ 🐈` }
            const raw = withRaw(body, reference, `${id}.0`)
            const headers = { 'Content-Type': 'application/json; charset="UTF-8"' }
            await context.call(operation, { raw, headers }, { fields: { ...body, ...referred } })
          }),
        ]),
  ]
}
