import type { IdKind, IdSequence, IdSnapshot } from '../../document/resources/ids/sequence.js'
import type { AnyId, Id } from '../../lib/int64.js'
import { currentChanges } from './atomically.js'
import type { Identified, Table } from './database.js'
import { type BaseIndex, type Selection, StoreIndex } from './indexes.js'
import type { BaseMap, Changes, LayeredMap } from './layered-map.js'
import type { SortedList } from './sorted-list.js'

/** The starting records of one collection, with the lists that every store over them shares. */
export interface BaseCollection<R extends Identified> {
  readonly rows: BaseMap<Id, R>
  readonly index: BaseIndex<R>
  readonly ids: IdKind
  /** The id of the first new record, or its number if the kind is counted. Undefined: the one after the largest. */
  readonly nextId: Id | undefined
  readonly remembersRemoved: boolean
}

export interface CollectionSnapshot<R> {
  readonly changes: Changes<Id, R>
  readonly ids: IdSnapshot
}

/** All records of one kind in one store. */
export class Collection<R extends Identified, G extends string = never> {
  readonly #table: Table<R>
  readonly #rows: LayeredMap<Id, R>
  readonly #base: BaseMap<Id, R>
  readonly #index: StoreIndex<R>
  readonly #ids: IdSequence
  readonly #remembersRemoved: boolean
  #chosenId: Id | undefined

  constructor(base: BaseCollection<R>, rows: LayeredMap<Id, R>, table: Table<R>) {
    this.#table = table
    this.#rows = rows
    this.#base = base.rows
    this.#remembersRemoved = base.remembersRemoved
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

  /** Whether a record has this id, or had it in a collection that remembers those of removed records. */
  isUsed(given: AnyId): boolean {
    const id = toKey(given)
    return this.#base.has(id) || this.#rows.has(id) || this.#ids.isChosen(id)
  }

  /** Stores a new record under an id that was never used, or under the one that `withId` was called with. */
  insert(values: Omit<R, 'id'>): R {
    const record = this.#table.create({ ...values, id: this.#newId() } as R)
    this.#changed(record.id, undefined, record)
    return record
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
    // The library's own `update` merges nested objects.
    this.#delete(id)
    const record = this.#table.create(next)
    this.#changed(id, undefined, record)
    return record
  }

  remove(given: AnyId): void {
    const id = toKey(given)
    this.#delete(id)
    if (this.#remembersRemoved) this.#undoably(() => this.#ids.choose(id))
  }

  #delete(id: Id): void {
    const previous = this.#rows.get(id)
    if (previous === undefined) throw new Error(`No record has the id ${id}.`)
    this.#rows.limitTo(id, () => this.#table.delete({ where: { id: { equals: id } }, strict: true }))
    this.#changed(id, previous, undefined)
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

  #newId(): Id {
    const chosen = this.#chosenId
    return this.#undoably(() => (chosen === undefined ? this.#ids.take() : this.#ids.choose(chosen)))
  }

  #undoably(use: () => Id): Id {
    const before = currentChanges() && this.#ids.mark()
    const id = use()
    if (before === undefined) return id
    const after = this.#ids.mark()
    this.#onUndo(() => {
      const { position, chosenCount } = this.#ids.mark()
      const isLatest = position === after.position && chosenCount === after.chosenCount
      // Others may have taken ids since.
      if (isLatest) this.#ids.rollBackTo(before)
    })
    return id
  }

  #changed(id: Id, previous: R | undefined, next: R | undefined): void {
    this.#onUndo(() => {
      // Others may have changed the record since.
      if (this.#rows.get(id) !== next) return
      this.#rows.putBack(id, previous)
      this.#index.changed(next, previous)
    })
    this.#index.changed(previous, next)
  }

  /** A reset replaces what could be undone. */
  #onUndo(undo: () => void): void {
    const { changes } = this.#rows
    currentChanges()?.add(() => {
      if (this.#rows.changes === changes) undo()
    })
  }
}

/** A service's own functions have ids as a request has them. */
const toKey = (id: AnyId) => (typeof id === 'string' ? id : String(id)) as Id
