/**
 * A document without descriptions, examples and response headers: only what routing and validation need. It is a fraction
 * of the size.
 */
export function outline(document: object): object {
  return reduce(document, false) as object
}

const OMITTED = ['info', 'servers', 'tags', 'description', 'summary', 'example', 'examples', 'headers']

/** Below these keywords, keys are names from the document: a category has a property `description`. */
const NAME_MAPS = ['properties', 'schemas']

function reduce(node: unknown, isNameMap: boolean): unknown {
  if (Array.isArray(node)) return node.map((item) => reduce(item, false))
  if (typeof node !== 'object' || node === null) return node
  const kept = Object.entries(node).filter(([key]) => isNameMap || !OMITTED.includes(key))
  return Object.fromEntries(kept.map(([key, value]) => [key, reduce(value, !isNameMap && NAME_MAPS.includes(key))]))
}
