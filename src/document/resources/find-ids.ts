import { isNumeric, isObjectSchema, isScalar, partsOf, propertiesIn, typesOf } from '../schema/facts.js'
import type { Schema } from '../schema/schema.js'
import {
  ABOUT_RECORD,
  FORMAT_PATTERNS,
  ID_WORDS,
  QUALIFIERS,
  SHORT_FORMS,
  SYNONYMS,
  USUAL_IDS,
  UUID_FORMAT,
} from '../words/ids.js'
import { createIdKind } from './ids/kinds.js'
import { toRegExp } from './ids/pattern.js'
import { normalize, wordsOf } from './names.js'
import type { IdDescription, IdRange, Lookup } from './resource.js'

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i
const UUIDS = '^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$'
const DIGITS = '^[1-9]\\d{7}$'
/** What follows is no word: it has a digit. */
const PREFIX = /^[a-z]{1,12}_(?=[a-z\d]*\d[a-z\d]*$)/i

const patternOfFormat = (format = '') =>
  Object.hasOwn(FORMAT_PATTERNS, format.toLowerCase()) ? FORMAT_PATTERNS[format.toLowerCase()] : undefined

type SchemaWithExample = Schema & { readonly example?: unknown; readonly examples?: unknown }

/**
 * How ids look by their schemas: the property's first, then the parameter's. Those that clients give may look different from
 * an example.
 */
export function describeId(schemas: readonly (Schema | undefined)[], isGiven = false): IdDescription {
  const [schema, ...others] = schemas.flatMap((each) => (each && typesOf(each).size > 0 ? [each] : []))
  if (!schema) return { type: 'text' }
  const types = typesOf(schema)
  if (types.has('integer') || types.has('number')) return describeInteger([schema, ...others.filter(isNumeric)])
  const text = describeText([schema, ...others.filter((other) => typesOf(other).has('string'))], isGiven)
  const isPlain = text.type === 'text' && text.pattern === undefined && text.prefix === undefined
  // A path may take numbers where records have them as texts.
  return isPlain && others.some(isNumeric) ? { type: 'digits' } : text
}

function describeInteger(schemas: readonly Schema[]): IdDescription {
  const own = schemas.slice(0, 1)
  const isInt64 = firstOf(own, ({ format }) => format) === 'int64' || firstOf(own, ({ int64 }) => int64)
  const range = inBoth(schemas, readRange)
  // New ids are positive anyway.
  const isUsual = range.multipleOf === undefined && range.maximum === undefined && (range.minimum ?? 1) <= 1
  return isInt64 && isUsual ? { type: 'int64' } : { type: isInt64 ? 'int64' : 'integer', ...range }
}

function readRange(schemas: readonly Schema[]): IdRange {
  const multipleOf = firstOf(schemas, (part) => part.multipleOf)
  return {
    ...narrowest(
      schemas,
      ({ minimum, exclusiveMinimum: above }) => toBound(minimum, above, 1),
      ({ maximum, exclusiveMaximum: below }) => toBound(maximum, below, -1),
    ),
    ...(Number.isSafeInteger(multipleOf) && Number(multipleOf) > 1 && { multipleOf }),
  }
}

interface Limits {
  readonly minimum: number | undefined
  readonly maximum: number | undefined
}

function narrowest(
  schemas: readonly Schema[],
  readMinimum: (part: Schema) => number | undefined,
  readMaximum: (part: Schema) => number | undefined,
): Limits {
  const all = (read: typeof readMinimum) => schemas.flatMap((schema) => firstOf([schema], read) ?? [])
  const [minimums, maximums] = [all(readMinimum), all(readMaximum)]
  return {
    minimum: minimums.length > 0 ? Math.max(...minimums) : undefined,
    maximum: maximums.length > 0 ? Math.min(...maximums) : undefined,
  }
}

/** The limits of all schemas, or of the first if nothing is within those of all. */
function inBoth<L extends Partial<Limits>>(schemas: readonly Schema[], read: (schemas: readonly Schema[]) => L): L {
  const all = read(schemas)
  const isPossible = (all.minimum ?? Number.NEGATIVE_INFINITY) <= (all.maximum ?? Number.POSITIVE_INFINITY)
  return isPossible ? all : read(schemas.slice(0, 1))
}

/** Of OpenAPI 3.0 or 3.1: whether a bound is exclusive, or an exclusive bound of its own. */
function toBound(bound: number | undefined, exclusive: unknown, inside: 1 | -1): number | undefined {
  const outer = exclusive === true ? bound : exclusive
  if (typeof outer !== 'number') return bound
  return inside * (Math.floor(inside * outer) + 1)
}

