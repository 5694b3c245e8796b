import type { Document } from 'openapi-backend'
import { type Json, setMember } from '../../lib/values.js'
import { BESIDE_REFERENCE, DATA, NAME_MAPS } from './keywords.js'
import { resolvePointer } from './pointer.js'
import { tidyDocument } from './tidy-document.js'
import { toJsonSchema } from './to-json-schema.js'

export interface ResolvedDocument {
  readonly definition: Document
  /** The objects that references lead to, each with the first reference to it. Every cycle has one of them. */
  readonly referenced: ReadonlyMap<object, string>
}

/** Prepares an OpenAPI document for routing and validation: see `resolveDocument`. */
export function prepareDocument(source: object, options?: { copies?: boolean }): Document {
  return resolveDocument(source, options).definition
}

/**
 * Resolves the references of an OpenAPI document, and turns its schemas into JSON Schema. All references to an object give
 * the same object, so that a schema that contains itself is a cycle. With `copies`, each reference gets a copy, which only
 * documents without cycles can have: openapi-backend's validator turns an object that occurs twice into a reference.
 */
export function resolveDocument(given: object, { copies = false } = {}): ResolvedDocument {
  const source = tidyDocument(given).document
  const known = new Map<object, Record<string, unknown>>()
  const referenced = new Map<object, string>()
  /** Not recursive: the references of a large document can lead deeper than the stack. */
  const unfinished: (() => void)[] = []
  // In OpenAPI 3.0, what stands beside a reference is ignored.
  const allowsSiblings = !String((source as Json).openapi).startsWith('3.0')

  function prepare(node: unknown, isNames = false): unknown {
    if (typeof node !== 'object' || node === null) return node
    if (Array.isArray(node)) return node.map((item) => prepare(item))
    if (!isNames && typeof (node as Json).$ref === 'string') return prepareReference(node as Json)
    const done = copies ? undefined : known.get(node)
    if (done !== undefined) return done
    const prepared: Record<string, unknown> = {}
    known.set(node, prepared)
    fill(prepared, node as Json, isNames)
    return prepared
  }

  const keep = (data: unknown) => (copies ? structuredClone(data) : data)

  function fill(prepared: Record<string, unknown>, node: Json, isNames: boolean): void {
    for (const [key, value] of Object.entries(isNames ? node : toJsonSchema(node))) {
      const isData = !isNames && (DATA.has(key) || (key === 'examples' && Array.isArray(value)))
      setMember(prepared, key, isData ? keep(value) : prepare(value, !isNames && NAME_MAPS.has(key)))
    }
  }

  function prepareReference({ $ref, ...siblings }: Json): unknown {
    const target = prepareTarget($ref as string)
    const isChanged = allowsSiblings && Object.keys(siblings).some((key) => !BESIDE_REFERENCE.includes(key))
    return isChanged
      ? { ...(prepare(siblings) as object), allOf: [target, ...(prepare(siblings.allOf ?? []) as unknown[])] }
      : target
  }

  function prepareTarget(reference: string): unknown {
    const target = findTarget(source, reference)
    if (copies || typeof target !== 'object' || target === null || Array.isArray(target)) return prepare(target)
    const prepared = known.get(target) ?? {}
    if (!referenced.has(prepared)) referenced.set(prepared, reference)
    if (known.has(target)) return prepared
    known.set(target, prepared)
    unfinished.push(() => fill(prepared, target as Json, false))
    return prepared
  }

  const definition = prepare(source) as Document
  for (let next = unfinished.pop(); next !== undefined; next = unfinished.pop()) next()
  return { definition, referenced }
}

/** Follows references to references. */
function findTarget(source: object, reference: string): unknown {
  const passed = new Set<string>()
  let next = reference
  for (;;) {
    const target = resolvePointer(source, next)
    if (target === undefined || passed.has(next)) {
      throw new Error(`The OpenAPI document has no ${next}, which it refers to.`)
    }
    const further = (target as Json | null)?.$ref
    if (typeof further !== 'string') return target
    passed.add(next)
    next = further
  }
}
