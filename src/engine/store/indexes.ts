import type { IdKind } from '../../document/resources/ids/sequence.js'
import { RecentMap } from '../../lib/collections.js'
import type { Id } from '../../lib/int64.js'
import type { Grouping, Identified } from './database.js'
import type { BaseMap, Changes } from './layered-map.js'
import { type Compare, SortedList } from './sorted-list.js'

/** Which records a list has, and how they are sorted. The keys identify the functions, so that a list can be cached. */
export interface Selection<R, G extends string = string> {
  /** Only the records of one group, which is found without looking at the others. */
  readonly group?: { readonly by: G; readonly value: string } | undefined
  readonly where?: { readonly key: string; readonly test: (record: R) => boolean } | undefined
  /** Default: by id, ascending. */
  readonly sort?: { readonly key: string; readonly compare: Compare<R> } | undefined
}

/** The condition comes last because its key can hold any text, slashes included. */
function selectionKey<R>({ group, where, sort }: Selection<R>): string {
  return `${group?.by ?? ''}/${group?.value ?? ''}/${sort?.key ?? ''}/${where?.key ?? ''}`
}

/** A grouping with every record in one group. */
const ALL = 'all'
const EVERYTHING = { by: ALL, value: '' }

/** How many filtered or sorted lists are kept up to date. The least recently used is dropped first. */
const MAX_LISTS = 32

/** The lists of a base. They are shared by every store over it; a store copies one to change it. */
export class BaseIndex<R extends Identified> {
  readonly groupings: ReadonlyMap<string, Grouping<R>>
  readonly byId: Compare<R>
  readonly #rows: ReadonlyMap<Id, R>
  /** By grouping and value. Most are never used: the groups are found when one of them is needed, and become lists one by one. */
  readonly #groups = new Map<string, Map<string, R[] | SortedList<R>>>()
  readonly #lists = new RecentMap<string, SortedList<R>>(MAX_LISTS)

  constructor(rows: ReadonlyMap<Id, R>, groupings: Readonly<Record<string, Grouping<R>>>, { compare }: IdKind) {
    this.groupings = new Map([[ALL, () => ''], ...Object.entries(groupings)])
    this.byId = (a, b) => compare(a.id, b.id)
    this.#rows = rows
  }

  /** Every record; undefined when there are none. */
  get all(): SortedList<R> | undefined {
    return this.group(EVERYTHING.by, EVERYTHING.value)
  }

  group(by: string, value: string): SortedList<R> | undefined {
    const groups = this.#groupsOf(by)
    const group = groups.get(value)
    if (!Array.isArray(group)) return group
    const list = SortedList.fromSorted(group, this.byId)
    groups.set(value, list)
    return list
  }

  list(selection: Selection<R>): SortedList<R> {
    const key = selectionKey(selection)
    const list = this.#lists.get(key) ?? select(this.all, selection, this.byId)
    this.#lists.set(key, list)
    return list
  }

  #groupsOf(by: string): Map<string, R[] | SortedList<R>> {
    const known = this.#groups.get(by)
    if (known) return known
    const grouping = this.groupings.get(by)
    if (grouping === undefined) throw new Error(`Records are not grouped by ${by}.`)
    const groups = new Map<string, R[] | SortedList<R>>()
    for (const record of by === ALL ? [...this.#rows.values()].sort(this.byId) : (this.all ?? [])) {
      const value = grouping(record)
      if (value === undefined) continue
      const group = groups.get(value)
      if (Array.isArray(group)) group.push(record)
      else groups.set(value, [record])
    }
    this.#groups.set(by, groups)
    return groups
  }
}

