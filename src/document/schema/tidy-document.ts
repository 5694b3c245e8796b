import { DOCUMENT_METHODS } from '../../http/methods.js'
import { type Path, ROOT, toPointer } from '../../lib/json-pointer.js'
import { parseDateTime } from '../../lib/time.js'
import { isObject, type Json, setMember } from '../../lib/values.js'
import { WITH_NAMED_SCHEMAS, WITH_SCHEMA, WITH_SCHEMAS } from './keywords.js'
import { resolvePointer } from './pointer.js'

type Kind = readonly [expected: string, isRight: (value: unknown) => boolean]

const isText = (value: unknown) => typeof value === 'string'
const isFlag = (value: unknown) => typeof value === 'boolean'
const isNumber = (value: unknown) => Number.isFinite(value)
const areTexts = (value: unknown) => Array.isArray(value) && value.every(isText)
const isFilled = (value: unknown) => Array.isArray(value) && value.length > 0

const text: Kind = ['a string', isText]
const flag: Kind = ['true or false', isFlag]
const day: Kind = [
  'a date such as 2030-12-05',
  (value) => isText(value) && parseDateTime(`${value}T00:00:00Z`) !== undefined,
]
const number: Kind = ['a number', isNumber]
const bound: Kind = ['a number', (value) => isNumber(value) || isFlag(value)]
const factor: Kind = ['a number above 0', (value) => isNumber(value) && Number(value) > 0]
const count: Kind = ['an integer of 0 or more', (value) => Number.isInteger(value) && Number(value) >= 0]
const values: Kind = ['a list of values', isFilled]
const texts: Kind = ['a list of strings', areTexts]
const TYPES: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean', 'array', 'object', 'null'])
const types: Kind = [
  `${[...TYPES].slice(0, -1).join(', ')} or null, or a list of them`,
  (value) => TYPES.has(value) || (Array.isArray(value) && value.length > 0 && value.every((each) => TYPES.has(each))),
]
const lists: Kind = [
  'an object with lists of strings',
  (value) => isObject(value) && Object.values(value).every(areTexts),
]

type Shape =
  | ('document' | 'server' | 'components' | 'path' | 'operation' | 'parameter' | 'body' | 'response' | 'header')
  | ('media' | 'encoding' | 'scheme' | 'schema' | 'any')

/** An object, or a map or a list of them. One of another form makes the document unusable if it `must` have this one. */
type Structure = readonly [form: 'one' | 'map' | 'list', shape: Shape, must?: 'must']

type Member = Kind | Structure

