import type { ApiError } from '../../http/errors.js'
import { codeOfStatus, reasonOfStatus } from '../../http/statuses.js'
import { oncePerText } from '../../lib/functions.js'
import { escapeToken, unescapeToken } from '../../lib/json-pointer.js'
import { copyData } from '../../lib/values.js'
import type { Validate } from '../validate/validators.js'
import { escapePointer } from '../validate/violations.js'
import { withoutPlace } from '../validate/violations-to-error.js'
import { type ErrorFact, FIELDS, MESSAGE, OF_REQUEST, WORDS_OF_SERVER_ERROR, WORDS_OF_STATUS } from '../words/errors.js'

/** The value of an enum that fits an error best: the one with most words of its code. Undefined if none has one. */
function nearestValue(values: readonly unknown[], code: string, status: number): unknown {
  if (values.includes(status)) return status
  const wanted = wordsOf(`${code} ${codeOfStatus(status)} ${reasonOfStatus(status)} ${WORDS_OF_STATUS[status] ?? ''}`)
  if (status >= 500) wanted.push(...WORDS_OF_SERVER_ERROR)
  let best: { readonly value: unknown; readonly score: number } = { value: undefined, score: 0 }
  for (const value of values) {
    const score = wordsOf(String(value)).filter((word) => wanted.some((other) => isRelated(word, other))).length
    if (score > best.score) best = { value, score }
  }
  return best.value
}

