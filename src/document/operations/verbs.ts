import { normalize, wordsOf } from '../resources/names.js'
import { namesNull, partsOf, propertiesIn, requiredIn, typesOf } from '../schema/facts.js'
import type { Schema } from '../schema/schema.js'
import { TIME } from '../words/times.js'
import { BEFORE_STATE, BESIDE_VERB, PARTICIPLES, STATE, VERBS, type VerbGroup } from '../words/verbs.js'

/** What a verb does to the state of a record: words for states, most telling first. */
interface Effect {
  /** What has happened then. */
  readonly done: readonly string[]
  /** States that the record has then. */
  readonly to: readonly string[]
  /** States that it may have then, if it has none of those. */
  readonly others: readonly string[]
  /** States that end. */
  readonly ends: readonly string[]
  /** Whether it takes back what has happened. */
  readonly isUndo: boolean
}

/** The properties that a verb changes, and their values. `now` stands for the time of the request, null for no time. */
export type StateChange = Readonly<Record<string, unknown>>

/**
 * The change of state that the last part of a path names: `complete`, `mark-as-read`, `closeIssue`. Only what the record has is
 * changed: a word that is no verb names no state of it.
 */
export function readStateChange(text: string, noun: string, record: Schema, isTakenBack = false): StateChange {
  const verb = verbIn(text, noun)
  if (verb === undefined) return {}
  const effect = effectOf(verb, isTakenBack)
  const properties = [...propertiesIn(record)].filter(([, schema]) => [...partsOf(schema)].every((part) => !part.const))
  const required = requiredIn(record)
  const flags = properties.flatMap(([name, schema]) => (isBoolean(schema) ? toFlag(name, effect) : []))
  const times = properties.flatMap(([name, schema]) => toTime(name, schema, effect, required.has(name)))
  return Object.fromEntries([...toStatus(properties, effect), ...flags, ...times])
}

/** The one word that says what is done; undefined if it is done to something else. */
export function verbIn(text: string, noun: string): string | undefined {
  const named = wordsOf(noun)
  const words = wordsOf(text).filter((word) => !BESIDE_VERB.test(word))
  const rest = words.filter((word, index) => index === 0 || !named.includes(word))
  return rest.length === 1 ? rest[0] : undefined
}

/** `isTakenBack` asks for the opposite of the verb. */
function effectOf(verb: string, isTakenBack: boolean): Effect {
  const stem = /^un(?=[a-z]{3})/.test(verb) ? verb.slice(2) : undefined
  const doing = groupsOf(verb, 'verbs')
  const undone = isTakenBack ? verb : doing.length === 0 ? stem : undefined
  const opposed = [
    ...(isTakenBack ? doing : groupsOf(verb, 'undo')),
    ...(undone === undefined || isTakenBack ? [] : groupsOf(undone, 'verbs')),
    ...(isTakenBack ? [] : groupsOf(verb, 'against')),
  ]
  const own = isTakenBack ? [] : [...participlesOf(verb), verb]
  const forward = isTakenBack ? [] : doing
  return {
    done: [...(isTakenBack ? [] : participlesOf(verb)), ...forward.flatMap(({ done }) => done)],
    to: [
      ...own,
      ...forward.flatMap(({ done, states }) => [...done, ...states]),
      ...opposed.flatMap((each) => each.opposites),
    ],
    others: opposed.flatMap(({ back }) => back),
    ends: [
      ...(undone === undefined ? [] : [...participlesOf(undone), undone]),
      ...forward.flatMap(({ opposites }) => opposites),
      ...opposed.flatMap(({ done, states }) => [...done, ...states]),
    ],
    isUndo: undone !== undefined || groupsOf(verb, 'undo').length > 0,
  }
}

const wordsIn = (text = '') => (text === '' ? [] : text.split(' '))

const toGroup = (group: VerbGroup) => ({
  verbs: wordsIn(group.verbs),
  done: wordsIn(group.verbs).flatMap(participlesOf),
  states: wordsIn(group.states),
  opposites: wordsIn(group.opposites),
  undo: wordsIn(group.undo),
  against: wordsIn(group.against),
  back: wordsIn(group.back),
})

/** Made at the first use: pages that read no document load what is made before. */
let groups: readonly ReturnType<typeof toGroup>[] | undefined

function groupsOf(word: string, member: 'verbs' | 'undo' | 'against') {
  groups ??= VERBS.map(toGroup)
  return groups.filter((group) => group[member].includes(word))
}

