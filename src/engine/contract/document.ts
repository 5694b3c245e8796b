import type { Document } from 'openapi-backend'

type Json = Readonly<Record<string, unknown>>

/**
 * Prepares an OpenAPI document for routing and validation: resolves references, and marks every int64 with a custom keyword,
 * because Ajv's `integer` works on doubles and would confuse neighbouring large ids. With `copies`, each reference gets a
 * copy: openapi-backend's validator turns an object that occurs twice into a reference.
 */
export function prepareDocument(source: object, { copies = false } = {}): Document {
  const known = new Map<string, unknown>()
  const prepare = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(prepare)
    if (typeof node !== 'object' || node === null) return node
    const { $ref, type, format, ...rest } = node as Json
    if (typeof $ref === 'string') {
      if (copies || !known.has($ref)) known.set($ref, prepare(lookUp(source as Json, $ref)))
      return known.get($ref)
    }
    const marked = type === 'integer' && format === 'int64' ? { ...rest, int64: true } : (node as Json)
    return Object.fromEntries(Object.entries(marked).map(([key, value]) => [key, prepare(value)]))
  }
  return prepare(source) as Document
}

/** Our documents refer only to their own components, whose names need no unescaping. */
function lookUp(source: Json, reference: string): unknown {
  const found = reference
    .split('/')
    .slice(1)
    .reduce<unknown>((node, key) => (node as Json | undefined)?.[key], source)
  if (found === undefined) throw new Error(`The OpenAPI document has no ${reference}, which it refers to.`)
  return found
}
