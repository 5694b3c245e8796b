import { isObjectSchema, isScalar, itemsOf, partsOf, propertiesIn, typesOf } from '../schema/facts.js'
import type { Schema } from '../schema/schema.js'
import * as words from '../words/list-parameters.js'
import { normalize, nounOf, wordsOf } from './names.js'
import type { PlacedParameter } from './read-operations.js'
import type { Filter, ListParameters, Paging, Range } from './resource.js'

const BOUNDS: Readonly<Record<string, Pick<Range, 'bound' | 'isExclusive'>>> = {
  ...named('minimum', false, words.BOUNDS.minimum.inclusive),
  ...named('minimum', true, words.BOUNDS.minimum.exclusive),
  ...named('maximum', false, words.BOUNDS.maximum.inclusive),
  ...named('maximum', true, words.BOUNDS.maximum.exclusive),
}

function named(bound: Range['bound'], isExclusive: boolean, names: string) {
  return Object.fromEntries(names.split(' ').map((word) => [word, { bound, isExclusive }]))
}

/** The query parameters that are bounds of a number or a time. */
function findRanges(parameters: readonly PlacedParameter[], properties: ReadonlyMap<string, Schema>): readonly Range[] {
  const names = [...properties].filter(([, schema]) => isContinuous(schema)).map(([name]) => name)
  return parameters.flatMap(({ name: parameter, schema }) => {
    if (!isScalar(schema.schema)) return []
    const parts = wordsOf(parameter)
    for (const [word, rest] of [
      [parts[0], parts.slice(1)],
      [parts.at(-1), parts.slice(0, -1)],
    ] as const) {
      const found = Object.hasOwn(BOUNDS, word ?? '') ? BOUNDS[word ?? ''] : undefined
      const property = found && findByStem(names, rest.join(''))
      const known = property && properties.get(property)
      if (found && known && isSameType(known, schema.schema)) return [{ parameter, property, ...found }]
    }
    return []
  })
}

/** `created` stands for `created_at`, `createdOn` or `creation_date`'s like. */
export function findByStem(names: readonly string[], stem: string): string | undefined {
  if (stem === '') return undefined
  const exact = names.find((name) => normalize(name) === stem)
  return exact ?? names.find((name) => words.STEM_ENDS.some((end) => normalize(name) === stem + end))
}

function isContinuous(schema: Schema): boolean {
  const types = typesOf(schema)
  return (
    types.has('integer') || types.has('number') || [...partsOf(schema)].some(({ format }) => /^date/.test(format ?? ''))
  )
}

function isSameType(one: Schema, other: Schema): boolean {
  return typesOf(one).has('string') === typesOf(other).has('string')
}

/** Without a parameter, a page has this many records. A document may have another default. */
export const DEFAULT_SIZE = 20

/** How the query parameters of a list operation select, sort and cut. */
export function readListParameters(
  parameters: readonly PlacedParameter[],
  record: Schema,
  description = '',
): ListParameters {
  const query = parameters.filter((parameter) => parameter.in === 'query')
  const paging = readPaging(query)
  const { sort, direction } = readSorting(query)
  const used = [paging?.position, paging?.before, paging?.size, sort, direction]
  const others = query.filter(({ name }) => !used.includes(name))
  const properties = propertiesIn(record)
  const find = createFind(properties)
  const filters = others.flatMap(({ name: parameter, schema: { schema } }): Filter[] => {
    const found = find(parameter)
    if (found === undefined) return []
    const own = found.inner ? {} : (properties.get(found.property) ?? {})
    // What no record can be is no filter.
    const isImpossible = enumOf(own).length > 0 && enumOf(schema).length > 0 && !sharesValue(own, schema)
    return isImpossible
      ? []
      : [{ parameter, ...found, ...readValues(schema, own), ...severalIn(parameter, schema, own) }]
  })
  const unused = others.filter(({ name }) => !filters.some(({ parameter }) => parameter === name))
  const ranges = findRanges(unused, properties)
  const search = unused.find(
    ({ name, schema }) => words.SEARCH.test(normalize(name)) && typesOf(schema.schema).has('string'),
  )
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
    ...((words.NEWEST.test(description) || isOlder(paging)) && { startsWithNewest: true }),
  }
}

