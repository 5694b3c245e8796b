import type { Schema } from '../contract/schema.js'
import { normalize } from './names.js'
import { findRanges } from './ranges.js'
import type { Parameter } from './read-operations.js'
import type { Filter, ListParameters, Paging } from './resource.js'
import { isObjectSchema, itemsOf, partsOf, propertiesIn, typesOf } from './schema-facts.js'

const SIZE =
  /^(limit|size|count|take|top|first|(items|results|records)?perpage|page(size|limit)|max(results|items|pagesize)|pagelength)$/
const PAGE = /^(page|page(number|no|num|index)|currentpage)$/
const OFFSET = /^(offset|skip|start|startindex|startat|from|pageoffset|firstresult)$/
const CURSOR =
  /^(cursor|after|startingafter|startafter|page(token|cursor|after)|(next|continuation)(page)?(token|cursor)|continue|marker|next|nexttoken|sinceid|bookmark)$/
/** Cursors that are ids of records. */
const BY_ID = /^(startingafter|startafter|after|sinceid|after(id|record)|lastid)$/
const BEFORE = /^(endingbefore|endbefore|before|before(id|record))$/
const SORT = /^(sort|sortby|sorting|sortfield|sortkey|sortcolumn|ordering|order|orderby)$/
const DIRECTION = /^(order|direction|dir|(sort|order)(order|direction|dir|type)|sort|orderby)$/
const SEARCH = /^(q|query|search|(search|query)(term|text|query|string)?|keywords?|term|text)$/

/** Without a parameter, a page has this many records. A document may have another default. */
export const DEFAULT_SIZE = 20

/** How the query parameters of a list operation select, sort and cut. */
export function readListParameters(parameters: readonly Parameter[], record: Schema): ListParameters {
  const query = parameters.filter((parameter) => parameter.in === 'query')
  const paging = readPaging(query)
  const { sort, direction } = readSorting(query)
  const used = [paging?.position, paging?.before, paging?.size, sort, direction]
  const others = query.filter(({ name }) => !used.includes(name))
  const properties = propertiesIn(record)
  const names = filterNames(properties)
  const filters = others.flatMap(({ name: parameter, schema: { schema } }) => {
    const property = names.get(normalize(parameter)) ?? names.get(normalize(insideBrackets(parameter)))
    return property === undefined
      ? []
      : [{ parameter, property, ...readValues(schema, properties.get(property) ?? {}) }]
  })
  const unused = others.filter(({ name }) => !filters.some(({ parameter }) => parameter === name))
  const ranges = findRanges(unused, properties)
  const search = unused.find(({ name, schema }) => SEARCH.test(normalize(name)) && typesOf(schema.schema).has('string'))
  const known = [search?.name, ...ranges.map(({ parameter }) => parameter)]
  const ignored = unused.map(({ name }) => name).filter((name) => !known.includes(name))
  return {
    filters,
    ...(paging && { paging }),
    ...(sort !== undefined && { sort }),
    ...(direction !== undefined && { direction }),
    ...(search && { search: search.name }),
    ...(ranges.length > 0 && { ranges }),
    ...(ignored.length > 0 && { ignored }),
  }
}

/** What the values of a filter say about the records: GitHub's `state` is `open`, `closed` or `all`, by default `open`. */
function readValues(parameter: Schema, property: Schema): Omit<Filter, 'parameter' | 'property'> {
  const own = enumOf(property)
  const listed = enumOf(parameter)
  const initial = [...partsOf(parameter)].find((part) => part.default !== undefined)?.default
  const isEvery = (value: unknown) =>
    !own.includes(value) && (/^(all|any|\*)$/i.test(String(value)) || (value === 'none' && initial === 'none'))
  const everything = [...new Set([...listed, initial])].filter(isEvery)
  const values = listed.filter((value) => !isEvery(value))
  return {
    ...(everything.length > 0 && { everything }),
    ...(own.length === 0 && values.length > 0 && typesOf(property).has('string') && { values }),
    ...(initial !== undefined && !isEvery(initial) && { initial }),
  }
}

