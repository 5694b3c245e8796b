import { normalize, wordsOf } from '../../document/resources/names.js'
import type { Body, ResourceOperation } from '../../document/resources/resource.js'
import { fitObject, fittingParts, fitValue, isValid, withoutOthers } from '../../document/sample/fit-value.js'
import { flagsNamed } from '../../document/sample/new-values.js'
import { createSampler } from '../../document/sample/sample.js'
import { slugOf } from '../../document/sample/slug.js'
import {
  hasFlag,
  isNumeric,
  partsOf,
  propertiesWithoutChoices,
  schemaAt,
  typesOf,
} from '../../document/schema/facts.js'
import type { Schema } from '../../document/schema/schema.js'
import { HAS_SECRET_KEY, NAMES, SLUGS } from '../../document/words/new-values.js'
import { CHANGED, CREATED, EXPIRES, LATER, TIME } from '../../document/words/times.js'
import { oncePer } from '../../lib/functions.js'
import { stringifyJson } from '../../lib/json.js'
import { unescapeToken } from '../../lib/json-pointer.js'
import { createRandom, type RandomSource } from '../../lib/random.js'
import { copyData, isEqualJson, type Json, ownMember, setMember } from '../../lib/values.js'
import type { ServiceResource } from '../resources/service-resource.js'

type PatchProblem = NonNullable<PatchResult['problem']>

interface Operation {
  readonly op?: unknown
  readonly path?: unknown
  readonly from?: unknown
  readonly value?: unknown
}

/** A value after the operations of a JSON Patch (RFC 6902). The value itself stays as it is. */
export function applyJsonPatch(value: unknown, operations: readonly unknown[]): PatchResult {
  try {
    return { value: apply(value, operations) }
  } catch (problem) {
    if (problem instanceof Error) throw problem
    return { problem: problem as PatchProblem }
  }
}

function apply(value: unknown, operations: readonly unknown[]): unknown {
  const holder = { root: copyData(value) }
  const budget = { left: MAX_COPIED }
  for (const [index, operation] of operations.entries()) perform(holder, Object(operation) as Operation, index, budget)
  return holder.root
}

/** How many characters a patch may copy: each copy can contain those before it. */
const MAX_COPIED = 1_000_000

interface Budget {
  left: number
}

function copyOf(value: unknown, index: number, budget: Budget): unknown {
  budget.left -= stringifyJson(value)?.length ?? 0
  if (budget.left < 0) throw impossible(`/${index} copies more than a patch may copy.`)
  return copyData(value)
}

function perform(holder: object, { op, path, from, value }: Operation, index: number, budget: Budget): void {
  const at = (pointer: unknown) => readPointer(pointer, index)
  switch (op) {
    case 'add':
      add(holder, at(path), copyData(value))
      break
    case 'remove':
      remove(holder, at(path))
      break
    case 'replace':
      get(holder, at(path))
      set(holder, at(path), copyData(value))
      break
    case 'move':
      if (`${path}`.startsWith(`${from}/`)) throw impossible(`/${index} moves a value into itself.`)
      add(holder, at(path), remove(holder, at(from)))
      break
    case 'copy':
      add(holder, at(path), copyOf(get(holder, at(from)), index, budget))
      break
    case 'test':
      if (isEqualJson(get(holder, at(path)), value)) break
      throw { kind: 'test', message: `/${index}: the value at "${path}" is another one.` } satisfies PatchProblem
    default:
      throw impossible(`/${index}/op must be add, remove, replace, move, copy or test.`)
  }
}

type Path = readonly string[]
type Container = Record<string, unknown> | unknown[]

function impossible(message: string): PatchProblem {
  return { kind: 'impossible', message }
}

/** The keys that lead to a value, from the object that holds the root. */
function readPointer(pointer: unknown, index: number): Path {
  if (typeof pointer !== 'string' || !/^(\/|$)/.test(pointer)) {
    throw impossible(`/${index} must have a path that is empty or starts with a slash.`)
  }
  return ['root', ...pointer.split('/').slice(1)].map(unescapeToken)
}

function get(holder: object, path: Path): unknown {
  return path.reduce<unknown>((value, key) => {
    const found = isContainer(value) && Object.hasOwn(value, key) && !isLength(value, key)
    if (!found) throw impossible(`Nothing is at "/${path.slice(1).join('/')}".`)
    return (value as Record<string, unknown>)[key]
  }, holder)
}