function describeText(schemas: readonly Schema[], isGiven: boolean): IdDescription {
  const format = firstOf(schemas, (part) => part.format)
  const patterns = patternsOf(schemas)
  const pattern = findPattern(patterns) ?? patternOfFormat(format)
  const { minimum: minLength, maximum: maxLength } = inBoth(schemas, (some) =>
    narrowest(
      some,
      (part) => part.minLength,
      (part) => part.maxLength,
    ),
  )
  const example = firstOf(schemas, exampleOf) ?? ''
  const hasLimits = pattern !== undefined || minLength !== undefined || maxLength !== undefined
  const exampleKind = UUID.test(example) ? UUIDS : /^\d+$/.test(example) ? DIGITS : undefined
  const uuid = UUID_FORMAT.exec(format ?? '')
  if (isGiven && exampleKind && !hasLimits && !uuid) return { type: 'text', pattern: exampleKind }
  const own = firstOf(schemas.slice(0, 1), (part) => part.format)
  // What clients give is as the record describes it.
  if (isGiven ? UUID_FORMAT.test(own ?? '') : uuid || (!hasLimits && UUID.test(example))) {
    const kinds = UUID_KINDS.slice(Number(uuid?.groups?.version === '4'))
    // Where nothing is both, the record decides.
    const isOwn = UUID_FORMAT.test(own ?? '') && patternsOf(schemas.slice(0, 1)).length === 0
    const found = kinds.find((kind) => fitsAll(kind, patterns)) ?? (isOwn ? kinds[0] : undefined)
    if (found) return found
  }
  const isDigits = pattern === undefined ? !hasLimits && /^\d+$/.test(example) : allowsAnyDigits(pattern)
  if (isDigits) return { type: 'digits' }
  const shape = hasLimits || isGiven ? undefined : shapeOf(example)
  return { type: 'text', prefix: prefixOf(pattern, example), pattern: pattern ?? shape, minLength, maxLength }
}

const UUID_KINDS: readonly IdDescription[] = [{ type: 'uuid' }, { type: 'uuid', version: 4 }]

/** A pattern for ids that look like an example of one that is random: 24 hexadecimal digits, 22 letters and digits. */
function shapeOf(example: string): string | undefined {
  const { length } = example
  if (length > 64 || !/^(?=.*\d)(?=.*[a-z])[a-z\d]{16,}$/i.test(example)) return undefined
  const found = ['0-9a-f', '0-9A-F', '0-9A-Z'].find((each) => new RegExp(`^[${each}]+$`).test(example)) ?? '0-9a-zA-Z'
  return `^[${found}]{${length}}$`
}

function patternsOf(schemas: readonly Schema[]): readonly string[] {
  return [...new Set(schemas.flatMap((schema) => firstOf([schema], (part) => part.pattern) ?? []))]
}

/** The first pattern whose ids match all others, or else the first. */
function findPattern(patterns: readonly string[]): string | undefined {
  if (patterns.length < 2) return patterns[0]
  return patterns.find((pattern) => fitsAll({ type: 'text', pattern }, patterns)) ?? patterns[0]
}

/** Whether new ids match all patterns. */
function fitsAll(kind: IdDescription, patterns: readonly string[]): boolean {
  const sequence = createIdKind(kind, '').createSequence(NO_IDS)
  const ids = [sequence.take(), sequence.take()]
  return patterns.every((pattern) => {
    const expression = toRegExp(pattern)
    return ids.every((id) => expression?.test(id))
  })
}

const NO_IDS = { size: 0, has: () => false, largest: () => undefined }

/** Whether a pattern allows digits in any number, and nothing else. */
function allowsAnyDigits(pattern: string): boolean {
  const regExp = toRegExp(pattern)
  return (
    regExp !== undefined &&
    ['1', '20', '12345678901234567890'].every((text) => regExp.test(text)) &&
    !['a', 'a1', '1a', '1-1'].some((text) => regExp.test(text))
  )
}

/** From `^cus_`, or from an example that the pattern allows: `cus_NffrFeUfNV2Hib`. */
function prefixOf(pattern: string | undefined, example: string): string | undefined {
  const fromPattern = /^\^([a-z\d]+[_-])/i.exec(pattern ?? '')?.[1]
  return fromPattern ?? (pattern === undefined ? PREFIX.exec(example)?.[0] : undefined)
}

function firstOf<T>(schemas: readonly Schema[], read: (part: SchemaWithExample) => T | undefined): T | undefined {
  for (const schema of schemas) {
    for (const part of partsOf(schema)) {
      const value = read(part)
      if (value !== undefined) return value
    }
  }
  return undefined
}

