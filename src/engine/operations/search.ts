import type { Found, Search } from '../../document/operations/meaning.js'
import { normalize } from '../../document/resources/names.js'
import { isScalar } from '../../document/schema/facts.js'
import { CONDITION, type Comparison, OPERATORS } from '../../document/words/search.js'
import { apiError } from '../../http/errors.js'
import { stringifyJson } from '../../lib/json.js'
import { isPlainObject, type Json } from '../../lib/values.js'
import type { GenericHandler, MeaningParts, ResourceContext } from '../crud/handler.js'
import { createListHandler } from '../crud/list.js'
import { toJsonRecord } from '../resources/record-forms.js'
import type { Condition } from '../resources/selection.js'
import { resourceNamed, type ServiceResource } from '../resources/service-resource.js'
import { toParentPath } from './place.js'

/** Responds with lists of the records that the request looks for. */
export function createSearchHandler(parts: MeaningParts<Search>): GenericHandler {
  const { finds } = parts.meaning
  const lists = finds.map((found) => ({ found, find: createFind(found, parts) }))
  return (context) => {
    const [first, ...others] = lists.map(({ found, find }) => ({ found, response: find(context) }))
    if (first === undefined || others.length === 0) return first?.response ?? parts.standard(context)
    const body = others.reduce(
      (whole, { found, response }) => put(whole, found.envelope, at(response.body, found.envelope)),
      first.response.body,
    )
    return { ...first.response, body }
  }
}

function createFind(
  { resource: name, parents, references, envelope, list }: Found,
  { meaning, all, tools }: MeaningParts<Search>,
) {
  const given = resourceNamed(all, name) as ServiceResource
  const operation = {
    ...meaning.operation,
    response: meaning.operation.response && { ...meaning.operation.response, envelope },
  }
  // What holds a whole record instead of its id cannot be compared with the id in a path, so it excludes nothing.
  const isId = ([property]: readonly [string, string]) =>
    given.fields.some((field) => field.property === property && isScalar(field.schema))
  const referring = Object.entries(references)
    .filter(isId)
    .map(([property, parameter]) => ({
      parameter,
      property,
      resource: given.references[property],
    }))
  const resource: ServiceResource = {
    ...given,
    parents: [...given.parents.filter(({ parameter }) => parameter in parents), ...referring],
    list,
    operations: { ...given.operations, list: operation },
  }
  const find = createListHandler({ resource, operation, all, tools }, meaning.path, ({ body }) =>
    readConditions(given, body),
  )
  return (context: ResourceContext) => {
    const query = { ...context.query, ...flatten(context.body) }
    // An unchanged query is known to the list.
    const path = { ...context.path, ...toParentPath(context.path, parents) }
    return find({ ...context, path, query: context.body === undefined ? context.query : query })
  }
}

/** The values of a body, and of the objects in it, by their names. */
function flatten(body: unknown): Json {
  if (!isPlainObject(body)) return {}
  const inner = Object.values(body).filter(isPlainObject)
  const entries = [...inner, body].flatMap((each) => Object.entries(each))
  return Object.fromEntries(entries.filter(([, value]) => typeof value !== 'object'))
}

/** Some values of one property. */
interface Test {
  readonly property: string
  readonly means: Comparison
  readonly value: unknown
}

type Demand = Test | { readonly all: readonly Demand[] } | { readonly any: readonly Demand[] }