/** The objects of a document that the mock reads. What else is in them stays as it is. */
const SHAPES: Readonly<Record<Shape, Readonly<Record<string, Member>>>> = {
  document: {
    info: ['one', 'any', 'must'],
    paths: ['map', 'path', 'must'],
    components: ['one', 'components', 'must'],
    security: ['list', 'any'],
    servers: ['list', 'server'],
  },
  server: { url: text, variables: ['map', 'any'] },
  components: {
    schemas: ['map', 'schema', 'must'],
    parameters: ['map', 'parameter', 'must'],
    responses: ['map', 'response', 'must'],
    requestBodies: ['map', 'body', 'must'],
    headers: ['map', 'header', 'must'],
    securitySchemes: ['map', 'scheme', 'must'],
  },
  path: {
    parameters: ['list', 'parameter', 'must'],
    ...members(DOCUMENT_METHODS.join(' '), ['one', 'operation', 'must']),
  },
  operation: {
    parameters: ['list', 'parameter', 'must'],
    requestBody: ['one', 'body', 'must'],
    responses: ['map', 'response', 'must'],
    security: ['list', 'any'],
    deprecated: flag,
    ...members('operationId x-stability', text),
    ...members('x-deprecated-since x-deprecated-sunset', day),
  },
  parameter: {
    schema: ['one', 'schema', 'must'],
    content: ['map', 'media', 'must'],
    examples: ['map', 'any'],
    style: text,
    ...members('required explode allowEmptyValue', flag),
  },
  body: { content: ['map', 'media', 'must'], required: flag },
  response: { content: ['map', 'media', 'must'], headers: ['map', 'header', 'must'] },
  header: { schema: ['one', 'schema', 'must'], content: ['map', 'media', 'must'], examples: ['map', 'any'] },
  media: { schema: ['one', 'schema', 'must'], examples: ['map', 'any'], encoding: ['map', 'encoding'] },
  encoding: { style: text, explode: flag },
  scheme: members('type in name scheme', text),
  schema: {
    ...members(WITH_SCHEMA.join(' '), ['one', 'schema', 'must']),
    ...members('unevaluatedItems unevaluatedProperties', ['one', 'schema']),
    ...members(WITH_NAMED_SCHEMAS.join(' '), ['map', 'schema', 'must']),
    ...members(WITH_SCHEMAS.join(' '), ['list', 'schema', 'must']),
    ...members('format pattern contentMediaType x-in-words', text),
    ...members('nullable readOnly writeOnly uniqueItems', flag),
    ...members('minLength maxLength minItems maxItems minProperties maxProperties minContains maxContains', count),
    ...members('minimum maximum', number),
    ...members('exclusiveMinimum exclusiveMaximum', bound),
    multipleOf: factor,
    type: types,
    enum: values,
    required: texts,
    dependentRequired: lists,
  },
  any: {},
}

const MEMBERS = new Map(
  Object.entries(SHAPES).map(([shape, inside]): [string, ReadonlyMap<string, Member>] => [
    shape,
    new Map(Object.entries(inside)),
  ]),
)

function members(names: string, member: Member): Record<string, Member> {
  return Object.fromEntries(names.split(' ').map((name) => [name, member]))
}

const PLACES: ReadonlySet<unknown> = new Set(['path', 'query', 'header', 'cookie'])
const PLACED = `in one of ${[...PLACES].join(', ')}`

/** Of references that lead to each other. */
const MAX_STEPS = 100

export interface TidyDocument {
  readonly document: object
  /** What makes the document unusable, each a sentence that starts with a JSON pointer. */
  readonly problems: readonly string[]
  /** What was left out, in the same way. */
  readonly ignored: readonly string[]
}

const known = new WeakMap<object, TidyDocument>()

/**
 * The document without what is empty, such as `properties:` with nothing below it, and without what is of another kind than
 * the mock reads: a mistake must not make an operation unusable. Examples and other values stay as they are.
 */
export function tidyDocument(source: object): TidyDocument {
  const tidy = known.get(source) ?? makeTidy(source)
  known.set(source, tidy)
  return tidy
}

