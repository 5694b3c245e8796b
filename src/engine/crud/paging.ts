import { DEFAULT_SIZE } from '../../document/resources/list-parameters.js'
import { normalize } from '../../document/resources/names.js'
import type { Paging } from '../../document/resources/resource.js'
import {
  isObjectSchema,
  itemsOf,
  namesNull,
  partsOf,
  propertiesIn,
  requiredIn,
  typesOf,
} from '../../document/schema/facts.js'
import type { Schema } from '../../document/schema/schema.js'
import {
  ABOUT_PAGE,
  ADDRESS,
  CURSOR,
  FACTS,
  HEADER_PREFIX,
  POSITION,
  POSITION_HEADER,
  RELATIONS,
  type Relation,
} from '../../document/words/paging.js'
import { ApiError } from '../../http/errors.js'
import { isHeaderValue } from '../../http/header-rules.js'
import { escapeToken } from '../../lib/json-pointer.js'
import { encodePart } from '../../lib/text.js'
import { isPlainObject } from '../../lib/values.js'

/** Which part of a list is requested. */
export interface RequestedPage {
  readonly offset: number
  readonly size: number
  /** The query of another page, which starts at this offset. */
  readonly toQuery: (offset: number) => string
  /** What the position parameter has for the page that starts at this offset; missing if there is no such parameter. */
  readonly positionAt?: (offset: number) => string | number
  /** The same for the page before, whose parameter may be another one. */
  readonly previousAt?: (offset: number) => string | number
  readonly style: Paging['style']
  readonly firstPage: 0 | 1
}

type Query = Readonly<Record<string, unknown>>

/** The records that pages are cut from. */
export interface Pageable {
  readonly size: number
  /** The id of the record at a place, as a response has it. */
  idAt(offset: number): unknown
  /** The place of the record with an id. Undefined if there is none. */
  findId(id: unknown): number | undefined
}

/** Without paging, the page is the whole list. Throws a 400 error for a cursor that is none. */
export function readPage(paging: Paging | undefined, query: Query, list: Pageable): RequestedPage {
  const whole: RequestedPage = { offset: 0, size: list.size, toQuery: () => '', style: 'offset', firstPage: 1 }
  if (paging === undefined) return whole
  const { style, position, size: sizeName, firstPage = 1, defaultSize = DEFAULT_SIZE } = paging
  const wanted = toCount(sizeName === undefined ? undefined : query[sizeName])
  if (position === undefined) return { ...whole, size: wanted ?? list.size }
  const size = wanted || defaultSize
  const given = query[position]
  const sizeQuery = sizeName === undefined ? '' : `${encodePart(sizeName)}=${size}&`
  const toPage = (
    offset: number,
    positionAt: NonNullable<RequestedPage['positionAt']>,
    atSize = size,
  ): RequestedPage => ({
    offset,
    size: atSize,
    toQuery: (at) => `${sizeQuery}${encodePart(position)}=${encodePart(String(positionAt(at)))}`,
    positionAt,
    previousAt: paging.before === undefined ? positionAt : () => String(list.idAt(offset) ?? ''),
    style,
    firstPage,
  })
  if (style === 'page') {
    const page = Math.max(toCount(given) ?? firstPage, firstPage)
    return toPage((page - firstPage) * size, (at) => Math.floor(at / size) + firstPage)
  }
  if (style === 'offset') return toPage(toCount(given) ?? 0, (at) => at)
  if (!paging.isById) return toPage(readCursor(given, position), String)
  const idBefore = (at: number) => String(list.idAt(at - 1) ?? '')
  const end = paging.before === undefined ? undefined : findCursor(query[paging.before], paging.before, list)
  if (end !== undefined) return toPage(Math.max(0, end - size), idBefore, Math.min(size, end))
  const last = findCursor(given, position, list)
  return toPage(last === undefined ? 0 : last + 1, idBefore)
}

