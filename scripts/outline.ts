/**
 * A document without its prose, examples and answer headers: what is left says where a path leads, what an operation
 * takes and what it answers. Carried in place of the whole, which is several times as heavy.
 */
export function outline(document: object): object {
  return reduce(document, false) as object
}

const LEFT_OUT = ['info', 'servers', 'tags', 'description', 'summary', 'example', 'examples', 'headers']

/** Under these the keys are names of the document's own: a category has a property `description`. */
const NAMING = ['properties', 'schemas']

function reduce(node: unknown, isNaming: boolean): unknown {
  if (Array.isArray(node)) return node.map((item) => reduce(item, false))
  if (typeof node !== 'object' || node === null) return node
  const kept = Object.entries(node).filter(([key]) => isNaming || !LEFT_OUT.includes(key))
  return Object.fromEntries(kept.map(([key, value]) => [key, reduce(value, !isNaming && NAMING.includes(key))]))
}