/** The lists of one store: those of its base, and its own where it differs. Derived data that can be rebuilt. */
export class StoreIndex<R extends Identified> {
  readonly #base: BaseIndex<R>
  readonly #changes: () => Changes<Id, R>
  readonly #baseRows: BaseMap<Id, R>
  /** The groups that differ from those of the base, by grouping and value. A grouping that nothing reads costs nothing. */
  readonly #groups = new Map<string, Map<string, SortedList<R>>>()
  readonly #lists = new RecentMap<string, { selection: Selection<R>; list: SortedList<R> }>(MAX_LISTS)

  constructor(base: BaseIndex<R>, baseRows: BaseMap<Id, R>, changes: () => Changes<Id, R>) {
    this.#base = base
    this.#baseRows = baseRows
    this.#changes = changes
  }

  group(by: string, value: string): SortedList<R> | undefined {
    return this.#ownGroups(by).get(value) ?? this.#base.group(by, value)
  }

  list(selection: Selection<R>): SortedList<R> {
    const { by, value } = selection.group ?? EVERYTHING
    if (!selection.where && !selection.sort) return this.group(by, value) ?? SortedList.of<R>([], this.#base.byId)
    const key = selectionKey(selection)
    const kept = this.#lists.get(key)
    if (kept) return kept.list
    // A list of all records starts from the base's list, which all stores share; a list of a group from the group.
    const list = selection.group
      ? select(this.group(by, value), selection, this.#base.byId)
      : this.#deriveFromBase(selection)
    this.#lists.set(key, { selection, list })
    return list
  }

  /** Call after a record was added (no previous), removed (no next) or replaced. */
  changed(previous: R | undefined, next: R | undefined): void {
    for (const [by, groups] of this.#groups) this.#regroup(groups, by, previous, next)
    for (const { selection, list } of this.#lists.values()) this.#apply(list, selection, previous, next)
  }

  /** Call after the changes were replaced as a whole. What is needed is built again. */
  clear(): void {
    this.#groups.clear()
    this.#lists.clear()
  }

  #deriveFromBase(selection: Selection<R>): SortedList<R> {
    const list = this.#base.list(selection).copy()
    for (const [id, next] of this.#changes()) this.#apply(list, selection, this.#baseRows.get(id), next)
    return list
  }

  #apply(list: SortedList<R>, selection: Selection<R>, previous: R | undefined, next: R | undefined): void {
    const { group, where } = selection
    const grouping = group && this.#base.groupings.get(group.by)
    const selects = (record: R) =>
      (grouping === undefined || grouping(record) === group?.value) && (where === undefined || where.test(record))
    if (previous !== undefined && selects(previous)) list.delete(previous)
    if (next !== undefined && selects(next)) list.add(next)
  }

  #ownGroups(by: string): Map<string, SortedList<R>> {
    const known = this.#groups.get(by)
    if (known) return known
    const groups = new Map<string, SortedList<R>>()
    for (const [id, next] of this.#changes()) this.#regroup(groups, by, this.#baseRows.get(id), next)
    this.#groups.set(by, groups)
    return groups
  }

  /** Moves a record to another group. */
  #regroup(groups: Map<string, SortedList<R>>, by: string, previous: R | undefined, next: R | undefined): void {
    const grouping = this.#base.groupings.get(by)
    const from = previous && grouping?.(previous)
    const to = next && grouping?.(next)
    if (previous !== undefined && from !== undefined) this.#ownGroup(groups, by, from).delete(previous)
    if (next !== undefined && to !== undefined) this.#ownGroup(groups, by, to).add(next)
  }

  #ownGroup(groups: Map<string, SortedList<R>>, by: string, value: string): SortedList<R> {
    const group = groups.get(value) ?? this.#base.group(by, value)?.copy() ?? SortedList.of<R>([], this.#base.byId)
    groups.set(value, group)
    return group
  }
}

function select<R>(source: SortedList<R> | undefined, { where, sort }: Selection<R>, byId: Compare<R>): SortedList<R> {
  const records = [...(source ?? [])]
  return SortedList.of(where ? records.filter(where.test) : records, sort?.compare ?? byId)
}