function exampleOf({ example, examples }: SchemaWithExample): string | undefined {
  const [value] = [example, ...(Array.isArray(examples) ? examples : [])].filter((each) => each !== undefined)
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}

/** `book` for `bookId` and `book_id`; the name itself, normalized, if it does not end like an id. */
export function stemOf(name: string): string {
  const words = wordsOf(name)
  return (words.length > 1 && endsLikeId(name) ? words.slice(0, -1) : words).join('')
}

export function endsLikeId(name: string): boolean {
  return ID_WORDS.test(wordsOf(name).at(-1) ?? '')
}

/** What else is known of an id than the name of its parameter and its record. */
export interface IdHints {
  /** The schema of the parameter. */
  readonly schema?: Schema | undefined
  /** The properties that clients send, without those that the mock makes. */
  readonly sent?: Iterable<string> | undefined
  /** What the document usually calls ids, most frequent first. */
  readonly usual?: readonly string[] | undefined
}

/** Where a record has the id that a path calls `parameter`, and describes by a schema. */
export function findId(
  parameter: string,
  noun: string,
  record: Schema,
  { schema = {}, sent = [], usual = [] }: IdHints = {},
): readonly string[] | undefined {
  const named = findNamedId(parameter, noun, record)
  const found = named === undefined ? undefined : preferOwn(named, noun, record, new Set(sent))
  if (found !== undefined) return [found]
  const nested = findNestedId(parameter, record)
  if (nested) return nested
  // A name is not what a path takes as a number.
  const names = isNumeric(schema) ? scalarsOf(record, isNumeric) : scalarsOf(record)
  const same = findSameLook(schema, record, names)
  if (same !== undefined) return [same]
  const own = [`${normalize(noun)}name`, normalize(noun)]
  const last = firstNamed(names, [...usual.map(normalize), ...USUAL_IDS, ...own])
  return last === undefined ? undefined : [last]
}

/** `id` rather than `company_id`, if that is what a client calls a company. */
function preferOwn(named: string, noun: string, record: Schema, sent: ReadonlySet<string>): string {
  const isOfClient =
    !QUALIFIERS.test(noun) && sent.has(named) && !sent.has('id') && normalize(named) === `${normalize(noun)}id`
  return isOfClient && scalarsOf(record).includes('id') ? 'id' : named
}

/** The only property with the example, the pattern or the format of UUIDs that the parameter has. */
function findSameLook(schema: Schema, record: Schema, names: readonly string[]): string | undefined {
  const properties = propertiesIn(record)
  for (const look of [exampleOf, patternOf, uuidFormatOf]) {
    const wanted = firstOf([schema], look)
    if (wanted === undefined) continue
    const [found, ...others] = names.filter((name) => firstOf([properties.get(name) ?? {}], look) === wanted)
    if (found !== undefined && others.length === 0) return found
  }
  return undefined
}

const patternOf = ({ pattern }: Schema) => pattern

const uuidFormatOf = ({ format }: Schema) => (UUID_FORMAT.test(format ?? '') ? 'uuid' : undefined)

/** The property that is named like the parameter, or like a part of it: `pool_name` is a name, and `pool_uid` is a `uid`. */
export function findNamedId(parameter: string, noun: string, record: Schema): string | undefined {
  const names = scalarsOf(record)
  if (names.includes(parameter)) return parameter
  const suffixes = suffixesOf(parameter)
  const isQualified = QUALIFIERS.test(wordsOf(parameter)[0] ?? '')
  const bare = withoutNoun(parameter, noun)
  // The `guild_id` of a guild's event is no id of the event.
  const own = bare !== '' && (isQualified || endsLikeId(bare) === (wordsOf(bare).length === 1)) ? [bare] : []
  const ends = endsLikeId(parameter)
    ? [...own, ...suffixes.slice(-1), 'id', ...suffixes]
    : [...own, ...suffixes, ...synonymsOf(parameter), 'id']
  return firstNamed(names, [normalize(parameter), ...ends, `${normalize(noun)}id`])
}

/** A property that is named like a parameter, and is not the id that this is taken for. */
export function findOtherId(parameter: string, property: readonly string[], record: Schema): string | undefined {
  const isOther = property.length !== 1 || property[0] !== parameter
  return isOther && scalarsOf(record).includes(parameter) ? parameter : undefined
}

/** A noun and what else it is written as: `org` is an `organization`. */
export function spellingsOf(noun: string): readonly string[] {
  const own = normalize(noun)
  const group = Object.entries(SHORT_FORMS).find(([short, long]) => short === own || long.includes(own))
  return group ? [own, group[0], ...group[1]] : [own]
}