function wordsOf(text: string): string[] {
  const words =
    text
      .replace(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .match(/[a-z]{3,}/g) ?? []
  return words.filter((word) => word !== 'error')
}

const isRelated = (a: string, b: string) =>
  a === b || (a.length > 3 && b.startsWith(a)) || (b.length > 3 && a.startsWith(b))

/** What the fields of an error's body tell. */
export interface ErrorFields {
  readonly code: string
  readonly message: string
  readonly status: number
  /** That of the request, if there is one. */
  readonly path?: string | undefined
  readonly method?: string | undefined
  /** When the request arrived, in milliseconds since 1970. */
  readonly at?: number | undefined
  /** Made from what the error is. */
  readonly requestId: () => string
  /** What it is about. */
  readonly place?: ErrorPlace | undefined
  /** The message without that place. */
  readonly predicate?: string | undefined
  /** Whether it is one of several things that are wrong. */
  readonly isItem?: boolean
}

/** A part of a request: the width in the size of its body. */
export interface ErrorPlace {
  readonly in: string
  readonly names: readonly string[]
}

/** The facts that are about the place. */
const PLACES: readonly string[] = ['place', 'header', 'pointer', 'placeWithPart', 'part'] satisfies ErrorFact[]

type Values = (error: ErrorFields) => readonly unknown[]

const message: Values = (error) => [error.message, reasonOfStatus(error.status)]
const codes: Values = ({ code, status }) => [code, ...spellings(code), ...spellings(codeOfStatus(status)), status]

const VALUES: Readonly<Record<ErrorFact, Values>> = {
  message,
  title: (error) => [reasonOfStatus(error.status), error.message],
  place: ({ place }) => toNames(place),
  header: ({ place }) => (place?.in === 'header' ? toNames(place) : []),
  pointer: ({ place }) => (place?.in === 'body' && place.names.length > 0 ? [toPointer(place)] : []),
  placeWithPart: ({ place }) => (place ? toNames({ ...place, names: [place.in, ...place.names] }) : []),
  part: ({ place }) => (place ? [place.in] : []),
  status: (error) => [error.status, String(error.status), 'error', 'fail', reasonOfStatus(error.status)],
  code: codes,
  success: () => [false],
  failure: () => [true],
  path: ({ path }) => (path === undefined ? [] : [path]),
  method: ({ method }) => (method === undefined ? [] : [method]),
  time: ({ at }) => (at === undefined ? [] : timesOf(at)),
  requestId: ({ requestId }) => [requestId()],
}

/** Values for a field of an error, the best one first. Empty if its name says nothing, or nothing is known. */
function valuesFor(name: string, error: ErrorFields, siblings: readonly string[]): readonly unknown[] {
  // The type of an object in JSON-LD and Protocol Buffers is a URI.
  if (name === '@type') return []
  const word = toWord(name)
  const others = siblings.map(toWord)
  if (word === 'error') {
    const isExplained = others.some((other) => other !== 'error' && MESSAGE.test(other))
    return [true, ...(isExplained ? codes(error) : [...message(error), ...codes(error)])]
  }
  // JSON:API has one of the three, and RFC 7807 a list of names and reasons.
  if (/^param/.test(word) && others.includes('pointer') && error.place?.in === 'body') return []
  if (/^param/.test(word) && others.includes('header') && error.place?.in === 'header') return []
  if (word === 'name' && others.includes('reason') && error.place) return toNames(error.place)
  if (word === 'reason' && others.includes('name') && error.place) return message(error)
  if (word === 'path' && !others.some((other) => OF_REQUEST.test(other))) {
    if (error.place || error.isItem) return toNames(error.place)
  }
  // The type of a problem is a URI (RFC 9457).
  if (word === 'type' && others.includes('title')) return ['about:blank', ...codes(error)]
  const fact = factOf(word)
  return fact === 'none' ? [] : VALUES[fact](error)
}

const canTellPlace = (word: string) => /^(?:param|name$|reason$|path$)/.test(word) || PLACES.includes(factOf(word))

/** Whether a body has a field for when an error was made, or for the request that led to it. */
export function tellsRequest(body: unknown): boolean {
  if (!isHolder(body)) return false
  const names = namesIn(body).map(toWord)
  return (
    names.some((word) => word === 'path' || OF_ONE_REQUEST.includes(factOf(word))) ||
    Object.values(body).some(tellsRequest)
  )
}

const OF_ONE_REQUEST: readonly string[] = ['path', 'method', 'time'] satisfies ErrorFact[]

/** Whether a field says which part of the request an error is about. */
function tellsPlace(name: string, error: ErrorFields, siblings: readonly string[]): boolean {
  if (error.place === undefined || !canTellPlace(toWord(name))) return false
  const { place, ...others } = error
  const known = valuesFor(name, error, siblings)
  return known.length > 0 && valuesFor(name, others, siblings).every((value) => !known.includes(value))
}

/** As a text, or as a list for a field that has one. */
function toNames(place: ErrorPlace | undefined): unknown[] {
  const { names = [] } = place ?? {}
  if (names.length === 0) return []
  return [names.join('.'), names.map((name) => (/^\d+$/.test(name) ? Number(name) : name)), names]
}

const toPointer = ({ names }: ErrorPlace) => names.map((name) => `/${escapeToken(name)}`).join('')

const toWord = oncePerText((name) => name.toLowerCase().replace(/[^a-z]/g, ''))

const factOf = oncePerText((word) => FIELDS.find(([pattern]) => pattern.test(word))?.[1] ?? 'none')

/** `NOT_FOUND` as `not_found`, `not-found`, `notFound`, `NotFound` and `Not Found`. */
const spellings = oncePerText((code): readonly string[] => {
  const words = code.toLowerCase().split('_')
  const capitals = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1))
  const [first, ...others] = capitals
  return [
    code,
    words.join('_'),
    words.join('-'),
    [first?.toLowerCase(), ...others].join(''),
    capitals.join(''),
    capitals.join(' '),
  ]
})

function timesOf(at: number): unknown[] {
  return [new Date(at).toISOString(), at, Math.floor(at / 1000)]
}

type Key = string | number
/** An object or a list in a body. */
type Holder = Record<Key, unknown>

/** Errors such that every field that can be filled has a value for one of them. */
const ANY_ERRORS = ['body', 'query', 'header'].map(
  (part): ErrorFields => ({
    code: '',
    message: 'Any message.',
    status: 400,
    path: '',
    method: '',
    at: 0,
    requestId: () => '',
    place: { in: part, names: ['name'] },
  }),
)

