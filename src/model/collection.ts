import type { Id } from '../contract/int64.js'
import type { Rows, Table } from './database.js'
import { type IdPosition, IdSequence } from './id-sequence.js'
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
}

export function createBaseCollection<R extends Identified>(
  rows: Rows<R>,
  groupings: Readonly<Record<string, Grouping<R>>>,
): BaseCollection<R> {
  return { rows, index: new BaseIndex(rows, groupings) }
}

export interface CollectionSnapshot<R> {
  readonly changes: Changes<Id, R>
  readonly position: IdPosition
}

/** All records of one kind in one world: the only way to them, for reading and for writing. */
export class Collection<R extends Identified> {
  readonly #table: Table<R>
  readonly #rows: LayeredMap<Id, R>
  readonly #index: WorldIndex<R>
  readonly #ids: IdSequence

  constructor(base: BaseCollection<R>, rows: LayeredMap<Id, R>, table: Table<R>) {
    this.#table = table
    this.#rows = rows
    this.#index = new WorldIndex(base.index, base.rows, () => rows.changes)
    this.#ids = new IdSequence({
      has: (id) => base.rows.has(id),
      largest: (rank) => base.index.all?.at(base.rows.size - 1 - rank)?.id,
    })
  }

  get(id: Id): R | undefined {
    return this.#rows.get(id)
  }

  /** Stores a new record under an id that no record has had. */
  insert(values: Omit<R, 'id'>): R {
    const record = this.#table.create({ ...values, id: this.#ids.take() } as R)
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

  snapshot(): CollectionSnapshot<R> {
    return { changes: new Map(this.#rows.changes), position: this.#ids.position }
  }

  restore({ changes, position }: CollectionSnapshot<R>): void {
    this.#rows.replaceChanges(changes)
    this.#index.rebuild()
    this.#ids.position = position
  }

  reset(): void {
    this.restore({ changes: new Map(), position: this.#ids.start })
  }

  #stored(id: Id): R {
    const record = this.#rows.get(id)
    if (record === undefined) throw new Error(`no record has the id ${id}`)
    return record
  }
}