/** The conditions of a search: `{ field, operator, value }`, and lists of these. All of a list, unless an operator says `OR`. */
function demandIn(value: unknown): Demand | undefined {
  if (Array.isArray(value)) {
    const all = value.flatMap((each) => demandIn(each) ?? [])
    return all.length > 0 ? { all } : undefined
  }
  if (!isPlainObject(value)) return undefined
  const find = (name: RegExp) => Object.entries(value).find(([key]) => name.test(normalize(key)))?.[1]
  const [property, operator, operand] = [find(CONDITION.property), find(CONDITION.operator), find(CONDITION.value)]
  if (typeof property === 'string' && operand !== undefined && !Array.isArray(operand) === !isPlainObject(operand)) {
    const name = String(operator ?? '=')
    const means = OPERATORS.find(([word]) => word.test(name) || word.test(normalize(name)))?.[1]
    return means && { property, means, value: operand }
  }
  const inner = Object.values(value).flatMap((each) => (typeof each === 'object' ? (demandIn(each) ?? []) : []))
  const isAny = /^(or|any)$/i.test(String(operator)) || Object.keys(value).some((key) => /^(or|any|anyof)$/i.test(key))
  if (inner.length === 0) return undefined
  const [only] = inner
  if (isAny && inner.length === 1 && only && 'all' in only) return { any: only.all }
  return isAny ? { any: inner } : { all: inner }
}

/** More than anyone writes by hand. Each is compared with every record. */
const MAX_CONDITIONS = 500

/** What a body demands of the records. Throws INVALID_REQUEST if that is too much. */
function readConditions(resource: ServiceResource, body: unknown): Condition[] {
  const demand = demandIn(body)
  if (demand === undefined) return []
  const count = countTests(demand)
  if (count > MAX_CONDITIONS) {
    throw apiError('INVALID_REQUEST', `The search has ${count} conditions. Maximum: ${MAX_CONDITIONS}.`)
  }
  return [
    { key: `/conditions:${stringifyJson(demand)}`, test: (record) => holds(demand, toJsonRecord(resource, record)) },
  ]
}

function countTests(demand: Demand): number {
  if ('property' in demand) return 1
  const inner = 'all' in demand ? demand.all : demand.any
  return inner.reduce((sum, each) => sum + countTests(each), 0)
}

function holds(demand: Demand, record: Json): boolean {
  if ('all' in demand) return demand.all.every((each) => holds(each, record))
  if ('any' in demand) return demand.any.some((each) => holds(each, record))
  const { means, property, value } = demand
  const values = [at(record, property.split('.'))].flat()
  const isMet = (comparison: Positive) => values.some((own) => compare(comparison, own, value))
  return isNegative(means) ? !isMet(OPPOSITES[means]) : isMet(means)
}

/** A list lacks a value if none of its items is that value. */
const OPPOSITES = { unequal: 'equal', lacks: 'contains', notIn: 'in' } as const

type Negative = keyof typeof OPPOSITES
type Positive = Exclude<Comparison, Negative>

const isNegative = (means: Comparison): means is Negative => means in OPPOSITES

function compare(means: Positive, own: unknown, wanted: unknown): boolean {
  const [left, right] = [own ?? '', wanted].map((value) => String(value).toLowerCase()) as [string, string]
  const numbers = [left, right].map((text) => (text === '' ? Number.NaN : Number(text)))
  const times = [left, right].map((text) => (TIME.test(text) ? Date.parse(text.toUpperCase()) : Number.NaN))
  const [a, b] = [numbers, times].find((pair) => pair.every(Number.isFinite)) ?? [Number.NaN, Number.NaN]
  const list = Array.isArray(wanted) ? wanted.map((each) => String(each).toLowerCase()) : [right]
  return {
    // Beyond the safe integers different ones would be rounded to the same number.
    equal: () => left === right || (a === b && Math.abs(Number(a)) <= Number.MAX_SAFE_INTEGER),
    above: () => Number(a) > Number(b),
    from: () => Number(a) >= Number(b),
    below: () => Number(a) < Number(b),
    to: () => Number(a) <= Number(b),
    contains: () => left.includes(right),
    starts: () => left.startsWith(right),
    ends: () => left.endsWith(right),
    in: () => list.includes(left),
  }[means]()
}

/** `Date.parse` also finds a time in `Task 1`. */
const TIME = /^\d{4}-\d\d-\d\d/

function at(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, name) => (isPlainObject(inner) ? inner[name] : undefined), value)
}

function put(body: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value
  return { ...Object(body), [name]: put(Object(body)[name], rest, value) }
}
