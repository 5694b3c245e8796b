import { areSimilar, propertiesIn } from '../schema/facts.js'
import type { Schema } from '../schema/schema.js'
import { IDENTITY, ME, PEOPLE } from '../words/people.js'
import { parameterOf } from './envelopes.js'
import { normalize } from './names.js'
import type { Resource } from './resource.js'

/** Whether a path leads to the one who sends the request: `/me`, `/users/@me`, `/user`. */
export function isMePath(segments: readonly string[]): boolean {
  const last = normalize(segments.at(-1) ?? '')
  return segments.every((each) => parameterOf(each) === undefined) && (ME.test(last) || PEOPLE.includes(last))
}

type Described = Pick<Resource, 'noun' | 'isSingle' | 'path' | 'itemPath' | 'record'>

/** Whether a schema has what people are known by. */
export const hasIdentity = (schema: Schema) =>
  [...propertiesIn(schema).keys()].some((name) => IDENTITY.test(normalize(name)) && normalize(name) !== 'id')

const rankOf = ({ noun }: Described) => PEOPLE.indexOf(normalize(noun.split(' ').at(-1) ?? ''))

/** Whether it is a collection of people who may send requests. */
export function isPerson(resource: Described): boolean {
  const { isSingle, path, record } = resource
  return !isSingle && rankOf(resource) >= 0 && !path.includes('{') && hasIdentity(record.schema)
}

/** The collections of people, the most telling first, and those with paths of their own before lists of them. */
export function findPeople<R extends Described>(all: readonly R[]): R[] {
  return all.filter(isPerson).sort((a, b) => rankOf(a) - rankOf(b) || Number(!a.itemPath) - Number(!b.itemPath))
}

/** The people who sign in, and whose tokens requests have. */
export function findUsers<R extends Described & Pick<Resource, 'isPeople'>>(all: readonly R[]): R | undefined {
  const people = all.filter(({ isPeople }) => isPeople)
  return findPeople(people)[0] ?? people[0]
}

/** The collection that the one at such a path belongs to. */
export function findOwnCollection<R extends Described>(all: readonly R[], record: Schema): R | undefined {
  return findPeople(all).find((each) => areSimilar(each.record.schema, record))
}