/** `canceled` and `cancelled`: a verb with one consonant at its end may double it. */
function participlesOf(verb: string): readonly string[] {
  const irregular = Object.hasOwn(PARTICIPLES, verb) ? PARTICIPLES[verb] : undefined
  if (irregular !== undefined) return [irregular]
  const doubled = /[^aeiou][aeiou][bdfglmnprstvz]$/.test(verb) ? [`${verb}${verb.at(-1)}`] : []
  return [verb, ...doubled].map((stem) => {
    if (stem.endsWith('e')) return `${stem}d`
    return /[^aeiou]y$/.test(stem) ? `${stem.slice(0, -1)}ied` : `${stem}ed`
  })
}

type Property = readonly [name: string, schema: Schema]

/** The property with the state, if the verb leads to one of its values. Of several, the one that is called nothing but that. */
function toStatus(properties: readonly Property[], effect: Effect): readonly (readonly [string, unknown])[] {
  const found = properties.flatMap(([name, schema]) => {
    const words = wordsOf(name)
    if (!STATE.test(words.at(-1) ?? '')) return []
    const value = valueFor(
      effect,
      [...partsOf(schema)].flatMap((part) => part.enum ?? []),
    )
    return value === undefined ? [] : [{ name, value, isPlain: words.length === 1 }]
  })
  const plain = found.filter(({ isPlain }) => isPlain)
  const chosen = plain.length > 0 ? plain : found
  return chosen.length === 1 ? chosen.map(({ name, value }) => [name, value]) : []
}

function valueFor({ to, others: last, ends, isUndo }: Effect, listed: readonly unknown[]): unknown {
  const values = [...new Set(listed)].filter((value) => typeof value === 'string')
  const byWord = new Map(values.map((value) => [normalize(withoutPrefix(value, values)), value] as const))
  const isEnded = ends.some((word) => byWord.has(word))
  const named = [...to, ...(isEnded ? last : [])].find((word) => byWord.has(word))
  if (named !== undefined) return byWord.get(named)
  // Of two values, the one that is not taken back.
  const others = [...byWord].filter(([word]) => !ends.includes(word))
  return isUndo && byWord.size === 2 && others.length === 1 ? others[0]?.[1] : undefined
}

/** `CANCELED` for `ORDER_STATUS_CANCELED`, if all others start so as well. */
function withoutPrefix(value: string, all: readonly string[]): string {
  const prefix = /^(?:[A-Z][A-Z\d]*_)+/.exec(value)?.[0]
  if (prefix === undefined || all.length < 2) return value
  const starts = [...prefix.matchAll(/_/g)].map(({ index }) => value.slice(0, index + 1)).reverse()
  const shared = starts.find((start) => all.every((each) => each.startsWith(start)))
  return value.slice(shared?.length ?? 0)
}

const isBoolean = (schema: Schema) => [...typesOf(schema)].join() === 'boolean'

function toFlag(name: string, { to, ends }: Effect): readonly (readonly [string, boolean])[] {
  const state = wordsOf(name)
    .filter((word) => !BEFORE_STATE.test(word))
    .join('')
  const isIn = (words: readonly string[]) => words.includes(state) || words.some((word) => state === `not${word}`)
  const isNegated = state.startsWith('not') || (state.startsWith('un') && !to.includes(state) && !ends.includes(state))
  const positive = isNegated ? state.replace(/^(un|not)/, '') : state
  if (isIn(to) || to.includes(positive)) return [[name, !isNegated]]
  return isIn(ends) || ends.includes(positive) ? [[name, isNegated]] : []
}

/** `completedAt`, `date_paid` and `closeTime`. */
function toTime(
  name: string,
  schema: Schema,
  { done, ends, isUndo }: Effect,
  isRequired: boolean,
): readonly (readonly [string, unknown])[] {
  const words = wordsOf(name)
  const verbs = words.filter((word) => !TIME.test(word))
  if (verbs.length !== 1 || words.length < 2 || isBoolean(schema) || !canBeTime(schema)) return []
  const [word = ''] = verbs
  if (done.includes(word)) return [[name, 'now']]
  return isUndo && ends.includes(word) && (namesNull(schema) || !isRequired) ? [[name, null]] : []
}

const canBeTime = (schema: Schema) => ['string', 'integer', 'number'].some((type) => typesOf(schema).has(type))
