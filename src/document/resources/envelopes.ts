import { areSimilar, isObjectSchema, isScalar, itemsOf, propertiesIn, schemaAt, typesOf } from '../schema/facts.js'
import type { Schema } from '../schema/schema.js'
import { EMBEDDED, ENVELOPES, LISTS, META } from '../words/envelopes.js'
import { findNamedId, findNestedId } from './find-ids.js'
import { normalize, wordsOf } from './names.js'

/** A path of the document, cut at its slashes. A trailing slash or `.json` does not count. */
export interface PathTemplate {
  readonly path: string
  readonly segments: readonly string[]
  /** The same for all paths that differ only in the names of parameters. */
  readonly key: string
}

export function readPath(path: string): PathTemplate {
  const segments = path
    .replace(/\/+$/, '')
    .replace(/\.json$/, '')
    .split('/')
    .slice(1)
  return { path, segments, key: keyOf(segments) }
}

export function keyOf(segments: readonly string[]): string {
  return segments.map((segment) => `/${parameterOf(segment) === undefined ? segment : '{}'}`).join('')
}

/** The parameter that a segment consists of. */
export function parameterOf(segment: string | undefined): string | undefined {
  return /^\{([^{}]+)\}$/.exec(segment ?? '')?.[1]
}

/** What is known about the records of a collection before their schema is. */
export interface Hint {
  /** The last literal segment of the path. */
  readonly collection: string
  readonly noun: string
  /** The path parameter with the id of a record. */
  readonly parameter?: string | undefined
}

type Envelope = readonly string[]

/** The properties that lead to the record in a response: none if the response is the record. */
export function findRecord(body: Schema, hint: Hint, depth = 2): Envelope {
  const hasId = (schema: Schema) =>
    hint.parameter !== undefined && findNamedId(hint.parameter, hint.noun, schema) !== undefined
  if (depth === 0 || hasId(body)) return []
  const candidates = envelopesIn(body, hint)
  for (const [name, schema] of candidates) {
    const inner = findRecord(schema, hint, depth - 1)
    if (hasId(schemaAt(schema, inner))) return [name, ...inner]
  }
  if (hint.parameter !== undefined && findNestedId(hint.parameter, body)) return []
  const [only] = candidates.keys()
  const others = [...propertiesIn(body).keys()].filter((name) => name !== only)
  return only !== undefined && others.every(isMeta) ? [only] : []
}

/** The properties that lead to the list in a response. Missing if it has no list of objects. */
export function findList(body: Schema, hint: Hint, record?: Schema, depth = 1): Envelope | undefined {
  const items = itemsOf(body)
  if (items && typesOf(body).has('array')) return isRecord(items) ? [] : undefined
  const properties = propertiesIn(body)
  const lists = new Map([...properties].flatMap(([name, schema]) => toListOfRecords(name, schema)))
  const similar = [...lists].filter(([, each]) => record && areSimilar(each, record)).map(([name]) => name)
  const named = (names: Iterable<string>) =>
    [...names].find((name) => isNamedLike(name, hint) || LISTS.test(normalize(name)))
  const found = named(similar) ?? similar[0] ?? named(lists.keys())
  if (found !== undefined) return [found]
  const [only] = lists.keys()
  if (lists.size === 1 && [...properties.keys()].every((name) => name === only || isMeta(name)))
    return [...lists.keys()]
  if (depth === 0) return undefined
  for (const [name, schema] of envelopesIn(body, hint)) {
    const inner = findList(schema, hint, record, depth - 1)
    if (inner) return [name, ...inner]
  }
  return undefined
}

/** The properties that lead to the record in a request. */
export function findRecordInRequest(body: Schema, hint: Hint, record: Schema): Envelope {
  const known = propertiesIn(record)
  const isPartOfRecord = (schema: Schema) => [...propertiesIn(schema).keys()].some((name) => known.has(name))
  if (isPartOfRecord(body)) return []
  const found = [...envelopesIn(body, hint)].find(([, schema]) => isPartOfRecord(schema))
  return found ? [found[0]] : []
}

/** The objects in a body that may be envelopes: by their names, or because there is nothing else. */
function envelopesIn(body: Schema, hint: Hint): ReadonlyMap<string, Schema> {
  const properties = [...propertiesIn(body)]
  const hasOneMeaning = properties.filter(([name]) => !isMeta(name)).length === 1
  return new Map(
    properties.filter(
      ([name, schema]) =>
        isObjectSchema(schema) &&
        // An id, or the record with it, is a reference.
        !isScalar(schema) &&
        (isNamedLike(name, hint) ||
          ENVELOPES.test(normalize(name)) ||
          name === EMBEDDED ||
          (hasOneMeaning && !isMeta(name))),
    ),
  )
}

function toListOfRecords(name: string, schema: Schema): readonly (readonly [string, Schema])[] {
  const items = typesOf(schema).has('array') ? itemsOf(schema) : undefined
  return items && isRecord(items) ? [[name, items]] : []
}

const isRecord = (schema: Schema) => isObjectSchema(schema) || typesOf(schema).size === 0

function isNamedLike(name: string, { collection, noun }: Hint): boolean {
  return [normalize(collection), normalize(noun)].includes(normalize(name))
}

const isMeta = (name: string) => wordsOf(name).every((word) => META.has(word))
