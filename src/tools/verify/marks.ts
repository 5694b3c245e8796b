import type { Role } from '../../document/resources/resource.js'
import { hasFlag, nonNullOf, onlyTypeOf, propertiesIn, schemaAt } from '../../document/schema/facts.js'
import type { Schema } from '../../document/schema/schema.js'
import type { Field, ServiceResource } from '../../engine/resources/service-resource.js'
import { isView } from './resources.js'

/** What marks a record as one that verify created: a word in a text, a random date or a random number. */
export interface Mark {
  readonly property: string
  readonly type: 'text' | 'date' | 'number'
}

/** The properties that can mark a record, best first. */
export function marksOf(resource: ServiceResource): Mark[] {
  const { fields, writable, references } = resource
  const created = propertiesIn(requestSchema(resource, 'create'))
  if (isView(resource)) return []
  const free = fields.filter(
    ({ property, isId, schema }) =>
      !isId &&
      writable.includes(property) &&
      created.has(property) &&
      !(property in references) &&
      !hasFlag(schema, 'writeOnly'),
  )
  return (['text', 'date', 'number'] as const).flatMap((type) =>
    free.filter((field) => typeOfMark(field) === type).map(({ property }) => ({ property, type })),
  )
}

/** The property that marks its records, or undefined if none can, or if it is not of the wanted type. */
export function markOf(resource: ServiceResource, type?: Mark['type']): Mark | undefined {
  const [mark] = marksOf(resource)
  return type === undefined || mark?.type === type ? mark : undefined
}

const MAX_TEXT = 60
const MAX_NUMBER = 401_000_000

function typeOfMark({ schema }: Field): Mark['type'] | undefined {
  const { format, pattern, maxLength = MAX_TEXT, maximum = MAX_NUMBER, ...others } = nonNullOf(schema)
  const type = onlyTypeOf(schema)
  if (others.enum !== undefined || pattern !== undefined) return undefined
  if (type === 'string' && format === 'date-time') return 'date'
  if (type === 'string' && format === undefined && maxLength >= MAX_TEXT) return 'text'
  return type === 'integer' && maximum >= MAX_NUMBER ? 'number' : undefined
}

/** What a request holds inside its envelope. */
export function requestSchema({ operations }: ServiceResource, role: Role): Schema {
  const request = operations[role]?.request
  return (request && schemaAt(request.schema.schema, request.envelope)) ?? {}
}
