import type { StoredRecord } from './additions.js'
import type { Range } from './resource.js'
import { typesOf } from './schema-facts.js'
import type { Condition } from './selection.js'
import type { Field, ServiceResource } from './service-resource.js'

type Query = Readonly<Record<string, unknown>>

/** The conditions of query parameters that select otherwise than by the value of a property. */
export function otherConditions({ list, fields }: ServiceResource, query: Query): Condition[] {
  const ranges = (list?.ranges ?? []).flatMap((range) => {
    const field = fields.find(({ property }) => property === range.property)
    const value = query[range.parameter]
    return field && value !== undefined ? [toRangeCondition(range, field, value)] : []
  })
  const text = list?.search === undefined ? undefined : query[list.search]
  return typeof text === 'string' && text !== '' ? [...ranges, toSearch(text, fields)] : ranges
}

function toRangeCondition(
  { parameter, bound, isExclusive }: Range,
  { stored, schema }: Field,
  value: unknown,
): Condition {
  const types = typesOf(schema)
  const isNumber = types.has('integer') || types.has('number')
  const toComparable = (each: unknown) => toPosition(each, isNumber)
  const limit = toComparable(value)
  const sign = bound === 'minimum' ? 1 : -1
  return {
    key: `${parameter}:${value}`,
    test(record) {
      const difference = sign * (toComparable(record[stored]) - limit)
      return isExclusive ? difference > 0 : difference >= 0
    },
  }
}

/** A number, or a time as one: `2025` is a year where the property is a time. What is neither is in no range. */
function toPosition(value: unknown, isNumber: boolean): number {
  if (value === undefined || value === null || value === '') return Number.NaN
  const number = isNumber ? Number(value) : Number.NaN
  return Number.isNaN(number) ? parseTime(String(value)) : number
}

/** A time without an offset is in UTC, whatever the zone of the machine. */
function parseTime(text: string): number {
  return Date.parse(/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?$/.test(text) ? `${text.replace(' ', 'T')}Z` : text)
}

/** Looks for a text in all texts of a record. */
function toSearch(text: string, fields: readonly Field[]): Condition {
  const wanted = text.toLowerCase()
  const contains = (value: unknown): boolean =>
    typeof value === 'string' ? value.toLowerCase().includes(wanted) : Array.isArray(value) && value.some(contains)
  return {
    key: `search:${wanted}`,
    test: (record: StoredRecord) => fields.some(({ stored }) => contains(record[stored])),
  }
}
