import type { Schema } from '../contract/schema.js'
import { normalize, wordsOf } from './names.js'
import { isNumeric, isObjectSchema, isScalar, propertiesIn } from './schema-facts.js'

/** Words at the end of a parameter or property that say "this is an id": `bookId`, `task_gid`. */
const ID_WORDS = /^(id|ids|gid|uid|uuid|guid|sid|identifier)$/

/** What other documents call an id, most telling first. */
const USUAL = ['uuid', 'gid', 'guid', 'sid', 'uid', 'identifier', 'key', 'name', 'slug', 'code', 'username', 'login']

/** Objects in a record that describe the record itself. In another, an `id` or a `name` is that of something else. */
const ABOUT_RECORD = /^(meta|metadata|attributes|info)$/i

/** `book` for `bookId` and `book_id`; the name itself, normalized, if it does not end like an id. */
export function stemOf(name: string): string {
  const words = wordsOf(name)
  return (words.length > 1 && endsLikeId(name) ? words.slice(0, -1) : words).join('')
}

export function endsLikeId(name: string): boolean {
  return ID_WORDS.test(wordsOf(name).at(-1) ?? '')
}

/** Where a record has the id that a path calls `parameter`, and describes by a schema. */
export function findId(
  parameter: string,
  noun: string,
  record: Schema,
  schema: Schema = {},
): readonly string[] | undefined {
  const found = findNamedId(parameter, noun, record)
  if (found !== undefined) return [found]
  const nested = findNestedId(parameter, record)
  if (nested) return nested
  // A name is not what a path takes as a number.
  const names = isNumeric(schema) ? scalarsOf(record, isNumeric) : scalarsOf(record)
  const usual = firstNamed(names, USUAL)
  return usual === undefined ? undefined : [usual]
}

/** The property that is named like the parameter, or like its last word: `pool_name` is a name, and `pool_uid` is a `uid`. */
export function findNamedId(parameter: string, noun: string, record: Schema): string | undefined {
  const names = scalarsOf(record)
  if (names.includes(parameter)) return parameter
  const suffixes = suffixesOf(parameter)
  const ends = endsLikeId(parameter) ? [...suffixes.slice(-1), 'id', ...suffixes] : [...suffixes, 'id']
  return firstNamed(names, [normalize(parameter), ...ends, `${normalize(noun)}id`])
}

function scalarsOf(record: Schema, isMeant = isScalar): readonly string[] {
  return [...propertiesIn(record)].filter(([, schema]) => isMeant(schema)).map(([name]) => name)
}

/** `pool_name` ends with `name`. */
function suffixesOf(parameter: string): readonly string[] {
  const words = wordsOf(parameter)
  return words.slice(1).map((_, index) => words.slice(index + 1).join(''))
}

function firstNamed(names: readonly string[], candidates: readonly string[]): string | undefined {
  for (const candidate of candidates) {
    const found = names.find((name) => normalize(name) === candidate)
    if (found !== undefined) return found
  }
  return undefined
}

/** In an object with the name of the parameter (`user.id` for `user_id`), or by the very name (`metadata.name`). */
export function findNestedId(parameter: string, record: Schema): readonly string[] | undefined {
  const isTelling = wordsOf(parameter).length > 1
  for (const [outer, schema] of propertiesIn(record)) {
    const isNamed = isTelling && normalize(outer) === stemOf(parameter)
    if (!isObjectSchema(schema) || !(isTelling || ABOUT_RECORD.test(outer))) continue
    const inner = firstNamed(scalarsOf(schema), isNamed ? [normalize(parameter), 'id'] : [normalize(parameter)])
    if (inner !== undefined) return [outer, inner]
  }
  return undefined
}