/** A cursor of the mock is a place in the list. */
function readCursor(given: unknown, parameter: string): number {
  const offset = given === undefined || given === '' ? 0 : toCount(given)
  if (offset === undefined) throw unknownCursor(parameter, given)
  return offset
}

function findCursor(given: unknown, parameter: string, list: Pageable): number | undefined {
  if (given === undefined || given === '') return undefined
  const found = list.findId(given)
  if (found === undefined) throw unknownCursor(parameter, given)
  return found
}

function unknownCursor(parameter: string, given: unknown): ApiError {
  const message = `query parameter ${parameter} is ${JSON.stringify(given)}, which no page has returned as a cursor.`
  return new ApiError(400, 'INVALID_REQUEST', message, { pointers: [`/query/${escapeToken(parameter)}`] })
}

/** A number, or digits as a cursor has them. */
function toCount(value: unknown): number | undefined {
  const count = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
  return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : undefined
}

/** Where the other pages start. The previous and the next one may be missing. */
function relatedOffsets({ offset, size }: RequestedPage, total: number) {
  const last = total === 0 ? 0 : Math.floor((total - 1) / Math.max(size, 1)) * size
  return {
    first: 0,
    ...(offset > 0 && { prev: Math.max(0, Math.min(offset - size, last)) }),
    ...(offset + size < total && { next: offset + size }),
    last,
  }
}

/** The header `Link`. Undefined if it would be too long: the four links repeat a filter of any length. */
export function pageLinks(toUrl: (offset: number) => string, page: RequestedPage, total: number): string | undefined {
  const links = Object.entries(relatedOffsets(page, total)).map(([relation, at]) => `<${toUrl(at)}>; rel="${relation}"`)
  const header = links.join(', ')
  return isHeaderValue(header) ? header : undefined
}

/** A page of a list, and where it is. */
export interface ListPage extends RequestedPage {
  /** How many records it has. */
  readonly count: number
  /** How many records all pages have. */
  readonly total: number
  /** The address of another page. */
  readonly toUrl: (offset: number) => string
  readonly origin: string | undefined
}

type Facts = Readonly<Record<string, number | boolean>>

/** Numbers and truths about a page, by the normalized names that they have in bodies and headers. */
export function pageFacts({ offset, size, count, total, firstPage, style }: ListPage): Facts {
  const pages = Math.ceil(total / Math.max(size, 1))
  const number = Math.floor(offset / Math.max(size, 1)) + (style === 'page' ? firstPage : 1)
  const hasMore = offset + count < total
  return {
    ...alike(FACTS.total, total),
    ...alike(FACTS.count, total),
    ...alike(FACTS.returned, count),
    ...alike(FACTS.offset, offset),
    // A list without pages has one, of any size.
    ...alike(FACTS.size, Math.max(size, 1)),
    ...alike(FACTS.page, number),
    ...alike(FACTS.pages, pages),
    ...alike(FACTS.lastPage, Math.max(pages - 1, 0) + (style === 'page' ? firstPage : 1)),
    ...alike(FACTS.hasMore, hasMore),
    ...alike(FACTS.hasPrevious, offset > 0),
    ...alike(FACTS.isLast, !hasMore),
    ...alike(FACTS.isFirst, offset === 0),
    ...alike(FACTS.isEmpty, count === 0),
  }
}

function alike<Value>(names: string, value: Value): Record<string, Value> {
  return Object.fromEntries(names.split(' ').map((name) => [name, value]))
}

/** The name of a property without the prefix that OData and JSON-LD have: `@odata.nextLink`. */
const keyOf = (name: string) => normalize(name.replace(/^@\w+\./, ''))

/**
 * Fills in what the body of a list says about the page: totals, and where the other pages are. What a last page lacks is
 * null or left out, as its schema allows; else it is empty, or leads past the end.
 */
