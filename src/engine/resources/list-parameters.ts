import type { Schema } from '../contract/schema.js'
import { normalize } from './names.js'
import type { Parameter } from './read-operations.js'
import type { ListParameters, Paging } from './resource.js'
import { isObjectSchema, itemsOf, partsOf, propertiesIn, typesOf } from './schema-facts.js'

const SIZE =
  /^(limit|size|count|take|top|first|(items|results|records)?perpage|page(size|limit)|max(results|items|pagesize)|pagelength)$/
const PAGE = /^(page|page(number|no|num|index)|currentpage)$/
const OFFSET = /^(offset|skip|start|startindex|startat|from|pageoffset|firstresult)$/
const CURSOR =
  /^(cursor|after|startingafter|startafter|page(token|cursor|after)|(next|continuation)(page)?(token|cursor)|continue|marker|next|nexttoken|sinceid|bookmark)$/
const SORT = /^(sort|sortby|sorting|sortfield|ordering|orderby)$/

/** How the query parameters of a list operation select, sort and cut. */
export function readListParameters(parameters: readonly Parameter[], record: Schema): ListParameters {
  const query = parameters.filter((parameter) => parameter.in === 'query')
  const paging = readPaging(query)
  const sort = query.find((parameter) => SORT.test(normalize(parameter.name)) && namesProperties(parameter))?.name
  const used = [paging?.position, paging?.size, sort]
  const properties = new Map(
    [...propertiesIn(record)].filter(([, schema]) => isComparable(schema)).map(([name]) => [normalize(name), name]),
  )
  const filters = query.flatMap(({ name: parameter }) => {
    const property = properties.get(normalize(parameter))
    return property === undefined || used.includes(parameter) ? [] : [{ parameter, property }]
  })
  return { filters, ...(paging && { paging }), ...(sort !== undefined && { sort }) }
}

function readPaging(query: readonly Parameter[]): Paging | undefined {
  const find = (pattern: RegExp, accept = (_: Parameter) => true) =>
    query.find((parameter) => pattern.test(normalize(parameter.name)) && accept(parameter))
  const size = find(SIZE)?.name
  const limits = size === undefined ? {} : { size }
  const page = find(PAGE, isNumber)
  if (page) return { style: 'page', position: page.name, ...limits, firstPage: firstPageOf(page) }
  const offset = find(OFFSET, isNumber)
  if (offset) return { style: 'offset', position: offset.name, ...limits }
  const cursor = find(CURSOR) ?? find(/^(page|offset)$/)
  return cursor && { style: 'cursor', position: cursor.name, ...limits }
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

/** `sort=asc` names no property. */
function namesProperties({ schema }: Parameter): boolean {
  const values = [...partsOf(schema.schema)].flatMap((part) => part.enum ?? [])
  return values.length === 0 || !values.every((value) => /^(asc|desc)(ending)?$/i.test(String(value)))
}

function isComparable(schema: Schema): boolean {
  const items = itemsOf(schema)
  return !isObjectSchema(schema) && (items === undefined || !isObjectSchema(items))
}
