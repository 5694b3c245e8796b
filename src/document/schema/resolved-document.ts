import type { Document } from 'openapi-backend'
import { oncePer } from '../../lib/functions.js'
import { type Path, ROOT, toPointer } from '../../lib/json-pointer.js'
import { type Json, setMember } from '../../lib/values.js'
import { isContainer } from './facts.js'
import { BESIDE_REFERENCE, DATA, NAME_MAPS, OF_PROPERTY } from './keywords.js'
import { decodeToken, resolvePointer } from './pointer.js'
import type { Schema, SchemaPlace } from './schema.js'
import { tidyDocument } from './tidy-document.js'
import { toJsonSchema } from './to-json-schema.js'

/** One graph of objects: whatever refers to a place in the document has the same object. */
export interface ResolvedDocument {
  readonly definition: Document
  /** The objects that references lead to, each with the first reference to it. Every cycle has one of them. */
  readonly referenced: ReadonlyMap<object, string>
  /** Where the document has a schema. */
  place(schema: Schema): SchemaPlace
  /** Whether the document has a schema right in another of its objects, not by a reference. */
  isInside(schema: Schema, holder: object): boolean
}

/**
 * Resolves the references of an OpenAPI document, and turns its schemas into JSON Schema, once. All references to an object
 * give the same object, so that a schema that contains itself is a cycle.
 */
export const resolveDocument = oncePer((source: object) => resolve(source, false))

/** The same, in which each reference has a copy: openapi-backend's validator turns an object that occurs twice into a reference. */
export const copyDocument = (source: object): Document => resolve(source, true).definition

function resolve(given: object, copies: boolean): ResolvedDocument {
  const source = tidyDocument(given).document
  const known = new Map<object, Record<string, unknown>>()
  const places = new Map<object, Path>()
  const referenced = new Map<object, string>()
  /** Not recursive: the references of a large document can lead deeper than the stack. */
  const unfinished: (() => void)[] = []
  /** What stands beside references, when all else is known. */
  const beside: (() => void)[] = []
  // In OpenAPI 3.0, what stands beside a reference is ignored, unless it is about the property that refers.
  const allowsSiblings = !String((source as Json).openapi).startsWith('3.0')

  function prepare(node: unknown, path: Path, isNames = false): unknown {
    if (typeof node !== 'object' || node === null) return node
    if (Array.isArray(node)) return node.map((item, index) => prepare(item, { key: String(index), parent: path }))
    if (!isNames && typeof (node as Json).$ref === 'string') return prepareReference(node as Json, path)
    return (copies ? undefined : known.get(node)) ?? fill(add(node, path), node as Json, path, isNames)
  }

  /** An object for one of the document, to be filled. */
  function add(node: object, path: Path): Record<string, unknown> {
    const prepared: Record<string, unknown> = {}
    known.set(node, prepared)
    places.set(prepared, path)
    return prepared
  }

  const keep = (data: unknown) => (copies ? structuredClone(data) : data)

  function fill(prepared: Record<string, unknown>, node: Json, path: Path, isNames: boolean): unknown {
    for (const [key, value] of Object.entries(isNames ? node : toJsonSchema(node))) {
      const isData = !isNames && (DATA.has(key) || (key === 'examples' && Array.isArray(value)))
      const inside = { key, parent: path }
      setMember(prepared, key, isData ? keep(value) : prepare(value, inside, !isNames && NAME_MAPS.has(key)))
    }
    const { discriminator, oneOf } = prepared
    if (!isNames && typeof discriminator === 'object' && discriminator !== null && Array.isArray(node.oneOf) && oneOf)
      prepared.discriminator = { ...discriminator, references: node.oneOf.map((branch) => branch?.$ref) }
    return prepared
  }

  function prepareReference({ $ref, ...siblings }: Json, path: Path): unknown {
    const target = prepareTarget($ref as string)
    const own = Object.keys(siblings).filter((key) =>
      allowsSiblings ? !BESIDE_REFERENCE.test(key) : OF_PROPERTY.includes(key),
    )
    if (own.length === 0 || typeof target !== 'object' || target === null) return target
    if (allowsSiblings) {
      const prepared = prepare(siblings, path) as Record<string, unknown>
      const parts = prepare(siblings.allOf ?? [], { key: 'allOf', parent: path }) as unknown[]
      return withPlace({ ...prepared, allOf: [target, ...parts] }, path)
    }
    const prepared: Record<string, unknown> = {}
    beside.push(() => {
      Object.assign(prepared, isContainer(target) ? { allOf: [target] } : target)
      for (const key of own) prepared[key] = siblings[key]
    })
    return withPlace(prepared, path)
  }

  function withPlace<T extends object>(prepared: T, path: Path): T {
    places.set(prepared, path)
    return prepared
  }

  function prepareTarget(reference: string): unknown {
    const [target, path] = findTarget(source, reference)
    if (copies || typeof target !== 'object' || target === null || Array.isArray(target)) return prepare(target, path)
    const isNew = !known.has(target)
    const prepared = known.get(target) ?? add(target, path)
    if (!referenced.has(prepared)) referenced.set(prepared, reference)
    if (isNew) unfinished.push(() => fill(prepared, target as Json, path, false))
    return prepared
  }

  const definition = prepare(source, ROOT) as Document
  for (let next = unfinished.pop(); next !== undefined; next = unfinished.pop()) next()
  for (const finish of beside) finish()
  return {
    definition,
    referenced,
    place: (schema) => ({ pointer: `#${toPointer(places.get(schema) ?? ROOT)}`, schema }),
    isInside: (schema, holder) => places.has(holder) && places.get(schema)?.parent === places.get(holder),
  }
}

/** Follows references to references. */
function findTarget(source: object, reference: string): readonly [target: unknown, path: Path] {
  const passed = new Set<string>()
  let next = reference
  for (;;) {
    const target = resolvePointer(source, next)
    if (target === undefined || passed.has(next)) {
      throw new Error(`The OpenAPI document has no ${next}, which it refers to.`)
    }
    const further = (target as Json | null)?.$ref
    if (typeof further !== 'string') return [target, pathOf(next)]
    passed.add(next)
    next = further
  }
}

function pathOf(reference: string): Path {
  const keys = reference.split('/').slice(1).map(decodeToken)
  return keys.reduce<Path>((parent, key) => ({ key, parent }), ROOT)
}