export function describePage(body: object, schema: Schema, envelope: readonly string[], page: ListPage): object {
  const facts = pageFacts(page)
  const offsets: Readonly<Partial<Record<Relation, number>>> = {
    ...relatedOffsets(page, page.total),
    self: page.offset,
  }

  function describe(
    object: Readonly<Record<string, unknown>>,
    of: Schema,
    path: readonly string[],
    outer?: Relation,
  ): object {
    const result: Record<string, unknown> = { ...object }
    const properties = propertiesIn(of)
    const required = requiredIn(of)
    const others = new Set([...properties.keys()].map(normalize))
    for (const [name, property] of properties) {
      const key = keyOf(name)
      const isOnWay = path.length > 0 && path[0] === name
      if (isOnWay && path.length === 1) {
        const isTooShort = page.count === 0 && [...partsOf(property)].some(({ minItems = 0 }) => minItems > 0)
        if (isTooShort && !required.has(name)) delete result[name]
        continue
      }
      const fact = outer === undefined ? factFor(key, property, others) : undefined
      const value = fact ?? inner(object[name], property, { key, isOnWay, path, outer })
      if (value === undefined) continue
      if (value !== NONE) result[name] = value
      else if (namesNull(property)) result[name] = null
      else if (!required.has(name)) delete result[name]
      else result[name] = pastEnd(object[name], property, key, outer)
    }
    return result
  }

  /** A value that is required although there is no such page. */
  function pastEnd(value: unknown, property: Schema, key: string, outer: Relation | undefined): unknown {
    const relation = relationOf(key) ?? outer
    if (isObjectSchema(property)) return describe(Object(value ?? {}), property, [], relation)
    if (typesOf(property).has('string') && allowsEmpty(property)) return ''
    const end = page.offset + (page.style === 'page' ? page.size : page.count)
    const offset = relation === 'prev' ? 0 : end
    const position = positionAt(offset, relation, property, key) ?? (typesOf(property).has('integer') ? offset : value)
    return position === NONE ? value : position
  }

  /** A member is not what its name usually says if its type is another one. */
  function factFor(key: string, property: Schema, others: ReadonlySet<string>): unknown {
    const fact = ambiguous(key, others) ?? facts[key]
    if (fact === undefined) return undefined
    const types = typesOf(property)
    if (typeof fact === 'boolean') return types.has('boolean') ? fact : undefined
    return types.has('integer') || types.has('number') ? fact : undefined
  }

  /** What a name means depends on those beside it. */
  function ambiguous(key: string, others: ReadonlySet<string>): number | undefined {
    const { offset, count, total } = page
    if (key === 'count' && [...others].some((name) => name.startsWith('total'))) return count
    if (key === 'size' && others.has('limit')) return count
    if (key === 'size' && others.has('pagelen')) return total
    if (key === 'to' && others.has('from')) return offset + count
    return key === 'from' && others.has('to') ? offset + 1 : undefined
  }

  interface Place {
    readonly key: string
    readonly isOnWay: boolean
    readonly path: readonly string[]
    readonly outer: Relation | undefined
  }

  /** An object with more about the page, the position or the address of another page, or something else. */
  function inner(value: unknown, property: Schema, { key, isOnWay, path, outer }: Place): unknown {
    if (isObjectSchema(property)) {
      const isAboutPage = ABOUT_PAGE.test(key)
      const relation = isAboutPage ? undefined : relationOf(key)
      if (!isOnWay && !relation && !isAboutPage) return undefined
      if (relation && offsets[relation] === undefined) return NONE
      const found = describe(Object(value ?? {}), property, isOnWay ? path.slice(1) : [], relation)
      const isComplete = (value ?? undefined) !== undefined || [...requiredIn(property)].every((name) => name in found)
      return isComplete ? found : undefined
    }
    if (key === 'links' && isListOfLinks(property)) {
      return Object.entries(offsets).map(([rel, offset]) => ({
        rel,
        href: addressOf(page.toUrl(offset), property, key),
      }))
    }
    const from = relationOf(key) ?? (isAddress(key, property) || POSITION.test(key) ? outer : undefined)
    if (from === undefined || !mayBePosition(property)) return undefined
    const offset = offsets[from]
    return offset === undefined ? NONE : positionAt(offset, from, property, key)
  }

  /** Where another page is: its address, its cursor or its number. Undefined if the property cannot have that. */
  function positionAt(offset: number, relation: Relation | undefined, property: Schema, key: string): unknown {
    const types = typesOf(property)
    const position = relation === 'prev' ? page.previousAt?.(offset) : page.positionAt?.(offset)
    if (types.size > 0 && !types.has('string')) return typeof position === 'number' ? position : undefined
    const isPlace = isAddress(key, property)
    if (!isPlace && (CURSOR.test(key) || page.style === 'cursor'))
      return position === undefined ? NONE : String(position)
    return addressOf(page.toUrl(offset), property, isPlace ? key : undefined)
  }

  function addressOf(url: string, property: Schema, name: string | undefined): string {
    if (name === 'path') return url
    const isAbsolute = [...partsOf(property)].some(({ format }) => format === 'uri' || format === 'url')
    return `${page.origin ?? (isAbsolute ? 'http://localhost' : '')}${url}`
  }

  return describe(body as Readonly<Record<string, unknown>>, schema, envelope)
}

