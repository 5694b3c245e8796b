import { wordsOf } from '../../document/resources/names.js'
import type { ServiceResource } from '../../engine/resources/service-resource.js'

type Named = Pick<ServiceResource, 'name' | 'noun' | 'additions'>

/** What one of its records is called: `book`, or `stock entry` for an entry of a view. */
export function singularOf({ name, noun, additions }: Named): string {
  return additions.view ? `${toWords(name)} entry` : noun
}

/** What several of its records are called: `books`, or `stock entries`. */
export function pluralOf({ name, additions }: Named): string {
  return additions.view ? `${toWords(name)} entries` : toWords(name)
}

/** A number of records, such as `1 book` or `10,000 books`. */
export function countOf(resource: Named, count: number): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? singularOf(resource) : pluralOf(resource)}`
}

/** `books`, `books and loans`, `authors, books and loans` */
export function joinWords(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}

/** `blog posts` for `blogPosts`. */
export function toWords(name: string): string {
  return wordsOf(name).join(' ')
}
