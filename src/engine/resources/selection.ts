import { findByStem } from '../../document/resources/list-parameters.js'
import { normalize } from '../../document/resources/names.js'
import type { Range } from '../../document/resources/resource.js'
import { typesOf } from '../../document/schema/facts.js'
import { DESCENDING } from '../../document/words/list-parameters.js'
import { compareIds } from '../../lib/int64.js'
import { isPlainObject } from '../../lib/values.js'
import type { Compare } from '../store/sorted-list.js'
import type { StoredRecord } from './additions.js'
import type { Field, ServiceResource } from './service-resource.js'

/** A condition. Its key identifies it, so that the filtered list can be cached. */
export interface Condition {
  readonly key: string
  readonly test: (record: StoredRecord) => boolean
}

/** All conditions as one; undefined when there are none. */
export function combine(conditions: readonly Condition[]): Condition | undefined {
  if (conditions.length < 2) return conditions[0]
  return {
    key: JSON.stringify(conditions.map(({ key }) => key)),
    test: (record) => conditions.every(({ test }) => test(record)),
  }
}

/** The condition of a query parameter. Several values are alternatives. */
export function toCondition(resource: ServiceResource, parameter: string, value: unknown): Condition {
  const key = `${parameter}:${Array.isArray(value) ? JSON.stringify([...new Set(value.map(String))].sort()) : value}`
  const own = resource.additions.filters?.[parameter]
  if (own) return { key, test: (record) => own(record, value as never) }
  const stored = storedFieldOf(resource, parameter)
  const { inner = ['id'], isSeveral } = resource.list?.filters.find((each) => each.parameter === parameter) ?? {}
  const texts = [value].flat().map(String)
  const wanted = new Set<string | undefined>(isSeveral ? texts.flatMap((text) => [text, ...text.split(',')]) : texts)
  const isWanted = (part: unknown) =>
    isPlainObject(part) ? inner.some((name) => wanted.has(toGroupText(part[name]))) : wanted.has(toGroupText(part))
  // What is not set is not true.
  const isFalse = wanted.has('false')
  return {
    key,
    test(record) {
      const found = record[stored]
      if (typeof found !== 'object' || found === null)
        return wanted.has(toGroupText(found)) || (isFalse && isNone(found))
      return [found].flat().some(isWanted)
    },
  }
}

/** The name in the store of the property that a parameter filters by. */
export function storedFieldOf({ list, fields }: ServiceResource, parameter: string): string {
  const property = list?.filters.find((filter) => filter.parameter === parameter)?.property ?? parameter
  return fields.find((field) => field.property === property)?.stored ?? property
}

/**
 * The sorting that a parameter such as `-name` or `name:desc` requests; undefined for the default, by id. In both directions missing values
 * come last and ties are sorted by id, so that pages do not overlap.
 */
export function toSort(
  resource: ServiceResource,
  sort: string | undefined,
  direction?: string | undefined,
): { key: string; compare: Compare<StoredRecord> } | undefined {
  const { name, isDescending } = readSort(sort ?? '', direction)
  const field = findSortField(resource, name)
  if (sort === undefined && direction === undefined) return newestFirst(resource)
  if (field === undefined) return undefined
  if (field.isId && !isDescending) return undefined
  const { stored, isId, isInt64 } = field
  const { ids } = resource
  const sign = isDescending ? -1 : 1
  const compareValues = (isInt64 ? compareIds : isId ? ids.compare : compareJson) as (a: unknown, b: unknown) => number
  return {
    key: isDescending ? `-${field.property}` : field.property,
    compare(left, right) {
      const a = left[stored]
      const b = right[stored]
      const isMissing = Number(isNone(a)) - Number(isNone(b))
      const difference = isNone(a) || isNone(b) ? isMissing : sign * compareValues(a, b)
      return difference || ids.compare(left.id, right.id)
    },
  }
}

/** By the time of creation if the records have one, else by id. */
function newestFirst(resource: ServiceResource) {
  const { additions, ids, list } = resource
  if (additions.newest === undefined && !list?.startsWithNewest) return undefined
  const stored = findSortField(resource, 'created')?.stored
  return {
    key: '-newest',
    compare: (left: StoredRecord, right: StoredRecord) =>
      (stored === undefined ? 0 : compareJson(String(right[stored]), String(left[stored]))) ||
      ids.compare(right.id, left.id),
  }
}

/** `-name`, `+name`, `name:desc`, `name,desc`, `name desc` and `name_desc`; of several, the first. */
function readSort(text: string, other: string | undefined): { readonly name: string; readonly isDescending: boolean } {
  const first = /^([-+]?)(.+?)(?:[\s:,._|-]*(asc|desc)(?:ending)?)?$/i.exec(
    text.slice(0, MAX_SORT).trim().split(SEVERAL)[0] ?? '',
  )
  const [, sign = '', name = '', direction = other ?? ''] = first ?? []
  return { name, isDescending: sign === '-' || DESCENDING.test(direction) }
}

/** Longer than the name of any property. Finding the direction takes time that grows with the square of the length. */
const MAX_SORT = 500

/** Between properties, unless the second is a direction. */
const SEVERAL = /,(?!\s*(?:asc|desc)(?:ending)?\b)/i

/** Without a name, a direction is that of the ids. */
function findSortField({ fields }: ServiceResource, name: string) {
  const exact = fields.find((field) => (name === '' ? field.isId : field.property === name))
  const property =
    exact?.property ??
    findByStem(
      fields.map((field) => field.property),
      normalize(name),
    )
  return fields.find((field) => field.property === property)
}

/** A value of a record as text, for comparing it with one of a path or query; undefined if there is none. */
export function toGroupText(value: unknown): string | undefined {
  return isNone(value) ? undefined : String(value)
}

const isNone = (value: unknown) => value === undefined || value === null

function compareJson(a: string | number | boolean, b: string | number | boolean): number {
  return a < b ? -1 : a > b ? 1 : 0
}

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
