import type { Schema } from '../contract/schema.js'
import { normalize } from './names.js'
import { type Page, relatedOffsets } from './paging.js'
import { allowsNull, isObjectSchema, partsOf, propertiesIn, requiredIn, typesOf } from './schema-facts.js'

/** A page of a list, and where it is. */
export interface ListPage extends Page {
  /** How many records it has. */
  readonly count: number
  /** How many records all pages have. */
  readonly total: number
  /** The address of another page. */
  readonly toUrl: (offset: number) => string
  readonly origin: string | undefined
}

type Relation = 'self' | 'first' | 'prev' | 'next' | 'last'

type Facts = Readonly<Record<string, number | boolean>>

/** Numbers and truths about a page, by the normalized names that they have in bodies and headers. */
export function pageFacts({ offset, size, count, total, firstPage, style }: ListPage): Facts {
  const pages = Math.ceil(total / Math.max(size, 1))
  const number = Math.floor(offset / Math.max(size, 1)) + (style === 'page' ? firstPage : 1)
  const hasMore = offset + count < total
  return {
    ...alike(
      'total totalcount totalitems totalresults totalelements totalrecords totalrows totalhits totalentries',
      total,
    ),
    ...alike('count resultcount recordcount numfound', total),
    ...alike('numberofelements returned pageitems', count),
    ...alike('offset skip start startindex startat from', offset),
    // A list without pages has one, of any size.
    ...alike('limit size perpage pagesize itemsperpage pagelen pagelength maxresults take', Math.max(size, 1)),
    ...alike('page currentpage pagenumber pageindex number current', number),
    ...alike('totalpages pages pagecount numpages pagestotal numberofpages', pages),
    lastpage: Math.max(pages - 1, 0) + (style === 'page' ? firstPage : 1),
    ...alike(
      'hasmore hasnext hasnextpage more moreavailable hasmoreitems hasmoreresults istruncated truncated',
      hasMore,
    ),
    ...alike('hasprevious hasprev hasprevpage haspreviouspage', offset > 0),
    ...alike('last islast islastpage', !hasMore),
    ...alike('first isfirst isfirstpage', offset === 0),
    ...alike('empty isempty', count === 0),
  }
}

function alike<Value>(names: string, value: Value): Record<string, Value> {
  return Object.fromEntries(names.split(' ').map((name) => [name, value]))
}

/** Objects in the body of a list that describe the page. */
const ABOUT_PAGE =
  /^(meta|metadata|links?|page|pages|paging|pagination|pageinfo|paginginfo|paginginfo|cursors?|responsemetadata|resultinfo|resultset|info)$/

/** What the property is of: `nextPageToken`, `prev`, `endCursor`. */
const RELATIONS: readonly (readonly [RegExp, Relation])[] = [
  [/^(next|after$|endcursor$|continuation|continue$|cursor$|marker$|pagetoken$)/, 'next'],
  [/^(prev|before$|startcursor$)/, 'prev'],
  [/^first/, 'first'],
  [/^last/, 'last'],
  [/^(self|current)/, 'self'],
]

/** Whether a text is an address, rather than a cursor. */
const ADDRESS = /(url|uri|href|link|path)$/

/**
 * Fills in what the body of a list says about the page: totals, and where the other pages are. What a last page lacks is
 * null or left out, as its schema allows.
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
      const key = normalize(name)
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
      else if (allowsNull(property)) result[name] = null
      else if (!required.has(name)) delete result[name]
      else if (typesOf(property).has('string')) result[name] = ''
    }
    return result
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
    const relation = RELATIONS.find(([pattern]) => pattern.test(key))?.[1]
    if (isObjectSchema(property)) {
      if (!isOnWay && !relation && !ABOUT_PAGE.test(key)) return undefined
      if (relation && offsets[relation] === undefined) return NONE
      const found = describe(Object(value ?? {}), property, isOnWay ? path.slice(1) : [], relation)
      const isComplete = (value ?? undefined) !== undefined || [...requiredIn(property)].every((name) => name in found)
      return isComplete ? found : undefined
    }
    const isAddress = ADDRESS.test(key) || [...partsOf(property)].some(({ format }) => /^(uri|url)/.test(format ?? ''))
    const from = relation ?? (isAddress || POSITION.test(key) ? outer : undefined)
    return from && positionOf(from, property, isAddress ? key : undefined, CURSOR.test(key))
  }

  function positionOf(relation: Relation, property: Schema, address: string | undefined, isCursor: boolean): unknown {
    const types = typesOf(property)
    const offset = offsets[relation]
    if (!types.has('string') && !types.has('integer')) return undefined
    if (offset === undefined) return NONE
    const position = relation === 'prev' ? page.previousAt?.(offset) : page.positionAt?.(offset)
    if (!types.has('string')) return typeof position === 'number' ? position : undefined
    if (address === undefined && (isCursor || page.style === 'cursor'))
      return position === undefined ? NONE : String(position)
    return addressOf(page.toUrl(offset), property, address)
  }

  function addressOf(url: string, property: Schema, name: string | undefined): string {
    if (name === 'path') return url
    const isAbsolute = [...partsOf(property)].some(({ format }) => format === 'uri' || format === 'url')
    return `${page.origin ?? (isAbsolute ? 'http://localhost' : '')}${url}`
  }

  return describe(body as Readonly<Record<string, unknown>>, schema, envelope)
}

/** Stands for a page that does not exist. */
const NONE = Symbol('none')

const CURSOR = /cursor|token|marker|continu/

/** What objects call the position of another page: `next: { cursor }`. */
const POSITION = /^(cursor|token|offset|page|startingafter|after|before|value)$/
