import { runNow } from '../../lib/steps.js'
import { resourceNamed, type ServiceResource } from '../resources/service-resource.js'
import { findFixtureProblems } from './check.js'
import { type AnyFixture, entriesIn, type FixtureEntry, type FixtureFormat } from './format.js'
import type { FixtureProblem } from './problems.js'

interface Kept {
  readonly fixture: AnyFixture
  /** How many records it has. */
  readonly records: number
  /** What is not in it, each with the reason. */
  readonly dropped: readonly string[]
}

type Lists = Readonly<Record<string, readonly FixtureEntry[]>>
type Place = NonNullable<FixtureProblem['entry']>

/** What fits a service, of a state that another version of it has exported. */
export function keepFitting(
  { nextIds = {}, specHash: _, ...state }: AnyFixture,
  format: FixtureFormat,
  rules: 'on' | 'off',
): Kept {
  const dropped: string[] = []
  const names = format.resources.map(({ name }) => name)
  for (const gone of Object.keys(state).filter((name) => !names.includes(name))) {
    const { length } = entriesIn(state, gone)
    if (length > 0) dropped.push(`${gone}: all ${length}, because the document has no such resource`)
  }
  const known = format.resources.map((resource) => [resource.name, keepFields(resource, state, dropped)])
  const lists = dropEntries(Object.fromEntries(known), format, rules, dropped)
  const records = Object.values(lists).reduce((sum, list) => sum + list.length, 0)
  const next = Object.entries(nextIds).filter(([name, id]) => {
    const problems = runNow(findFixtureProblems({ [name]: lists[name], nextIds: { [name]: id } }, format, 'off'))
    return problems.every(({ entry }) => entry !== undefined)
  })
  return { fixture: { ...lists, nextIds: Object.fromEntries(next) }, records, dropped }
}

/** The entries of a resource, with the properties that it still has. */
function keepFields(resource: ServiceResource, state: AnyFixture, dropped: string[]): readonly FixtureEntry[] {
  const { name, fields } = resource
  const known = [...fields.map(({ property }) => property), ...resource.unsent.map(({ member }) => member)]
  const entries = entriesIn(state, name)
  const gone = new Set(entries.flatMap(Object.keys).filter((property) => !known.includes(property)))
  if (gone.size === 0) return entries
  for (const property of gone) dropped.push(`${name}: the property ${property}, which the document does not have`)
  return entries.map((entry) => Object.fromEntries(Object.entries(entry).filter(([property]) => !gone.has(property))))
}

/** Until nothing contradicts anything: an entry may only have fitted because of another one. */
function dropEntries(all: Lists, format: FixtureFormat, rules: 'on' | 'off', dropped: string[]): Lists {
  let lists = all
  for (;;) {
    const bad = new Map<string, Place>()
    for (const { entry } of runNow(findFixtureProblems(lists, format, rules))) {
      if (entry && !bad.has(keyOf(entry))) bad.set(keyOf(entry), entry)
    }
    if (bad.size === 0) return lists
    for (const { list, index, text } of bad.values()) {
      dropped.push(`${list} ${idOf(format, list, lists[list]?.[index])}: ${text.replace(/\.$/, '')}`)
    }
    const rest = Object.entries(lists).map(([list, entries]) => [
      list,
      entries.filter((_, index) => !bad.has(keyOf({ list, index }))),
    ])
    lists = Object.fromEntries(rest)
  }
}

const keyOf = ({ list, index }: Pick<Place, 'list' | 'index'>) => `${list} ${index}`

/** As it is, because the resource may have another kind of ids now. */
function idOf({ resources }: FixtureFormat, list: string, entry: FixtureEntry | undefined): string {
  const { idPath = [] } = resourceNamed(resources, list) ?? {}
  const id = idPath.reduce<unknown>((value, name) => Object(value)[name], entry)
  return id === undefined ? 'without an id' : String(id)
}