const enumOf = (schema: Schema) => [...partsOf(schema)].flatMap((part) => part.enum ?? [])

function readSorting(query: readonly Parameter[]): Pick<ListParameters, 'sort' | 'direction'> {
  const candidates = query.filter(({ name }) => DIRECTION.test(normalize(name)))
  const direction = candidates.find(({ schema }) => namesDirections(schema.schema))
  const sort = query.find((parameter) => SORT.test(normalize(parameter.name)) && parameter !== direction)
  return {
    sort: sort?.name,
    direction: (direction ?? candidates.find((parameter) => sort && parameter !== sort))?.name,
  }
}

/** The properties to filter by, by normalized names: `author_id` is the id in the object `author`. */
function filterNames(properties: ReadonlyMap<string, Schema>): ReadonlyMap<string, string> {
  const comparable = [...properties].filter(([, schema]) => isComparable(schema)).map(([name]) => name)
  const objects = [...properties].filter(([, schema]) => propertiesIn(schema).has('id')).map(([name]) => name)
  return new Map([
    ...objects.flatMap((name) => [[normalize(name), name] as const, [`${normalize(name)}id`, name] as const]),
    ...comparable.map((name) => [normalize(name), name] as const),
  ])
}

/** `status` of `filter[status]`. */
function insideBrackets(parameter: string): string {
  return /^(?:filters?|where|query|q)\[([^[\]]+)\]$/i.exec(parameter)?.[1] ?? parameter
}

function readPaging(query: readonly Parameter[]): Paging | undefined {
  const find = (pattern: RegExp, accept = (_: Parameter) => true) =>
    query.find((parameter) => pattern.test(normalize(parameter.name)) && accept(parameter))
  const size = find(SIZE, isNumber)
  const limits = size === undefined ? {} : { size: size.name, ...boundsOf(size) }
  const page = find(PAGE, isNumber)
  if (page) return { style: 'page', position: page.name, ...limits, firstPage: firstPageOf(page) }
  const offset = find(OFFSET, isNumber)
  if (offset) return { style: 'offset', position: offset.name, ...limits }
  const cursor = find(CURSOR, isNoTime) ?? find(/^(page|offset)$/)
  const before = find(BEFORE, isNoTime)
  if (cursor === undefined) return size && { style: 'offset', ...limits }
  const isById = BY_ID.test(normalize(cursor.name))
  return {
    style: 'cursor',
    position: cursor.name,
    ...limits,
    ...(isById && { isById }),
    ...(isById && before && { before: before.name }),
  }
}

function boundsOf({ schema }: Parameter): Pick<Paging, 'defaultSize'> {
  const parts = [...partsOf(schema.schema)]
  const minimum = parts.find((part) => part.minimum !== undefined)?.minimum ?? 1
  const maximum = parts.find((part) => part.maximum !== undefined)?.maximum ?? DEFAULT_SIZE
  const defaultSize = Math.max(Math.min(DEFAULT_SIZE, maximum), minimum)
  return defaultSize === DEFAULT_SIZE || defaultSize < 1 ? {} : { defaultSize }
}

/** `after` may be a date. */
function isNoTime({ schema }: Parameter): boolean {
  return ![...partsOf(schema.schema)].some(({ format }) => /^date/.test(format ?? ''))
}

/** A page or an offset that is a string is a cursor. */
function isNumber({ schema }: Parameter): boolean {
  const types = typesOf(schema.schema)
  return !types.has('string') || types.has('integer') || types.has('number')
}

function firstPageOf({ schema }: Parameter): 0 | 1 {
  const parts = [...partsOf(schema.schema)]
  return parts.some((part) => part.default === 0 || (part.minimum === 0 && part.default === undefined)) ? 0 : 1
}

function namesDirections(schema: Schema): boolean {
  const values = enumOf(schema)
  return (
    values.length > 0 &&
    values.every((value) => value === null || /^(asc|desc)(ending)?$|^[+-]?1$/i.test(String(value)))
  )
}

function isComparable(schema: Schema): boolean {
  const items = itemsOf(schema)
  return !isObjectSchema(schema) && (items === undefined || !isObjectSchema(items))
}