function containerAt(holder: object, path: Path): [container: Container, key: string] {
  const container = get(holder, path.slice(0, -1))
  if (!isContainer(container)) throw impossible(`"/${path.slice(1).join('/')}" is in no object or list.`)
  return [container, path.at(-1) ?? '']
}

function set(holder: object, path: Path, value: unknown): void {
  const [container, key] = containerAt(holder, path)
  setMember(container as Record<string, unknown>, key, value)
}

function add(holder: object, path: Path, value: unknown): void {
  const [container, key] = containerAt(holder, path)
  if (!Array.isArray(container)) {
    setMember(container, key, value)
    return
  }
  const position = key === '-' ? container.length : /^(0|[1-9]\d*)$/.test(key) ? Number(key) : -1
  if (position < 0 || position > container.length) throw impossible(`The list has no place "${key}".`)
  container.splice(position, 0, value)
}

function remove(holder: object, path: Path): unknown {
  const value = get(holder, path)
  const [container, key] = containerAt(holder, path)
  if (Array.isArray(container)) container.splice(Number(key), 1)
  else delete container[key]
  return value
}

const isContainer = (value: unknown): value is Container => typeof value === 'object' && value !== null

const isLength = (value: Container, key: string) => Array.isArray(value) && key === 'length'

/** Makes values that neither a client nor the service gives. Only services without precompiled validators need it. */
export interface ValueMaker {
  /**
   * A record with the properties that only the mock can make, apart from its id, and with the given ones in the form that a
   * record has. `salt` decides about random values.
   */
  completeRecord(resource: ServiceResource, given: Json, salt: string, at: number): Json
  /** A record that was changed, in the form that it must have: some properties are sent as an id and returned as an object. */
  fitRecord(resource: ServiceResource, given: Json): Json
  /** What changes with every change of a record: `updatedAt`. */
  changeFields(resource: ServiceResource, at: number): Json
  /** A time in the form of a schema; undefined if it can hold none. */
  toTime(schema: Schema, at: number): unknown
  /** What the schema of a request says about properties that the request leaves out. */
  requestDefaults(resource: ServiceResource, request: ResourceOperation['request'], sent: Json): Json
  /** The id of a new record whose id is a slug, which follows its name. It may be taken. */
  idAfterName(resource: ServiceResource, sent: Json): string | undefined
  /** A value that conforms to a schema, and has as much as possible of the given one. */
  fit(schema: Schema, salt: string, value: Json): unknown
  /** A record after the operations of a JSON Patch. */
  applyPatch(record: Json, operations: readonly unknown[]): PatchResult
  /** A body that conforms to the schema, with a value at a place in it if one is given. */
  makeBody(schema: Schema, salt: string, place?: { readonly path: readonly string[]; readonly value: unknown }): unknown
}

/** The value, or why there is none: a `test` failed, or an operation is impossible. */
export type PatchResult =
  | { readonly value: unknown; readonly problem?: undefined }
  | { readonly problem: { readonly kind: 'test' | 'impossible'; readonly message: string } }

/** What changes with every change of a record, such as `updatedAt`, in the form of its schema. */
function changeFields({ fields, writable }: ServiceResource, at: number): Json {
  const entries = fields.flatMap(({ property, schema }): [string, unknown][] => {
    if (writable.includes(property) || !consistsOf(wordsOf(property), [CHANGED])) return []
    const value = toTime(schema, at)
    return value === undefined ? [] : [[property, value]]
  })
  return Object.fromEntries(entries)
}

/**
 * A new record with its times: it was created and last changed now. What happens later, such as `closedAt`, is null or left
 * out if the schema allows it. `given` stays.
 */
function setTimes(record: Json, given: Json, { fields, record: { schema } }: ServiceResource, at: number): Json {
  let made = record
  for (const { property, schema: each } of fields) {
    const isMade = ownMember(given, property) === undefined && ownMember(made, property) !== undefined
    const words = isMade ? wordsOf(property) : []
    const now = isTime(words) ? toTime(each, words.some((word) => EXPIRES.test(word)) ? at + DAY_MS : at) : undefined
    if (now === undefined) continue
    const { [property]: _, ...others } = made
    const isOfStart = words.some((word) => CREATED.test(word) || CHANGED.test(word))
    if (!isOfStart && isValid(each, null)) made = { ...made, [property]: null }
    else if (isOfStart || !isValid(schema, others)) made = { ...made, [property]: now }
    else made = others
  }
  return made
}

