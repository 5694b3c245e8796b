import { compareIds } from '../../lib/int64.js'
import type { Compare } from '../store/sorted-list.js'
import type { StoredRecord } from './additions.js'
import type { ServiceResource } from './service-resource.js'

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
  const key = `${parameter}:${Array.isArray(value) ? [...new Set(value)].sort() : value}`
  const own = resource.additions.filters?.[parameter]
  if (own) return { key, test: (record) => own(record, value as never) }
  const stored = storedFieldOf(resource, parameter)
  const wanted = new Set<string | undefined>([value].flat().map(String))
  return { key, test: (record) => wanted.has(toGroupText(record[stored])) }
}

/** The name in the store of the property that a parameter filters by. */
export function storedFieldOf({ list, fields }: ServiceResource, parameter: string): string {
  const property = list?.filters.find((filter) => filter.parameter === parameter)?.property ?? parameter
  return fields.find((field) => field.property === property)?.stored ?? property
}

/**
 * The sorting that a parameter such as `-name` requests; undefined for the default, by id. In both directions missing values
 * come last and ties are sorted by id, so that pages do not overlap.
 */
export function toSort(
  resource: ServiceResource,
  sort: string | undefined,
): { key: string; compare: Compare<StoredRecord> } | undefined {
  const descending = sort?.startsWith('-') === true
  const property = descending ? sort.slice(1) : sort
  const field = resource.fields.find((each) => each.property === property)
  if (sort === undefined || field === undefined || (field.isId && !descending)) return undefined
  const { stored, isId, isInt64 } = field
  const { ids } = resource
  const direction = descending ? -1 : 1
  const compareValues = (isInt64 ? compareIds : isId ? ids.compare : compareJson) as (a: unknown, b: unknown) => number
  return {
    key: sort,
    compare(left, right) {
      const a = left[stored]
      const b = right[stored]
      const isMissing = Number(isNone(a)) - Number(isNone(b))
      const difference = isNone(a) || isNone(b) ? isMissing : direction * compareValues(a, b)
      return difference || ids.compare(left.id, right.id)
    },
  }
}

/** A value of a record as text, for comparing it with one of a path or query; undefined if there is none. */
export function toGroupText(value: unknown): string | undefined {
  return isNone(value) ? undefined : String(value)
}

const isNone = (value: unknown) => value === undefined || value === null

function compareJson(a: string | number | boolean, b: string | number | boolean): number {
  return a < b ? -1 : a > b ? 1 : 0
}
