import type { Found, Search } from '../../document/operations/meaning.js'
import { normalize } from '../../document/resources/names.js'
import { isScalar } from '../../document/schema/facts.js'
import { CONDITION, type Comparison, OPERATORS } from '../../document/words/search.js'
import { isPlainObject, type Json } from '../../lib/values.js'
import type { GenericHandler, MeaningParts, ResourceContext } from '../crud/handler.js'
import { createListHandler } from '../crud/list.js'
import type { StoredRecord } from '../resources/additions.js'
import { toJsonRecord } from '../resources/record-forms.js'
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
  // A copy of a record is compared nowhere: those of all are found.
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
    additions: { ...given.additions, filters: { ...given.additions.filters, [CONDITIONS]: createTest(given) } },
    operations: { ...given.operations, list: operation },
  }
  const find = createListHandler({ resource, operation, all, tools }, meaning.path)
  return (context: ResourceContext) => {
    const condition = conditionIn(context.body)
    const query = {
      ...context.query,
      ...flatten(context.body),
      ...(condition && { [CONDITIONS]: JSON.stringify(condition) }),
    }
    // An unchanged query is known to the list.
    const path = { ...context.path, ...toParentPath(context.path, parents) }
    return find({ ...context, path, query: context.body === undefined ? context.query : query })
  }
}

/** Not the name of a parameter. */
const CONDITIONS = '/conditions'

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

type Condition = Test | { readonly all: readonly Condition[] } | { readonly any: readonly Condition[] }

/** The conditions of a search: `{ field, operator, value }`, and lists of these. All of a list, unless an operator says `OR`. */
function conditionIn(value: unknown): Condition | undefined {
  if (Array.isArray(value)) {
    const all = value.flatMap((each) => conditionIn(each) ?? [])
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
  const inner = Object.values(value).flatMap((each) => (typeof each === 'object' ? (conditionIn(each) ?? []) : []))
  const isAny = /^(or|any)$/i.test(String(operator)) || Object.keys(value).some((key) => /^(or|any|anyof)$/i.test(key))
  if (inner.length === 0) return undefined
  const [only] = inner
  if (isAny && inner.length === 1 && only && 'all' in only) return { any: only.all }
  return isAny ? { any: inner } : { all: inner }
}

/** Whether a record meets a condition, written as JSON. */
function createTest(resource: ServiceResource) {
  let latest: { readonly text: string; readonly condition: Condition } | undefined
  return (record: StoredRecord, text: string) => {
    if (latest?.text !== text) latest = { text, condition: JSON.parse(text) }
    return holds(latest.condition, toJsonRecord(resource, record))
  }
}

function holds(condition: Condition, record: Json): boolean {
  if ('all' in condition) return condition.all.every((each) => holds(each, record))
  if ('any' in condition) return condition.any.some((each) => holds(each, record))
  const own = at(record, condition.property.split('.'))
  return [own].flat().some((value) => compare(condition.means, value, condition.value))
}

function compare(means: Comparison, own: unknown, wanted: unknown): boolean {
  const [left, right] = [own ?? '', wanted].map((value) => String(value).toLowerCase()) as [string, string]
  const numbers = [left, right].map((text) => (text === '' ? Number.NaN : Number(text)))
  const times = [left, right].map((text) => Date.parse(text.toUpperCase()))
  const [a, b] = [numbers, times].find((pair) => pair.every(Number.isFinite)) ?? [Number.NaN, Number.NaN]
  const list = Array.isArray(wanted) ? wanted.map((each) => String(each).toLowerCase()) : [right]
  return {
    equal: () => left === right || a === b,
    unequal: () => left !== right,
    above: () => Number(a) > Number(b),
    from: () => Number(a) >= Number(b),
    below: () => Number(a) < Number(b),
    to: () => Number(a) <= Number(b),
    contains: () => left.includes(right),
    lacks: () => !left.includes(right),
    starts: () => left.startsWith(right),
    ends: () => left.endsWith(right),
    in: () => list.includes(left),
    notIn: () => !list.includes(left),
  }[means]()
}

function at(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, name) => (isPlainObject(inner) ? inner[name] : undefined), value)
}

function put(body: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value
  return { ...Object(body), [name]: put(Object(body)[name], rest, value) }
}