/** A body to fill. What was made up says nothing, and an example is what the document says of such errors. */
export interface ErrorTemplate {
  readonly body: unknown
  readonly isExample: boolean
}

/**
 * Fills a body with an error: each field whose name says what it is gets the first value that the schema allows. Without one it
 * is left out, or empty if it is required, or keeps that of an example. A list gets an item for each violation.
 */
export function fillError(
  template: ErrorTemplate,
  error: ErrorFields,
  { code, message, violations, pointers }: Pick<ApiError, 'code' | 'message' | 'violations' | 'pointers'>,
  schema: Validate,
): unknown {
  const root: Holder = { body: copyData(template.body) }
  // A template that does not conform says nothing about what does.
  const isChecked = schema(root.body)
  const allows = () => !isChecked || schema(root.body)
  const places = (code === 'MALFORMED_BODY' ? ['/requestBody'] : pointers).map((pointer, index) => ({
    place: placeAt(pointer),
    predicate: withoutPlace(violations[index] ?? message, pointer),
  }))
  /** Whether the list that is being filled does not say what it is about. */
  let isMisleading = false

  function visit(holder: Holder, key: Key, name: string, pointer: string, filled: ErrorFields): void {
    const value = holder[key]
    if (!isHolder(value) || (Array.isArray(value) && tellsAnyPlace(name, namesIn(holder)))) {
      fillField(holder, key, name, pointer, filled)
    } else if (Array.isArray(value)) {
      fillList(holder, key, name, pointer, filled)
    } else {
      const { message: sentence, predicate = sentence } = filled
      const told = { ...filled, message: mentionsPlace(value, filled) ? predicate : sentence }
      for (const inner of Object.keys(value)) visit(value, inner, inner, `${pointer}/${escapePointer(inner)}`, told)
      if (pointer !== '' && !Array.isArray(holder) && isVoid(value)) isAllowed(holder, key, undefined, allows)
    }
  }

  function fillList(holder: Holder, key: Key, name: string, pointer: string, filled: ErrorFields): void {
    const list = holder[key] as unknown[]
    const item = list[0]
    if (item === undefined || !tells(item, name, [])) return
    const messages = isHolder(item) || typeof item === 'string' ? violations : []
    for (const wanted of [messages.map(() => copyData(item)), [item], list]) {
      holder[key] = wanted
      if (wanted.length > 0 && allows()) break
    }
    const items = holder[key] as Holder & unknown[]
    isMisleading = false
    for (const index of items.keys()) {
      const told = { ...filled, message: messages[index] ?? filled.message, ...places[index], isItem: true }
      visit(items, index, name, `${pointer}/${index}`, told)
    }
    const isEmpty = items.some((each) => isHolder(each) && isVoid(each))
    // A list that has the only message stays.
    const isSpare = () => allows() && (isEmpty || tellsMessage(root.body))
    if ((isMisleading || isEmpty) && isAllowed(holder, key, undefined, isSpare)) isMisleading = false
  }

  function fillField(holder: Holder, key: Key, name: string, pointer: string, filled: ErrorFields): void {
    const old = holder[key]
    const known = valuesFor(name, filled, namesIn(holder))
    const values = known.filter((value) => old === null || kindOf(value) === kindOf(old))
    for (const value of values) {
      if (isAllowed(holder, key, value, allows)) return
      holder[key] = value
      const listed = allows() ? undefined : listedValues(schema, pointer)
      holder[key] = old
      const nearest = listed && nearestValue(listed, filled.code, filled.status)
      if (nearest === undefined || values.some((each) => listed?.includes(each))) continue
      if (isAllowed(holder, key, nearest, allows)) return
    }
    if (!tells(old, name, namesIn(holder)) || (known.length > 0 && template.isExample)) return
    if (!clear(holder, key, allows) && known.length === 0) isMisleading = true
  }

  visit(root, 'body', 'message', '', { ...error, ...places[0] })
  return withoutUndefined(root.body)
}

