import { type Path, ROOT } from '../../lib/json-pointer.js'
import { DATA, NAME_MAPS } from './keywords.js'

/** An object or a list somewhere in a document. */
export interface DocumentPlace {
  readonly value: Readonly<Record<string, unknown>> | readonly unknown[]
  /** The keys that lead to it. */
  readonly path: Path
  /** Whether its keys are names that the document chose. */
  readonly isNames: boolean
  readonly depth: number
}

/**
 * The objects and lists of a document, without those in examples and other data, where nothing is a reference. Each value
 * once, unless `again` is set.
 */
export function* walk(root: object, { again = false, withData = false } = {}): Generator<DocumentPlace> {
  const seen = new Set<object>()
  const start: DocumentPlace = { value: root as DocumentPlace['value'], path: ROOT, isNames: false, depth: 0 }
  // Not recursive: a document may be nested deeper than the stack.
  const waiting: DocumentPlace[] = [start]
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    if (!again && seen.has(place.value)) continue
    if (!again) seen.add(place.value)
    yield place
    const { value, path, isNames, depth } = place
    const isList = Array.isArray(value)
    for (const key of Object.keys(value).reverse()) {
      const child: unknown = value[key as keyof typeof value]
      if (typeof child !== 'object' || child === null) continue
      const holdsNames = !isList && !isNames && NAME_MAPS.has(key)
      const isData = !isList && !isNames && (DATA.has(key) || (key === 'examples' && Array.isArray(child)))
      if (isData && !withData) continue
      waiting.push({
        value: child as DocumentPlace['value'],
        path: { key, parent: path },
        isNames: holdsNames,
        depth: depth + 1,
      })
    }
  }
}