const relationOf = (key: string) => RELATIONS.find(([pattern]) => pattern.test(key))?.[1]

const isAddress = (key: string, property: Schema) =>
  ADDRESS.test(key) || [...partsOf(property)].some(({ format }) => /^(uri|url)/.test(format ?? ''))

function isListOfLinks(property: Schema): boolean {
  const items = itemsOf(property)
  const known = new Set(['rel', 'href'])
  if (items === undefined || ![...known].every((name) => propertiesIn(items).has(name))) return false
  return [...requiredIn(items)].every((name) => known.has(name))
}

/** Without a type, it may be anything. */
function mayBePosition(property: Schema): boolean {
  const types = typesOf(property)
  return types.size === 0 || types.has('string') || types.has('integer')
}

function allowsEmpty(property: Schema): boolean {
  return [...partsOf(property)].every(
    ({ minLength = 0, format, pattern, enum: listed }) =>
      minLength === 0 && format === undefined && pattern === undefined && listed === undefined,
  )
}

interface NextPage {
  /** Its address, or its position. */
  readonly next?: string
  readonly hasMore?: boolean
}

/** What the body of a list says about the page after it. */
export function readNextPage(body: unknown, envelope: readonly string[], isInside = false): NextPage {
  if (!isPlainObject(body)) return {}
  const found = Object.entries(body).map(([name, value]): NextPage => {
    const key = normalize(name)
    const isNext = relationOf(key) === 'next' || (isInside && (ADDRESS.test(key) || POSITION.test(key)))
    if (name === envelope[0]) return readNextPage(value, envelope.slice(1))
    if (isPlainObject(value)) return isNext || ABOUT_PAGE.test(key) ? readNextPage(value, [], isNext) : {}
    if (typeof value === 'boolean') return FACTS.hasMore.split(' ').includes(key) ? { hasMore: value } : {}
    return isNext && (typeof value === 'string' || typeof value === 'number') && value !== ''
      ? { next: String(value) }
      : {}
  })
  return Object.assign({}, ...found)
}

/** Stands for a page that does not exist. */
const NONE = Symbol('none')

/** Totals and positions under their usual names: `X-Total`, `X-Per-Page`, `X-Next-Page`, `Next-Cursor`. */
export function addPageHeaders(headers: Record<string, string>, names: readonly string[], page: ListPage): void {
  const facts = pageFacts(page)
  const { next, prev } = relatedOffsets(page, page.total)
  for (const name of names) {
    const key = normalize(name.replace(HEADER_PREFIX, ''))
    const relation = POSITION_HEADER.exec(key)?.[1]
    const fact = Object.hasOwn(facts, key) ? facts[key] : undefined
    const offset = relation === undefined ? undefined : relation === 'next' ? next : prev
    const value = fact ?? (offset === undefined ? undefined : page.positionAt?.(offset))
    if (value !== undefined && isHeaderValue(String(value))) headers[name] = String(value)
  }
}
