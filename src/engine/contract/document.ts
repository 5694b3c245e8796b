import type { Document } from 'openapi-backend'

type Json = Readonly<Record<string, unknown>>

/**
 * Prepares a document for routing and validation: references resolved, and every int64 marked with a keyword of our
 * own, because Ajv's `integer` sees doubles only and would take one id for its neighbour.
 */
export function prepareDocument(source: object): Document {
  const known = new Map<string, unknown>()
  return prepareWith(source, (reference, prepare) => {
    const found = known.get(reference) ?? prepare(lookUp(source as Json, reference))
    known.set(reference, found)
    return found
  })
}

/** The same with a copy for each use: openapi-backend's validator turns an object that it meets twice into a reference. */
export function prepareWithCopies(source: object): Document {
  return prepareWith(source, (reference, prepare) => prepare(lookUp(source as Json, reference)))
}

type Prepare = (node: unknown) => unknown

function prepareWith(source: object, resolve: (reference: string, prepare: Prepare) => unknown): Document {
  const prepare: Prepare = (node) => {
    if (Array.isArray(node)) return node.map(prepare)
    if (typeof node !== 'object' || node === null) return node
    const { $ref, type, format, ...rest } = node as Json
    if (typeof $ref === 'string') return resolve($ref, prepare)
    const marked = type === 'integer' && format === 'int64' ? { ...rest, int64: true } : (node as Json)
    return Object.fromEntries(Object.entries(marked).map(([key, value]) => [key, prepare(value)]))
  }
  return prepare(source) as Document
}

/** References of our documents stay inside them and name components, which need no unescaping. */
function lookUp(source: Json, reference: string): unknown {
  const found = reference
    .split('/')
    .slice(1)
    .reduce<unknown>((node, key) => (node as Json | undefined)?.[key], source)
  if (found === undefined) throw new Error(`the document refers to ${reference}, which it does not have`)
  return found
}
