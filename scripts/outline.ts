/**
 * A document without descriptions, examples and most response headers: only what routing, validation and the handlers need.
 * It is a fraction of the size.
 */
export function outline(document: object): object {
  return shareResponses(reduce(document, false) as Document)
}

interface Document {
  readonly components: { readonly responses: Readonly<Record<string, object>> }
}

/** The response headers that a handler sends if the document declares them. */
const HANDLED_HEADERS = ['X-Total-Count', 'Link']

const OMITTED = [
  ...['info', 'servers', 'tags', 'security', 'description', 'summary', 'example', 'examples'],
  // Parameters are read in the default style.
  ...['style', 'explode'],
]

/** Below these keywords, keys are names from the document: a category has a property `description`. */
const NAME_MAPS = ['properties', 'schemas']

function reduce(node: unknown, isNameMap: boolean): unknown {
  if (Array.isArray(node)) return node.map((item) => reduce(item, false))
  if (typeof node !== 'object' || node === null) return node
  const members = Object.entries(node).flatMap(([key, value]): [string, unknown][] => {
    if (isNameMap) return [[key, reduce(value, false)]]
    if (key === 'headers') return handledHeaders(value)
    return OMITTED.includes(key) ? [] : [[key, reduce(value, NAME_MAPS.includes(key))]]
  })
  return Object.fromEntries(members)
}

/** Only the names, and none at all in most responses. */
function handledHeaders(headers: object): [string, unknown][] {
  const names = HANDLED_HEADERS.filter((name) => name in headers)
  return names.length === 0 ? [] : [['headers', Object.fromEntries(names.map((name) => [name, {}]))]]
}

const RESPONSES = '#/components/responses/'

/** Without examples, most error responses are equal: the first of them replaces the others. */
function shareResponses(document: Document): object {
  const { components } = document
  const textOf = (name: string) => JSON.stringify(components.responses[name])
  /** The first name of each response, by its text. */
  const names = new Map(
    Object.keys(components.responses)
      .toReversed()
      .map((name) => [textOf(name), name]),
  )
  const responses = Object.fromEntries(Array.from(names, ([text, name]) => [name, JSON.parse(text)]))
  const shorter = JSON.stringify({ ...document, components: { ...components, responses } })
  return JSON.parse(shorter, (key, value) =>
    key === '$ref' && value.startsWith(RESPONSES)
      ? RESPONSES + names.get(textOf(value.slice(RESPONSES.length)))
      : value,
  )
}