/** Where in the request a violation is. */
function placeAt(pointer: string): ErrorFields['place'] {
  const [part = '', ...names] = pointer.split('/').slice(1).map(unescapeToken)
  return { in: part === 'requestBody' ? 'body' : part, names }
}

/** Whether an object, or one in it, has a field for the place of an error. */
function mentionsPlace(object: Holder, error: ErrorFields): boolean {
  return Object.entries(object).some(([name, value]) =>
    isHolder(value) && !Array.isArray(value)
      ? mentionsPlace(value, error)
      : value !== undefined && tellsPlace(name, error, Object.keys(object)),
  )
}

/** Sets a value if the whole is then valid. */
function isAllowed(holder: Holder, key: Key, value: unknown, allows: () => boolean): boolean {
  const old = holder[key]
  holder[key] = value
  if (allows()) return true
  holder[key] = old
  return false
}

/** Leaves a value out, or replaces it by an empty one if that is not allowed. Returns whether it then says nothing. */
function clear(holder: Holder, key: Key, allows: () => boolean): boolean {
  if ([undefined, null].some((nothing) => isAllowed(holder, key, nothing, allows))) return true
  const empty = EMPTY[kindOf(holder[key])]
  if (empty !== undefined) isAllowed(holder, key, empty, allows)
  return false
}

const EMPTY: Readonly<Record<string, unknown>> = { string: '', number: 0, boolean: false, array: [] }

const kindOf = (value: unknown) => (Array.isArray(value) ? 'array' : typeof value)

const namesIn = (holder: Holder) => (Array.isArray(holder) ? [] : Object.keys(holder))

/** What remains of a made-up body if everything is left out that says nothing about an error, as far as the schema allows. */
export function pruneError(body: unknown, schema: Validate): unknown {
  if (!schema(body)) return body

  function prune(holder: Holder): void {
    for (const name of Object.keys(holder)) {
      const value = holder[name]
      if (isHolder(value)) prune(value)
      if (!Array.isArray(holder) && !tells(value, name, Object.keys(holder))) clear(holder, name, () => schema(body))
    }
  }
  if (isHolder(body)) prune(body)
  return withoutUndefined(body)
}

/** Whether something in a field can be filled, or with what is wanted. */
function tells(value: unknown, name: string, siblings: readonly string[], isWanted: IsWanted = () => true): boolean {
  if (Array.isArray(value) && !tellsAnyPlace(name, siblings)) {
    return value.some((item) => tells(item, name, [], isWanted))
  }
  if (isHolder(value) && !Array.isArray(value)) {
    return Object.keys(value).some((inner) => tells(value[inner], inner, Object.keys(value), isWanted))
  }
  if (value === undefined) return false
  return ANY_ERRORS.some((error) => {
    const values = valuesFor(name, error, siblings)
    return values.length > 0 && isWanted(values, value, error)
  })
}

type IsWanted = (values: readonly unknown[], old: unknown, error: ErrorFields) => boolean

/** Whether the value that a field gets is the message. */
const isMessage: IsWanted = (values, old, { message }) =>
  values.find((value) => old === null || kindOf(value) === kindOf(old)) === message

/** Whether a body has a field for the message. */
export const tellsMessage = (body: unknown) => tells(body, 'message', [], isMessage)

const tellsAnyPlace = (name: string, siblings: readonly string[]) =>
  ANY_ERRORS.some((error) => tellsPlace(name, error, siblings))

const isVoid = (object: Holder) => Object.values(object).every((inner) => inner === undefined)

/** The values that a schema lists for a place, as far as its last violation says so. */
function listedValues({ errors }: Validate, pointer: string): readonly unknown[] | undefined {
  const { enum: listed } =
    errors?.find(({ instancePath, keyword }) => instancePath === pointer && keyword === 'enum')?.parentSchema ?? {}
  return listed
}

function withoutUndefined(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutUndefined)
  if (!isHolder(value)) return value
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined)
  return Object.fromEntries(entries.map(([name, inner]) => [name, withoutUndefined(inner)]))
}

const isHolder = (value: unknown): value is Holder => typeof value === 'object' && value !== null
