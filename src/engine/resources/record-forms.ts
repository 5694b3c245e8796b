import { typesOf } from '../../document/schema/facts.js'
import type { Schema } from '../../document/schema/schema.js'
import { type Id, parseAnyId, toJsonInt64 } from '../../lib/int64.js'
import { ownMember } from '../../lib/values.js'
import type { StoredRecord } from './additions.js'
import type { Field, ServiceResource } from './service-resource.js'

/** Where a record that was renamed keeps its first name. */
export const OLD_NAME = '/oldName'

/** Where a user keeps the tokens that were ended before their time. */
export const ENDED_TOKENS = '/endedTokens'

/** When a job began that is not done yet, in milliseconds since 1970. */
export const STARTED = '/started'

/** Where a record keeps the file that was uploaded for it. */
export const FILE = '/file'

export type StoredFields = Readonly<Record<string, unknown>>

/** The fields that a client can set. */
export function writableFields({ fields, writable }: Pick<ServiceResource, 'fields' | 'writable'>): readonly Field[] {
  return fields.filter(({ property, isId }) => !isId && writable.includes(property))
}

/** What a client sets. */
export function pickWritable(resource: Pick<ServiceResource, 'fields' | 'writable'>, json: StoredFields): StoredFields {
  const given = writableFields(resource).filter(({ property }) => ownMember(json, property) !== undefined)
  return Object.fromEntries(given.map(({ property }) => [property, json[property]]))
}

/** What a request has that is stored and never sent. */
export function hiddenFields(
  { additions: { hidden = [] } }: Pick<ServiceResource, 'additions'>,
  json: StoredFields,
): StoredFields {
  const given = hidden.filter((property) => ownMember(json, property) !== undefined)
  return Object.fromEntries(given.map((property) => [property, json[property]]))
}

/** The id in a record as JSON has it; undefined if there is none of this kind. */
export function readIdOf({ ids, idPath }: Pick<ServiceResource, 'ids' | 'idPath'>, record: unknown): Id | undefined {
  return ids.read(idPath.reduce<unknown>((value, name) => (value as Record<string, unknown> | null)?.[name], record))
}

/** What a stored record has at a place of its JSON. */
export function valueAt(
  { fields }: Pick<ServiceResource, 'fields'>,
  record: StoredRecord,
  [outer, ...inner]: readonly string[],
): unknown {
  const stored = fields.find(({ property }) => property === outer)?.stored
  return inner.reduce((value, name) => Object(value)[name], stored === undefined ? undefined : record[stored])
}

/** The fields of a record as the store has them. Fields that are missing in the JSON are missing here, too. */
export function toStoredFields(
  { fields, ids, additions }: Pick<ServiceResource, 'fields' | 'ids' | 'additions'>,
  json: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const record: Record<string, unknown> = {}
  for (const field of fields) {
    const { property, stored, isId } = field
    const value = ownMember(json, property)
    if (value === undefined) continue
    if (isId) record[stored] = ids.read(value)
    else record[stored] = toStoredValue(value, field, ownMember(additions.normalize ?? {}, property))
  }
  return record
}

/** An int64 as an id, because the database cannot hold a bigint; other values as they are. */
export function toStoredValue(
  value: unknown,
  { isInt64 }: Pick<Field, 'isInt64'>,
  normalize?: (value: string) => unknown,
): unknown {
  if (isInt64) return parseAnyId(value) ?? value
  return normalize && typeof value === 'string' ? normalize(value) : value
}

/** A record as clients see it. Large integers are bigints. */
export function toJsonRecord(
  { fields, ids, idPath: [outer, inner] }: Pick<ServiceResource, 'fields' | 'ids' | 'idPath'>,
  record: StoredRecord,
): Record<string, unknown> {
  const json: Record<string, unknown> = {}
  for (const { property, stored, isInt64, isId } of fields) {
    const value = record[stored]
    if (value === undefined) continue
    if (isId) json[property] = ids.toJson(value as Id)
    else json[property] = isInt64 ? toJsonValue(value) : value
  }
  if (inner !== undefined) json[outer] = { ...Object(json[outer]), [inner]: ids.toJson(record.id) }
  return json
}

/** A text that is no number is what a request sent in another type. */
function toJsonValue(value: unknown): unknown {
  return typeof value === 'string' && /^-?\d+$/.test(value) ? toJsonInt64(value as Id) : value
}

/** What its ids are, as it reads after "must be". */
export function describeId({ id: { kind } }: Pick<ServiceResource, 'id'>): string {
  if (kind.type === 'int64') return 'a 64-bit integer'
  return kind.type === 'integer' ? 'an integer' : kind.type === 'uuid' ? 'a UUID' : 'a string that is not empty'
}

/** An id as a property of this schema has it: as a number or as text. */
export function toReference(id: unknown, schema: Schema): unknown {
  const types = typesOf(schema)
  const isNumeric = types.has('integer') || types.has('number')
  if (types.has('string')) return isNumeric ? id : String(id)
  return isNumeric ? toNumber(id) : id
}

function toNumber(id: unknown): unknown {
  const read = parseAnyId(id)
  return read === undefined ? id : toJsonInt64(read)
}