const DAY_MS = 24 * 60 * 60 * 1000

function isTime(words: readonly string[]): boolean {
  const last = words.at(-1) ?? ''
  if (last === 'at' || consistsOf(words, [CREATED, CHANGED, LATER, EXPIRES])) return true
  return TIME.test(last) && words.some((word) => LATER.test(word))
}

/** `updated_at`, `lastModified` and `updated`, but not `updatedBy`. */
function consistsOf(words: readonly string[], verbs: readonly RegExp[]): boolean {
  const isVerb = (word: string) => verbs.some((verb) => verb.test(word))
  return words.some(isVerb) && words.every((word) => isVerb(word) || TIME.test(word))
}

/** A time in the form of a schema; undefined if it can hold none. */
function toTime(schema: Schema, at: number): unknown {
  const time = new Date(at).toISOString()
  const values = isNumeric(schema) ? [Math.floor(at / 1000)] : [time, time.slice(0, 10)]
  return values.find((value) => isValid(schema, value))
}

/** How often an envelope is made anew if it does not conform. */
const MAX_ATTEMPTS = 12

export function createValueMaker(): ValueMaker {
  let random: RandomSource = () => 0
  const sampler = createSampler(() => random())
  /** Any that the store could make. */
  const sampleId = oncePer(({ name, fields }: ServiceResource) => {
    random = createRandom(0, name)
    return sampler.sample(fields.find(({ isId }) => isId)?.schema ?? false)
  })

  return {
    completeRecord(resource, sent, salt, at) {
      const { name, record: place, fields, writable, idPath, list, operations } = resource
      const { schema } = place
      const request = operations.create?.request ?? operations.replace?.request
      const followed = followName(resource, sent)
      const defaults = requestDefaults(resource, request, sent)
      const given = { ...initialValues(fields, list), ...unsetFlags(resource), ...followed, ...defaults, ...sent }
      if (isWhole(resource, given, sampleId(resource))) return without(given, idPath[0])
      random = createRandom(0, `${name}/${salt}`)
      const made = setTimes({ ...(fitObject(given, schema, sampler) as Json | undefined) }, given, resource, at)
      const kept = fields.filter(
        ({ property }) => ownMember(given, property) !== undefined || !writable.includes(property),
      )
      const record = withoutOthers(
        made,
        kept.map(({ property }) => property),
        schema,
      )
      // The store makes the id.
      return idPath.length > 1 ? record : without(record, idPath[0])
    },
    fitRecord({ name, record: { schema } }, given) {
      random = createRandom(0, name)
      return fitValue(given, schema, sampler) as Json
    },
    changeFields,
    toTime,
    requestDefaults,
    idAfterName(resource, sent) {
      const { idPath } = resource
      return idPath.length > 1 ? undefined : (followName(resource, sent)[idPath[0]] as string | undefined)
    },
    fit(schema, salt, value) {
      random = createRandom(0, salt)
      return fitValue(value, schema, sampler)
    },
    applyPatch: applyJsonPatch,
    makeBody(schema, salt, place) {
      random = createRandom(0, salt)
      if (place === undefined) return sampler.sample(schema)
      const isChoice = [...partsOf(schema)].some(({ oneOf, anyOf }) => oneOf ?? anyOf)
      const isPlace = (path: readonly (string | number)[]) =>
        path.length === place.path.length && path.every((name, index) => name === place.path[index])
      const sample = () => sampler.sample(schema, { override: (path) => (isPlace(path) ? place.value : undefined) })
      let body = sample()
      // The value fits into one of the choices.
      for (let attempt = 1; isChoice && attempt < MAX_ATTEMPTS && !isValid(schema, body); attempt++) body = sample()
      return body
    },
  }
}

