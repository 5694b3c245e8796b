import type { Id } from '../../lib/int64.js'
import type { Rows, Table } from './database.js'
import { type IdPosition, IdSequence, sequenceAfter } from './id-sequence.js'
import { BaseIndex, WorldIndex } from './indexes.js'
import type { Changes, LayeredMap } from './layered-map.js'
import type { Grouping, Selection } from './selection.js'
import type { SortedList } from './sorted-list.js'

interface Identified {
  readonly id: Id
}

/** The starting rows of one kind, with the lists that every world over them shares. */
export interface BaseCollection<R extends Identified> {
  readonly rows: Rows<R>
  readonly index: BaseIndex<R>
  /** The first new record's id, where it is not the one after the largest. */
  readonly nextId: Id | undefined
}

export function createBaseCollection<R extends Identified>(
  rows: Rows<R>,
  nextId: Id | undefined,
  groupings: Readonly<Record<string, Grouping<R>>> = {},
): BaseCollection<R> {
  return { rows, index: new BaseIndex(rows, groupings), nextId }
}

export interface CollectionSnapshot<R> {
  readonly changes: Changes<Id, R>
  /** Of the imported records, where the records are not the starting ones any more. */
  readonly ids: IdSequence
  readonly position: IdPosition
}

/** All records of one kind in one world: the only way to them, for reading and for writing. */
export class Collection<R extends Identified> {
  readonly #table: Table<R>
  readonly #rows: LayeredMap<Id, R>
  readonly #index: WorldIndex<R>
  readonly #startingIds: IdSequence
  #ids: IdSequence

  constructor(base: BaseCollection<R>, rows: LayeredMap<Id, R>, table: Table<R>) {
    this.#table = table
    this.#rows = rows
    this.#index = new WorldIndex(base.index, base.rows, () => rows.changes)
    const starting = {
      has: (id: Id) => base.rows.has(id),
      largest: (rank: number) => base.index.all?.at(base.rows.size - 1 - rank)?.id,
    }
    this.#startingIds = new IdSequence(starting, base.nextId)
    this.#ids = this.#startingIds
  }

  get size(): number {
    return this.#rows.size
  }

  get(id: Id): R | undefined {
    return this.#rows.get(id)
  }

  /** Stores a new record under an id that no record has had. */
  insert(values: Omit<R, 'id'>): R {
    const record = this.#table.create(this.#ids.take(), values)
    this.#index.changed(undefined, record)
    return record
  }

  /** Stores other values under the id of a record that is there. */
  replace(next: R): R {
    const previous = this.#stored(next.id)
    const record = this.#table.update(previous, next)
    this.#index.changed(previous, record)
    return record
  }

  remove(id: Id): void {
    const previous = this.#stored(id)
    this.#table.delete(id)
    this.#index.changed(previous, undefined)
  }

  select(selection: Selection<R>): Pick<SortedList<R>, 'size' | 'slice' | typeof Symbol.iterator> {
    return this.#index.list(selection)
  }

  countIn(by: string, value: Id): number {
    return this.#index.group(by, value)?.size ?? 0
  }

  /** The id that the next new record gets. */
  get nextId(): Id {
    return this.#ids.peek()
  }

  /** Makes these the only records. What they have in common with the starting ones costs nothing to keep. */
  replaceAll(records: readonly R[], nextId: Id | undefined): void {
    this.reset()
    const ids = records.map(({ id }) => id)
    const wanted = new Set(ids)
    for (const id of [...this.#rows.keys()]) if (!wanted.has(id)) this.remove(id)
    for (const record of records) this.#put(record)
    this.#ids = sequenceAfter(ids, nextId)
  }

  snapshot(): CollectionSnapshot<R> {
    return { changes: new Map(this.#rows.changes), ids: this.#ids, position: this.#ids.position }
  }

  restore({ changes, ids, position }: CollectionSnapshot<R>): void {
    this.#rows.replaceChanges(changes)
    this.#index.rebuild()
    this.#ids = ids
    this.#ids.position = position
  }

  reset(): void {
    this.restore({ changes: new Map(), ids: this.#startingIds, position: this.#startingIds.start })
  }

  #put(record: R): void {
    const stored = this.#rows.get(record.id)
    if (stored === undefined) this.#index.changed(undefined, this.#table.create(record.id, record))
    else if (!isSame(stored, record)) this.replace(record)
  }

  #stored(id: Id): R {
    const record = this.#rows.get(id)
    if (record === undefined) throw new Error(`no record has the id ${id}`)
    return record
  }
}

function isSame<R extends object>(stored: R, record: R): boolean {
  return (Object.keys(record) as (keyof R)[]).every((field) => stored[field] === record[field])
}