/** What the values of a filter say about the records: GitHub's `state` is `open`, `closed` or `all`, by default `open`. */
function readValues(parameter: Schema, property: Schema): Omit<Filter, 'parameter' | 'property'> {
  const own = enumOf(property)
  const listed = enumOf(parameter)
  const initial = [...partsOf(parameter)].find((part) => part.default !== undefined)?.default
  const isEvery = (value: unknown) =>
    !own.includes(value) && (words.EVERY.test(String(value)) || (value === 'none' && initial === 'none'))
  const values = listed.filter((value) => !isEvery(value))
  const isListed = own.length === 0 && values.length > 0 && typesOf(property).has('string')
  // A default that no record need have would hide the others.
  const isSelected =
    own.length > 0 ? own.includes(initial) : isListed ? values.includes(initial) : typesOf(property).has('boolean')
  const everything = [...new Set([...listed, initial])].filter(
    (value) => isEvery(value) || (value === initial && !isSelected),
  )
  const [only] = values
  const first = initial ?? (isListed && listed.length === 1 ? only : undefined)
  return {
    ...(everything.some((value) => value !== undefined) && {
      everything: everything.filter((value) => value !== undefined),
    }),
    ...(isListed && { values }),
    ...(first !== undefined && !everything.includes(first) && { initial: first }),
  }
}

const enumOf = (schema: Schema) => [...partsOf(schema)].flatMap((part) => part.enum ?? [])

function readSorting(query: readonly PlacedParameter[]): Pick<ListParameters, 'sort' | 'direction'> {
  const candidates = query.filter(({ name }) => words.DIRECTION.test(normalize(name)))
  const direction = candidates.find(({ schema }) => namesDirections(schema.schema))
  const sort = query.find((parameter) => words.SORT.test(normalize(parameter.name)) && parameter !== direction)
  return {
    sort: sort?.name,
    direction: (direction ?? candidates.find((parameter) => sort && parameter !== sort))?.name,
  }
}

type Found = Pick<Filter, 'property' | 'inner'>

/** Finds what a parameter filters by: a property, or those of the objects in one. */
function createFind(properties: ReadonlyMap<string, Schema>): (parameter: string) => Found | undefined {
  const comparable = [...properties].filter(([, schema]) => isComparable(schema)).map(([name]) => name)
  const objects = [...properties].flatMap(([name, schema]) => {
    const inner = [...propertiesIn(itemsOf(schema) ?? schema)].filter(([, each]) => isScalar(each))
    return isComparable(schema) || inner.length === 0 ? [] : [{ name, inner: inner.map(([each]) => each) }]
  })
  const exact = new Map<string, Found>(objects.flatMap(({ name, inner }) => namesOfObject(name, inner)))
  for (const name of comparable) exact.set(normalize(name), { property: name })
  const alike = new Map([...exact].map(([name, found]) => [singularOf(name), found]))
  for (const group of words.SAME) {
    const known = group.find((word) => alike.has(word))
    for (const word of known === undefined ? [] : group)
      if (!alike.has(word)) alike.set(word, alike.get(known as string) as Found)
  }
  return (parameter) => {
    const names = [parameter, insideBrackets(parameter)].map(normalize)
    const found = names.flatMap((name) => exact.get(name) ?? [])[0]
    const others = names.filter((name) => !words.RETURNED.test(name))
    return found ?? others.flatMap((name) => alike.get(singularOf(name)) ?? [])[0]
  }
}

/** `author`, `author_id` and `author_username` of an object, and `label` or `label_name` of those in `labels`. */
function namesOfObject(name: string, inner: readonly string[]): [string, Found][] {
  const selecting = words.SELECTING.flatMap((word) => inner.find((each) => normalize(each) === word) ?? [])
  const outer = [...new Set([normalize(name), normalize(nounOf(name))])]
  return outer.flatMap((prefix): [string, Found][] => [
    ...inner.map((each): [string, Found] => [`${prefix}${normalize(each)}`, { property: name, inner: [each] }]),
    ...(selecting.length > 0 ? ([[prefix, { property: name, inner: selecting }]] as [string, Found][]) : []),
  ])
}

