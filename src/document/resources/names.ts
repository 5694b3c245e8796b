import { DOCUMENT_METHODS } from '../../http/methods.js'
import { oncePerText } from '../../lib/functions.js'
import { ENDS_WITH_ES, INVARIABLE, IRREGULAR } from '../words/nouns.js'

/** The words of a name in any spelling, in lower case: `blogPosts`, `blog-posts` and `blog_posts` have the same. */
export const wordsOf = /* @__PURE__ */ oncePerText((name): readonly string[] => {
  const words = name.match(/\p{Lu}+(?!\p{Ll})\p{N}*|\p{Lu}?\p{Ll}+\p{N}*|\p{L}+|\p{N}+/gu) ?? []
  return words.map((word) => word.toLowerCase())
})

/** The same for all spellings of a name. */
export const normalize = /* @__PURE__ */ oncePerText((name) => wordsOf(name).join(''))

/** The name among others, else one that is another spelling of it: `FriendlyName` for `friendly_name`. */
export function findSpelling(names: readonly string[], name: string): string | undefined {
  return names.includes(name) ? name : names.find((each) => normalize(each) === normalize(name))
}

function singularOf(word: string): string {
  const irregular = Object.hasOwn(IRREGULAR, word) ? IRREGULAR[word] : undefined
  if (irregular !== undefined) return irregular
  if (INVARIABLE.test(word) || word.length < 3) return word
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`
  if (ENDS_WITH_ES.test(word)) return word.slice(0, -2)
  return word.endsWith('s') ? word.slice(0, -1) : word
}

/** What one record of a collection is called: `blog post` for `blog-posts`. */
export function nounOf(collection: string): string {
  const words = wordsOf(collection)
  return [...words.slice(0, -1), singularOf(words.at(-1) ?? 'record')].join(' ')
}

/** What a collection is called: `Blog posts` for `blogPosts`. */
export function titleOf(collection: string): string {
  const text = wordsOf(collection).join(' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function toCamelCase(segments: readonly string[]): string {
  const parts = segments.flatMap((segment) => segment.split(/[^\p{L}\p{N}]+/u)).filter((part) => part !== '')
  const name = parts
    .map((part, index) => (index === 0 ? lowerFirst(part) : part.charAt(0).toUpperCase() + part.slice(1)))
    .join('')
  return /^\p{N}/u.test(name) ? `_${name}` : name || 'root'
}

const lowerFirst = (part: string) =>
  part === part.toUpperCase() ? part.toLowerCase() : part.charAt(0).toLowerCase() + part.slice(1)

/**
 * A unique name for each collection, by the literal segments of its path: the last one, and those before it as far as they
 * are needed. Shorter paths choose first.
 */
export function nameCollections(
  paths: readonly (readonly string[])[],
  others: Iterable<string> = [],
): readonly string[] {
  const names = new Map<readonly string[], string>()
  // Not a name that every object has: `constructor`.
  const taken = new Set([...Object.getOwnPropertyNames(Object.prototype), ...others])
  const numbers = new Map<string, number>()
  for (const segments of [...paths].sort((a, b) => a.length - b.length)) {
    const name =
      candidatesFor(segments).find((candidate) => !taken.has(candidate)) ?? numbered(segments, taken, numbers)
    taken.add(name)
    names.set(segments, name)
  }
  return paths.map((segments) => names.get(segments) ?? '')
}

/** A name for one more collection: `authorsBooks` for `/authors/{authorId}/books` if there are `books`. */
export const nameBeside = (path: string, taken: Iterable<string>): string =>
  nameCollections([path.split('/').slice(1)], taken)[0] as string

function candidatesFor(segments: readonly string[]): readonly string[] {
  const literals = segments.filter((segment) => !segment.includes('{'))
  return literals.length === 0 ? [toCamelCase([])] : literals.map((_, index) => toCamelCase(literals.slice(-1 - index)))
}

function numbered(segments: readonly string[], taken: ReadonlySet<string>, numbers: Map<string, number>): string {
  const name = candidatesFor(segments).at(-1) ?? ''
  let number = numbers.get(name) ?? 2
  while (taken.has(`${name}${number}`)) number++
  numbers.set(name, number)
  return `${name}${number}`
}

type Paths = Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>

/** An operation's `operationId`; without one, its method and path: `GET /books/{bookId}`. */
export function operationNameOf(method: string, path: string, operation: object): string {
  const { operationId } = operation as { operationId?: unknown }
  return typeof operationId === 'string' && operationId !== '' ? operationId : toMethodAndPath(method, path)
}

/**
 * The names of all operations, by method and path (`GET /books/{bookId}`). An `operationId` names only the first operation
 * that has it. `paths` are those of the document, with references to path items resolved.
 */
export function nameOperations(paths: Paths): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  const taken = new Set<string>()
  for (const [path, item] of Object.entries(paths)) {
    for (const method of DOCUMENT_METHODS) {
      const operation = item?.[method]
      if (typeof operation !== 'object' || operation === null) continue
      const key = toMethodAndPath(method, path)
      const name = operationNameOf(method, path, operation)
      names.set(key, taken.has(name) ? key : name)
      taken.add(name)
    }
  }
  return names
}

export function toMethodAndPath(method: string, path: string): string {
  return `${method.toUpperCase()} ${path}`
}