function makeTidy(source: object): TidyDocument {
  const problems: string[] = []
  const ignored: string[] = []
  const changes: Changes = new Map()
  const seen = new Map<object, Set<Shape>>()
  const waiting: Visit[] = [{ value: source as Json, path: ROOT, shape: 'document' }]

  function change(holder: object, key: string, value: unknown): void {
    changes.set(holder, (changes.get(holder) ?? new Map()).set(key, value))
  }

  function leaveOut(holder: object, path: Path, expected: string, must?: 'must'): void {
    change(holder, path.key, undefined)
    if (must) problems.push(`${toPointer(path)} must be ${expected}.`)
    else ignored.push(`${toPointer(path)} is ignored: it must be ${expected}.`)
  }

  function visitAll(holder: object, path: Path, [form, shape, must]: Structure): void {
    for (const [key, value] of Object.entries(holder)) {
      const inside = { key, parent: path }
      if (shape === 'parameter' && form === 'list' && !isPlaced(value)) leaveOut(holder, inside, PLACED)
      else if (isOf(shape, value)) visit(value, inside, shape)
      // A name with nothing below it is still a name.
      else if (value === null) change(holder, key, form === 'list' ? undefined : {})
      else if (form === 'map' && key.startsWith('x-')) change(holder, key, undefined)
      else leaveOut(holder, inside, 'an object', must)
    }
  }

  /** Whether a parameter is in one of the places that a request has. What is no parameter at all is another mistake. */
  function isPlaced(parameter: unknown): boolean {
    let target = parameter
    for (let step = 0; step < MAX_STEPS && isObject(target) && isText(target.$ref); step++) {
      target = resolvePointer(source, String(target.$ref))
    }
    return !isObject(target) || !isText(target.in) || PLACES.has(target.in)
  }

  function visitMember(holder: object, path: Path, value: unknown, member: Member): void {
    if (isKind(member)) {
      const [expected, isRight] = member
      if (isRight(value)) return
      // Of a list, what is right is kept.
      const some = Array.isArray(value) ? value.filter((each) => isRight([each])) : []
      if (some.length > 0) change(holder, path.key, some)
      else leaveOut(holder, path, expected)
      return
    }
    const [form, shape, must] = member
    // No part at all says nothing.
    if (shape === 'schema' && Array.isArray(value) && value.every((part) => part === null)) {
      change(holder, path.key, undefined)
      return
    }
    const isRight = form === 'one' ? isOf(shape, value) : form === 'list' ? Array.isArray(value) : isObject(value)
    if (!isRight) leaveOut(holder, path, form === 'list' ? 'a list' : 'an object', must)
    else if (form === 'one') visit(value, path, shape)
    else visitAll(value as object, path, member)
  }

  function visit(value: unknown, path: Path, shape: Shape): void {
    if (isObject(value)) waiting.push({ value, path, shape })
  }

  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { value, path, shape } = next
    const shapes = seen.get(value) ?? new Set()
    if (shapes.has(shape)) continue
    seen.set(value, shapes.add(shape))
    const { $ref } = value
    if (typeof $ref === 'string') visit(resolvePointer(source, $ref), path, shape)
    else if (shape === 'parameter') {
      for (const key of ['name', 'in']) {
        if (!isText(value[key])) problems.push(`${toPointer({ key, parent: path })} must be a string.`)
      }
    }
    for (const [key, child] of Object.entries(value)) {
      const member = MEMBERS.get(shape)?.get(key)
      if (member === undefined || child === undefined) continue
      if (child === null) change(value, key, undefined)
      else visitMember(value, { key, parent: path }, child, member)
    }
  }
  return { document: applyChanges(source, changes), problems, ignored }
}

/** In OpenAPI 3.1, `true` is a schema as well. */
const isOf = (shape: Shape, value: unknown) => isObject(value) || (shape === 'schema' && isFlag(value))

const isKind = (member: Member): member is Kind => typeof member[1] === 'function'

interface Visit {
  readonly value: Json
  readonly path: Path
  readonly shape: Shape
}

/** By object, and by key. What is undefined is left out. */
type Changes = Map<object, Map<string, unknown>>

/** Copies only what is changed, and what it is in. */
function applyChanges(source: object, changes: Changes): object {
  const done = new Map<object, unknown>()

  function apply(value: unknown): unknown {
    if (typeof value !== 'object' || value === null) return value
    if (!done.has(value)) {
      done.set(value, value)
      done.set(value, applyInside(value))
    }
    return done.get(value)
  }

  function applyInside(holder: object): unknown {
    const own = changes.get(holder)
    let copy: Record<string, unknown> | undefined
    for (const [key, value] of Object.entries(holder)) {
      const changed = own?.has(key) ? own.get(key) : apply(value)
      if (changed === value) continue
      copy ??= (Array.isArray(holder) ? [...holder] : { ...holder }) as Record<string, unknown>
      if (changed === undefined && !Array.isArray(copy)) delete copy[key]
      else setMember(copy, key, changed)
    }
    return Array.isArray(copy) ? copy.filter((item) => item !== undefined) : (copy ?? holder)
  }

  return changes.size === 0 ? source : (apply(source) as object)
}