/** The properties that a record can have only from the mock, apart from its id. Undefined if values depend on each other. */
const madeProperties = oncePer(({ fields, writable, idPath, record: { schema } }: ServiceResource) => {
  const isFlat = [...partsOf(schema)].every(
    ({ oneOf, anyOf, example, default: initial, ...others }) =>
      [oneOf, anyOf, example, initial].every((keyword) => keyword === undefined) && !('examples' in others),
  )
  if (!isFlat || idPath.length > 1 || fields.some((field) => hasFlag(field.schema, 'writeOnly'))) return undefined
  return fields.filter(({ property, isId }) => !isId && !writable.includes(property)).map(({ property }) => property)
})

/** Whether a new record lacks nothing but its id. Then nothing has to be made for it, which takes longer than all else. */
function isWhole(resource: ServiceResource, given: Json, id: unknown): boolean {
  const made = madeProperties(resource)
  if (made === undefined || made.some((property) => ownMember(given, property) === undefined)) return false
  // What contains itself may be cut.
  if (Object.values(given).some((value) => typeof value === 'object' && value !== null)) return false
  const { idPath, record } = resource
  return isValid(record.schema, id === undefined ? given : { ...given, [idPath[0]]: given[idPath[0]] ?? id })
}

/** What the filters of a list select without being given: an issue is open. */
function initialValues(fields: ServiceResource['fields'], list: ServiceResource['list']): Json {
  const entries = (list?.filters ?? []).flatMap(({ property, initial }) => {
    const field = fields.find((each) => each.property === property)
    return initial !== undefined && field && isValid(field.schema, initial) ? [[property, initial]] : []
  })
  return Object.fromEntries(entries)
}

/** Flags that say what has not happened to a new record, such as `archived`: false, also where clients can set them. */
const unsetFlags = oncePer(({ record: { schema }, writable }: ServiceResource): Json => {
  const known = Object.entries(propertiesWithoutChoices(schema))
  const flags = known.filter(([name, each]) => {
    const isFlag = typesOf(each).has('boolean') && flagsNamed(wordsOf(name))[0] === false
    return isFlag && writable.includes(name) && isValid(each, false)
  })
  return Object.fromEntries(flags.map(([name]) => [name, false]))
})

/** The properties that name a record, and those that repeat its name in an address. */
const namesOf = oncePer(({ fields, noun }: ServiceResource) => ({
  names: NAMES.flatMap((each) => fields.find(({ property }) => normalize(property) === each)?.property ?? []),
  slugs: fields.filter(({ property }) => {
    const word = normalize(property)
    return SLUGS.test(word) && !(word === 'key' && HAS_SECRET_KEY.test(noun))
  }),
}))

/** The properties that repeat the name of a record in an address, unless a request has them. */
function followName(resource: ServiceResource, sent: Json): Json {
  const { names, slugs } = namesOf(resource)
  const name = names.map((property) => ownMember(sent, property)).find((value) => typeof value === 'string')
  if (typeof name !== 'string') return {}
  const entries = slugs.flatMap(({ property, schema }) => {
    const slug = slugOf(name, schema)
    return slug === undefined ? [] : [[property, slug]]
  })
  return Object.fromEntries(entries)
}

const hasDefaults = oncePer(({ schema, envelope }: Body) =>
  propertiesOfParts(schemaAt(schema.schema, envelope)).some((property) => defaultIn(property) !== undefined),
)

const propertiesOfParts = (schema: Schema) =>
  [...partsOf(schema)].flatMap(({ properties = {} }) => Object.values(properties))

const defaultIn = (schema: Schema) => [...partsOf(schema)].find((part) => part.default !== undefined)?.default

function requestDefaults({ fields, sentAs }: ServiceResource, request: ResourceOperation['request'], sent: Json): Json {
  if (request === undefined || !hasDefaults(request)) return {}
  // The first default of a property counts.
  const parts = [...fittingParts(schemaAt(request.schema.schema, request.envelope), sent)].reverse()
  const entries = parts
    .flatMap(({ properties = {} }) => Object.entries(properties))
    .flatMap(([name, schema]) => {
      const value = defaultIn(schema)
      const field = value === undefined ? undefined : fields.find(({ property }) => property === (sentAs[name] ?? name))
      return field && isValid(field.schema, value) ? [[field.property, value]] : []
    })
  return Object.fromEntries(entries)
}

function without(record: Json, property: string): Json {
  const { [property]: _, ...rest } = record
  return rest
}