const singularOf = (name: string) => normalize(nounOf(name))

const sharesValue = (one: Schema, other: Schema) => enumOf(one).some((value) => enumOf(other).includes(value))

/** Names in the plural, and listed values, are separated by commas. */
function severalIn(parameter: string, schema: Schema, own: Schema): Pick<Filter, 'isSeveral'> {
  const name = normalize(insideBrackets(parameter))
  const canBe = typesOf(schema).has('string') && enumOf(schema).length === 0
  return canBe && (singularOf(name) !== name || enumOf(own).length > 0) ? { isSeveral: true } : {}
}

/** `status` of `filter[status]`. */
function insideBrackets(parameter: string): string {
  return words.WITH_PROPERTY.exec(parameter)?.[1] ?? parameter
}

function readPaging(query: readonly PlacedParameter[]): Paging | undefined {
  const find = (pattern: RegExp, accept = (_: PlacedParameter) => true) =>
    query.find((parameter) => pattern.test(normalize(parameter.name)) && accept(parameter))
  const size = find(words.SIZE, isNumber)
  const limits = size === undefined ? {} : { size: size.name, ...boundsOf(size) }
  const page = find(words.PAGE, isNumber)
  if (page) return { style: 'page', position: page.name, ...limits, firstPage: firstPageOf(page) }
  const offset = find(words.OFFSET, isNumber)
  if (offset) return { style: 'offset', position: offset.name, ...limits }
  const cursor = find(words.CURSOR, isNoTime) ?? find(words.OPAQUE_POSITION)
  const before = find(words.BEFORE, isNoTime)
  const older = cursor && !/^(sinceid|minid)$/.test(normalize(cursor.name)) ? undefined : find(words.OLDER, isNoTime)
  if (older) return { style: 'cursor', position: older.name, ...limits, isById: true }
  if (cursor === undefined) return size && { style: 'offset', ...limits }
  const isById = words.BY_ID.test(normalize(cursor.name))
  return {
    style: 'cursor',
    position: cursor.name,
    ...limits,
    ...(isById && { isById }),
    ...(isById && before && { before: before.name }),
  }
}

const isOlder = (paging: Paging | undefined) => words.OLDER.test(normalize(paging?.position ?? ''))

function boundsOf({ schema }: PlacedParameter): Pick<Paging, 'defaultSize'> {
  const parts = [...partsOf(schema.schema)]
  const minimum = parts.find((part) => part.minimum !== undefined)?.minimum ?? 1
  const maximum = parts.find((part) => part.maximum !== undefined)?.maximum ?? DEFAULT_SIZE
  const defaultSize = Math.max(Math.min(DEFAULT_SIZE, maximum), minimum)
  return defaultSize === DEFAULT_SIZE || defaultSize < 1 ? {} : { defaultSize }
}

/** `after` may be a date. */
function isNoTime({ schema }: PlacedParameter): boolean {
  return ![...partsOf(schema.schema)].some(({ format }) => /^date/.test(format ?? ''))
}

/** A page or an offset that is a string is a cursor. */
function isNumber({ schema }: PlacedParameter): boolean {
  const types = typesOf(schema.schema)
  return !types.has('string') || types.has('integer') || types.has('number')
}

function firstPageOf({ schema }: PlacedParameter): 0 | 1 {
  const parts = [...partsOf(schema.schema)]
  return parts.some((part) => part.default === 0 || (part.minimum === 0 && part.default === undefined)) ? 0 : 1
}

function namesDirections(schema: Schema): boolean {
  const values = enumOf(schema)
  return values.length > 0 && values.every((value) => value === null || words.DIRECTIONS.test(String(value)))
}

function isComparable(schema: Schema): boolean {
  const items = itemsOf(schema)
  return !isObjectSchema(schema) && (items === undefined || !isObjectSchema(items))
}
