import { escapeToken } from '../../lib/json-pointer.js'
import type { Json } from '../../lib/values.js'
import { ANNOTATION, SHAPES, WITH_NAMED_SCHEMAS, WITH_SCHEMA, WITH_SCHEMAS } from '../schema/keywords.js'
import { decodeToken } from '../schema/pointer.js'
import type { Schema } from '../schema/schema.js'
import { tidyDocument } from '../schema/tidy-document.js'
import type { SchemaPlace } from './resource.js'

/** An object in the document, and its JSON pointer. */
export interface Node {
  readonly pointer: string
  readonly value: Json
}

/** Walks through a document and follows its references. Whatever refers to the same place gets the same object. */
export interface DocumentReader {
  readonly root: Node
  /** The object below these keys, wherever references lead. Missing if there is none, or if it is in another document. */
  find(node: Node, ...keys: readonly string[]): Node | undefined
  /** The objects of a map or a list, by key. */
  children(node: Node | undefined): ReadonlyMap<string, Node>
  /** The schema below a key, with its references resolved. */
  schema(node: Node, key: string): SchemaPlace | undefined
  /** Where the document has a schema that is part of a resolved one. */
  place(schema: Schema): SchemaPlace
}

const KEYWORDS: ReadonlyMap<string, 'one' | 'list' | 'map'> = new Map([
  ...WITH_SCHEMA.map((key) => [key, 'one'] as const),
  ...WITH_SCHEMAS.map((key) => [key, 'list'] as const),
  ...WITH_NAMED_SCHEMAS.map((key) => [key, 'map'] as const),
])

export function createDocumentReader(document: object): DocumentReader {
  const root: Node = { pointer: '#', value: tidyDocument(document).document as Json }
  const known = new Map<string, Node | undefined>()
  const schemas = new Map<object, Schema>()
  const pointers = new Map<object, string>()
  const unfilled: { readonly node: Node; readonly schema: Record<string, unknown> }[] = []

  function lookUp(reference: string): Node | undefined {
    if (!known.has(reference)) known.set(reference, isLocal(reference) ? walk(reference) : undefined)
    return known.get(reference)
  }

  function walk(reference: string): Node | undefined {
    const keys = reference.split('/').slice(1).map(decodeToken)
    return keys.reduce<Node | undefined>((node, key) => node && childOf(node, key), root)
  }

  function follow(node: Node | undefined): Node | undefined {
    let passed: Set<object> | undefined
    let current = node
    while (current && typeof current.value.$ref === 'string') {
      passed ??= new Set()
      if (passed.has(current.value)) return undefined
      passed.add(current.value)
      current = lookUp(current.value.$ref)
    }
    return current
  }

  function find(node: Node, ...keys: readonly string[]): Node | undefined {
    return keys.reduce((found, key) => found && follow(childOf(found, key)), follow(node))
  }

  /** The object for a schema. It is filled later: a schema may contain itself. */
  function reserve(node: Node): Schema {
    const reserved = schemas.get(node.value)
    if (reserved) return reserved
    const { $ref } = node.value
    const target = typeof $ref === 'string' ? follow(node) && lookUp($ref) : undefined
    if (target && Object.keys(node.value).every((key) => ANNOTATION.test(key))) return reserve(target)
    const schema: Record<string, unknown> = target ? { allOf: [reserve(target)] } : {}
    schemas.set(node.value, schema)
    pointers.set(schema, node.pointer)
    unfilled.push({ node, schema })
    return schema
  }

  function fill({ pointer, value: source }: Node, schema: Record<string, unknown>): void {
    for (const [key, value] of Object.entries(source)) {
      const kind = isObject(value) ? KEYWORDS.get(key) : undefined
      const child = { pointer: kind ? join(pointer, key) : pointer, value: value as Json }
      if (kind === 'one') schema[key] = reserve(child)
      else if (kind === 'map') schema[key] = Object.fromEntries(reserveAll(child))
      else if (kind === 'list')
        schema[key] = [...((schema[key] ?? []) as unknown[]), ...reserveAll(child).map(([, part]) => part)]
      else if (key !== '$ref') schema[key] = value
    }
    const { discriminator, oneOf } = source
    if (isObject(discriminator) && Array.isArray(oneOf))
      schema.discriminator = { ...discriminator, references: oneOf.map((branch) => branch?.$ref) }
    describeByExample(schema, schema.example)
  }

  /** In OpenAPI 3.1, `true` is a schema as well. */
  function reserveAll(node: Node): (readonly [string, unknown])[] {
    return Object.entries(node.value).map(([key, value]) => {
      const child = childOf(node, key)
      return [key, child ? reserve(child) : value]
    })
  }

  function place(schema: Schema): SchemaPlace {
    return { pointer: pointers.get(schema) ?? '#', schema }
  }

  function children(node: Node | undefined): ReadonlyMap<string, Node> {
    const found = node && follow(node)
    const keys = Object.keys(found?.value ?? {})
    return new Map(
      keys.flatMap((key) => {
        const child = found && find(found, key)
        return child ? [[key, child] as const] : []
      }),
    )
  }

  /** The first example beside a schema: of a body, or of a parameter. */
  function exampleOf(node: Node): unknown {
    const [first] = children(find(node, 'examples')).values()
    return node.value.example ?? first?.value.value
  }

  return {
    root,
    find,
    place,
    children,
    schema(node, key) {
      const child = childOf(node, key)
      if (!child) return undefined
      const schema = reserve(child)
      for (let next = unfilled.pop(); next; next = unfilled.pop()) fill(next.node, next.schema)
      // Several operations may refer to the same schema and have other examples.
      if (pointers.get(schema) === child.pointer) describeByExample(schema as Record<string, unknown>, exampleOf(node))
      return place(schema)
    },
  }
}

/** Gives the properties of an example to an object for which nothing else describes them. Others are possible, too. */
function describeByExample(schema: Record<string, unknown>, example: unknown): void {
  const { type } = schema
  if (example === undefined || SHAPES.some((key) => key in schema)) return
  if (type === 'array' && Array.isArray(example)) Object.assign(schema, schemaOfExample(example))
  if (type !== undefined && type !== 'object') return
  if (isObject(example) && !Array.isArray(example))
    Object.assign(schema, { properties: propertiesOfExample(example), additionalProperties: true })
}

function propertiesOfExample(example: Json): Json {
  return Object.fromEntries(Object.entries(example).map(([name, value]) => [name, schemaOfExample(value)]))
}

function schemaOfExample(example: unknown): Json {
  if (example === null) return {}
  if (Array.isArray(example)) return { type: 'array', items: example.length > 0 ? schemaOfExample(example[0]) : {} }
  if (isObject(example)) return { type: 'object', properties: propertiesOfExample(example) }
  const type = Number.isInteger(example) ? 'integer' : typeof example
  return { type, example }
}

function childOf({ pointer, value }: Node, key: string): Node | undefined {
  const child = Object.hasOwn(value, key) ? value[key] : undefined
  return isObject(child) ? { pointer: join(pointer, key), value: child } : undefined
}

function join(pointer: string, key: string): string {
  return `${pointer}/${escapeToken(key)}`
}

const isLocal = (reference: string) => reference === '#' || reference.startsWith('#/')

/** Lists as well: their keys are the indexes. */
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null