/**
 * The property that repeats the id of a parent: named like the parameter, if that says whose id it is, or like the parent,
 * `organisationId` for `/orgs/{orgId}`.
 */
export function findParentProperty(
  parameter: string,
  names: readonly string[],
  parent?: { readonly noun: string; readonly id: { readonly property?: readonly string[] | undefined } },
): string | undefined {
  const wanted = normalize(parameter)
  const nouns = parent ? spellingsOf(parent.noun) : []
  const own = normalize(parent?.id.property?.at(-1) ?? 'id')
  const isGeneric = wanted === 'id' || (parent !== undefined && [own, ...USUAL_IDS].includes(wanted))
  if (!isGeneric || nouns.some((noun) => wanted.includes(noun))) {
    const named =
      names.find((name) => normalize(name) === wanted) ??
      (endsLikeId(parameter) ? names.find((name) => normalize(name) === stemOf(parameter)) : undefined)
    if (named !== undefined) return named
  }
  return names.find((name) =>
    nouns.some((noun) => {
      const rest = withoutNoun(name, noun)
      return rest !== '' && (rest === own || ID_WORDS.test(rest))
    }),
  )
}

/** `external_id` for the `external_customer_id` of a customer. */
function withoutNoun(parameter: string, noun: string): string {
  const [words, own] = [wordsOf(parameter), wordsOf(noun)]
  const at = words.findIndex((_, index) => own.every((word, offset) => words[index + offset] === word))
  return at < 0 ? '' : words.toSpliced(at, own.length).join('')
}

/** Other names for what a parameter is called: `login` for `username`. */
function synonymsOf(parameter: string): readonly string[] {
  const names = [normalize(parameter), wordsOf(parameter).at(-1)]
  return SYNONYMS.flatMap((group) => (group.some((name) => names.includes(name)) ? group : []))
}

/**
 * The properties that find a record by the last parameters of a path, of which there are several: `owner.login` and `name` for
 * `/repos/{owner}/{repo}`. Undefined if one of them is not found, or if the last is an id.
 */
export function findLookup(parameters: readonly string[], noun: string, record: Schema): readonly Lookup[] | undefined {
  const properties = propertiesIn(record)
  const found = parameters.map((parameter, index): Lookup | undefined => {
    const words = [normalize(parameter), stemOf(parameter)]
    if (index === parameters.length - 1) {
      const names = [words[0] as string, `${normalize(noun)}name`, ...synonymsOf(parameter), ...NAMES]
      const name = endsLikeId(parameter) ? undefined : firstNamed(scalarsOf(record), names)
      return name === undefined ? undefined : { parameter, property: [name] }
    }
    const outer = [...properties.keys()].find((name) => words.includes(normalize(name)))
    const schema = properties.get(outer ?? '')
    if (outer === undefined || schema === undefined) return undefined
    if (isScalar(schema)) return { parameter, property: [outer] }
    const inner = firstNamed(scalarsOf(schema), endsLikeId(parameter) ? ['id', ...NAMES] : [...NAMES, 'id'])
    return inner === undefined ? undefined : { parameter, property: [outer, inner] }
  })
  return found.every((each) => each !== undefined) ? found : undefined
}

/** What a path calls records by, if not by their ids. */
const NAMES = ['login', 'username', 'slug', 'key', 'name', 'number', 'code']

function scalarsOf(record: Schema, isMeant = isScalar): readonly string[] {
  return [...propertiesIn(record)].filter(([, schema]) => isMeant(schema)).map(([name]) => name)
}

/** `pool_name` ends with `name`. */
function suffixesOf(parameter: string): readonly string[] {
  const words = wordsOf(parameter)
  return words.slice(1).map((_, index) => words.slice(index + 1).join(''))
}

function firstNamed(names: readonly string[], candidates: readonly string[]): string | undefined {
  for (const candidate of candidates) {
    const found = names.find((name) => normalize(name) === candidate)
    if (found !== undefined) return found
  }
  return undefined
}

/** In an object with the name of the parameter (`user.id` for `user_id`), or by the very name (`metadata.name`). */
export function findNestedId(parameter: string, record: Schema): readonly string[] | undefined {
  const isTelling = wordsOf(parameter).length > 1
  for (const [outer, schema] of propertiesIn(record)) {
    const isNamed = isTelling && normalize(outer) === stemOf(parameter)
    if (!isObjectSchema(schema) || !(isTelling || ABOUT_RECORD.test(outer))) continue
    const inner = firstNamed(scalarsOf(schema), isNamed ? [normalize(parameter), 'id'] : [normalize(parameter)])
    if (inner !== undefined) return [outer, inner]
  }
  return undefined
}
