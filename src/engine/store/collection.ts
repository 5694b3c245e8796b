import type { AnyId, Id } from '../../lib/int64.js'
import type { IdMark, IdSequence, IdSnapshot } from '../ids/id-sequence.js'
import type { IdKind } from '../ids/kind.js'
import { type BaseIndex, type Selection, StoreIndex } from './indexes.js'
import type { BaseMap, Changes, LayeredMap } from './layered-map.js'
import type { Identified, Table } from './model.js'
import type { SortedList } from './sorted-list.js'

/** The starting records of one collection, with the lists that every store over them shares. */
export interface BaseCollection<R extends Identified> {
  readonly rows: BaseMap<Id, R>
  readonly index: BaseIndex<R>
  readonly ids: IdKind
  /** The id of the first new record, or its number if the kind is counted. Undefined: the one after the largest. */
  readonly nextId: Id | undefined
}

export interface CollectionSnapshot<R> {
  readonly changes: Changes<Id, R>
  readonly ids: IdSnapshot
}

/** The records as they were before the writes that may be undone; undefined for a new record. */
interface UndoLog<R> {
  readonly previous: Map<Id, R | undefined>
  readonly ids: IdMark
}

/** All records of one kind in one store. */
export class Collection<R extends Identified, G extends string = never> {
  readonly #table: Table<R>
  readonly #rows: LayeredMap<Id, R>
  readonly #base: BaseMap<Id, R>
  readonly #index: StoreIndex<R>
  readonly #ids: IdSequence
  #undoLog: UndoLog<R> | undefined
  #chosenId: Id | undefined

  constructor(base: BaseCollection<R>, rows: LayeredMap<Id, R>, table: Table<R>) {
    this.#table = table
    this.#rows = rows
    this.#base = base.rows
    this.#index = new StoreIndex(base.index, base.rows, () => rows.changes)
    const starting = {
      size: base.rows.size,
      has: (id: Id) => base.rows.has(id),
      largest: (rank: number) => base.index.all?.at(base.rows.size - 1 - rank)?.id,
    }
    this.#ids = base.ids.createSequence(starting, base.nextId)
  }

  get size(): number {
    return this.#rows.size
  }

  get(id: AnyId): R | undefined {
    return this.#rows.get(toKey(id))
  }

  /** Whether it is a starting record that nothing has changed. */
  isUnchanged(record: R): boolean {
    return this.#base.get(record.id) === record
  }

  /** Whether a record has or had this id. */
  isUsed(given: AnyId): boolean {
    const id = toKey(given)
    return this.#base.has(id) || this.#rows.has(id) || this.#ids.isChosen(id)
  }

  /** Stores a new record under an id that was never used, or under the one that `withId` was called with. */
  insert(values: Omit<R, 'id'>): R {
    const id = this.#chosenId === undefined ? this.#ids.take() : this.#ids.choose(this.#chosenId)
    return this.#create({ ...values, id } as R)
  }

  /** Calls a function that inserts a record, which gets this id. No record must have it. */
  withId<T>(id: Id, insert: () => T): T {
    this.#chosenId = id
    try {
      return insert()
    } finally {
      this.#chosenId = undefined
    }
  }

  replace(next: R): R {
    const { id } = next
    const previous = this.#stored(id)
    this.#logUndo(id, previous)
    // The library's own `update` merges nested objects.
    this.#delete(id)
    const record = this.#table.create(next)
    this.#index.changed(previous, record)
    return record
  }

  remove(given: AnyId): void {
    const id = toKey(given)
    const previous = this.#stored(id)
    this.#logUndo(id, previous)
    this.#delete(id)
    this.#index.changed(previous, undefined)
  }

  select(selection: Selection<R, G>): Pick<SortedList<R>, 'size' | 'changes' | 'slice' | typeof Symbol.iterator> {
    return this.#index.list(selection)
  }

  countIn(by: G, value: AnyId): number {
    return this.#index.group(by, toKey(value))?.size ?? 0
  }

  /** The id of the next new record, or its number if the kind is counted. */
  get nextId(): Id {
    return this.#ids.continuation
  }

  /** From now on, `rollBack` can undo all writes. Its cost is that of the writes, not of the collection. */
  begin(): void {
    this.#undoLog = { previous: new Map(), ids: this.#ids.mark() }
  }

  commit(): void {
    this.#undoLog = undefined
  }

  rollBack(): void {
    const log = this.#undoLog
    if (log === undefined) return
    this.commit()
    for (const [id, previous] of log.previous) {
      if (this.#rows.has(id)) this.remove(id)
      if (previous !== undefined) this.#create(previous)
    }
    this.#ids.rollBackTo(log.ids)
  }

  snapshot(): CollectionSnapshot<R> {
    return { changes: new Map(this.#rows.changes), ids: this.#ids.snapshot() }
  }

  restore({ changes, ids }: CollectionSnapshot<R>): void {
    this.#replaceChanges(changes)
    this.#ids.restore(ids)
  }

  reset(): void {
    this.#replaceChanges(new Map())
    this.#ids.reset()
  }

  #replaceChanges(changes: Changes<Id, R>): void {
    this.#rows.replaceChanges(changes)
    this.#index.clear()
  }

  #delete(id: Id): void {
    this.#rows.limitTo(id, () => this.#table.delete({ where: { id: { equals: id } }, strict: true }))
  }

  #create(values: R): R {
    const record = this.#table.create(values)
    this.#logUndo(record.id, undefined)
    this.#index.changed(undefined, record)
    return record
  }

  #logUndo(id: Id, previous: R | undefined): void {
    const log = this.#undoLog?.previous
    if (log && !log.has(id)) log.set(id, previous)
  }

  #stored(id: Id): R {
    const record = this.#rows.get(id)
    if (record === undefined) throw new Error(`No record has the id ${id}.`)
    return record
  }
}

/** A service's own functions have ids as a request has them. */
const toKey = (id: AnyId) => (typeof id === 'string' ? id : String(id)) as Id
