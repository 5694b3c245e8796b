export type Compare<R> = (a: R, b: R) => number

/** Large enough for few chunks, small enough that copying one is cheap. */
const CHUNK = 64

/** Owner of chunks that no list may change in place. */
const SHARED = {}

interface Chunk<R> {
  readonly records: R[]
  readonly owner: object
}

/**
 * Sorted records in chunks. A copy shares the chunks, so it costs a few pointers. A shared chunk is copied before it is
 * changed. A page is found by counting chunks.
 */
export class SortedList<R> {
  readonly #compare: Compare<R>
  readonly #chunks: Chunk<R>[]
  /** Identifies this list as the owner of its chunks. Replaced at each copy, because the chunks are shared from then on. */
  #owner = {}
  #size: number
  #changes = 0

  private constructor(compare: Compare<R>, chunks: Chunk<R>[], size: number) {
    this.#compare = compare
    this.#chunks = chunks
    this.#size = size
  }

  static of<R>(records: Iterable<R>, compare: Compare<R>): SortedList<R> {
    return SortedList.fromSorted([...records].sort(compare), compare)
  }

  static fromSorted<R>(sorted: readonly R[], compare: Compare<R>): SortedList<R> {
    const chunks: Chunk<R>[] = []
    for (let start = 0; start < sorted.length; start += CHUNK) {
      chunks.push({ records: sorted.slice(start, start + CHUNK), owner: SHARED })
    }
    return new SortedList(compare, chunks, sorted.length)
  }

  get size(): number {
    return this.#size
  }

  /** How often it was changed. */
  get changes(): number {
    return this.#changes
  }

  copy(): SortedList<R> {
    this.#owner = {}
    return new SortedList(this.#compare, [...this.#chunks], this.#size)
  }

  add(record: R): void {
    this.#size += 1
    this.#changes += 1
    if (this.#chunks.length === 0) this.#chunks.push({ records: [], owner: this.#owner })
    // After all others, it goes into the last chunk.
    const index = Math.min(this.#chunkOf(record), this.#chunks.length - 1)
    const records = this.#ownRecords(index)
    records.splice(this.#positionIn(records, record), 0, record)
    if (records.length <= CHUNK) return
    this.#chunks.splice(index + 1, 0, { records: records.splice(CHUNK / 2), owner: this.#owner })
  }

  /** The list must hold a record that compares equal. */
  delete(record: R): void {
    this.#size -= 1
    this.#changes += 1
    const index = this.#chunkOf(record)
    const records = this.#ownRecords(index)
    records.splice(this.#positionIn(records, record), 1)
    if (records.length === 0) this.#chunks.splice(index, 1)
  }

  /** Undefined outside of the list. */
  at(position: number): R | undefined {
    return position < 0 ? undefined : this.slice(position, 1)[0]
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

  /** The records of a chunk, safe to change. */
  #ownRecords(index: number): R[] {
    const { records, owner } = this.#chunks[index] as Chunk<R>
    if (owner === this.#owner) return records
    const own = records.slice()
    this.#chunks[index] = { records: own, owner: this.#owner }
    return own
  }

  /** The first chunk whose last record is not before this one; the number of chunks when there is none. */
  #chunkOf(record: R): number {
    return firstIndex(this.#chunks.length, (index) => {
      const { records } = this.#chunks[index] as Chunk<R>
      return records.length > 0 && this.#compare(records.at(-1) as R, record) >= 0
    })
  }

  #positionIn(records: readonly R[], record: R): number {
    return firstIndex(records.length, (index) => this.#compare(records[index] as R, record) >= 0)
  }
}

/** Binary search: the first index at which the condition holds; it holds for all later ones, too. */
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
