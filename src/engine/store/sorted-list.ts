export type Compare<R> = (a: R, b: R) => number

/** Long enough that a catalogue has few chunks, short enough that copying one is nothing. */
const CHUNK = 64

/** Signs chunks that are there before anybody changes one. */
const NOBODY = {}

interface Chunk<R> {
  readonly records: R[]
  /** Whoever may change it. */
  readonly owner: object
}

/**
 * Records in order, in chunks. A copy shares them, so it costs a few pointers; what is shared is never changed but
 * replaced, so a change copies one chunk at most; a page by position is found by counting chunks.
 */
export class SortedList<R> {
  readonly #compare: Compare<R>
  readonly #chunks: Chunk<R>[]
  /** What it signs chunks with that no copy shares: another one after each copy. */
  #owner = {}
  #size: number

  private constructor(compare: Compare<R>, chunks: Chunk<R>[], size: number) {
    this.#compare = compare
    this.#chunks = chunks
    this.#size = size
  }

  static of<R>(records: Iterable<R>, compare: Compare<R>): SortedList<R> {
    const sorted = [...records].sort(compare)
    const chunks: Chunk<R>[] = []
    for (let start = 0; start < sorted.length; start += CHUNK) {
      chunks.push({ records: sorted.slice(start, start + CHUNK), owner: NOBODY })
    }
    return new SortedList(compare, chunks, sorted.length)
  }

  get size(): number {
    return this.#size
  }

  copy(): SortedList<R> {
    this.#owner = {}
    return new SortedList(this.#compare, [...this.#chunks], this.#size)
  }

  add(record: R): void {
    this.#size += 1
    const index = this.#chunkOf(record)
    if (index === this.#chunks.length) {
      this.#append(record)
      return
    }
    const records = this.#ownRecords(index)
    records.splice(this.#positionIn(records, record), 0, record)
    if (records.length <= CHUNK) return
    this.#chunks.splice(index + 1, 0, { records: records.splice(CHUNK / 2), owner: this.#owner })
  }

  /** The record must be in the list: the very one, or one that compares equal. */
  delete(record: R): void {
    this.#size -= 1
    const index = this.#chunkOf(record)
    const records = this.#ownRecords(index)
    records.splice(this.#positionIn(records, record), 1)
    if (records.length === 0) this.#chunks.splice(index, 1)
  }

  /** Puts a record in the place of one that is in the list and compares equal. */
  replace(previous: R, next: R): void {
    const index = this.#chunkOf(previous)
    const records = this.#ownRecords(index)
    records[this.#positionIn(records, previous)] = next
  }

  /** Whether one record can be put in the place of another. */
  isSamePlace(previous: R, next: R): boolean {
    return this.#compare(previous, next) === 0
  }

  at(position: number): R | undefined {
    return this.slice(position, 1)[0]
  }

  slice(offset: number, limit: number): R[] {
    const page: R[] = []
    let skip = offset
    for (const { records } of this.#chunks) {
      if (skip >= records.length) {
        skip -= records.length
        continue
      }
      page.push(...records.slice(skip, skip + limit - page.length))
      if (page.length >= limit) break
      skip = 0
    }
    return page
  }

  *[Symbol.iterator](): Iterator<R> {
    for (const { records } of this.#chunks) yield* records
  }

  /** Behind all others, where new records belong. */
  #append(record: R): void {
    const last = this.#chunks.length - 1
    if (last >= 0 && (this.#chunks[last] as Chunk<R>).records.length < CHUNK) this.#ownRecords(last).push(record)
    else this.#chunks.push({ records: [record], owner: this.#owner })
  }

  /** The records of the chunk at this place, to be changed. */
  #ownRecords(index: number): R[] {
    const { records, owner } = this.#chunks[index] as Chunk<R>
    if (owner === this.#owner) return records
    const own = records.slice()
    this.#chunks[index] = { records: own, owner: this.#owner }
    return own
  }

  /** The first chunk whose last record is not before this one; past the end where there is none. */
  #chunkOf(record: R): number {
    // New records have the largest id.
    const count = this.#chunks.length
    if (count === 0 || this.#endsBefore(count - 1, record)) return count
    return firstIndex(count, (index) => !this.#endsBefore(index, record))
  }

  #endsBefore(index: number, record: R): boolean {
    const { records } = this.#chunks[index] as Chunk<R>
    return this.#compare(records[records.length - 1] as R, record) < 0
  }

  #positionIn(records: readonly R[], record: R): number {
    return firstIndex(records.length, (index) => this.#compare(records[index] as R, record) >= 0)
  }
}

/** Binary search for the first index at which a condition holds that stays true from there on. */
function firstIndex(length: number, holds: (index: number) => boolean): number {
  let low = 0
  let high = length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (holds(middle)) high = middle
    else low = middle + 1
  }
  return low
}
