export type Compare<R> = (a: R, b: R) => number

/** Long enough that a catalogue has few chunks, short enough that copying one is nothing. */
const CHUNK = 64

/**
 * Records in order, in chunks. A copy shares them, so it costs a few pointers; what is shared is never changed but
 * replaced, so a change copies one chunk at most; a page by position is found by counting chunks.
 */
export class SortedList<R> {
  readonly #compare: Compare<R>
  readonly #chunks: R[][]
  /** The chunks that no copy shares. */
  #own = new Set<R[]>()
  #size: number

  private constructor(compare: Compare<R>, chunks: R[][], size: number) {
    this.#compare = compare
    this.#chunks = chunks
    this.#size = size
  }

  static of<R>(records: Iterable<R>, compare: Compare<R>): SortedList<R> {
    const sorted = [...records].sort(compare)
    const chunks: R[][] = []
    for (let start = 0; start < sorted.length; start += CHUNK) chunks.push(sorted.slice(start, start + CHUNK))
    return new SortedList(compare, chunks, sorted.length)
  }

  get size(): number {
    return this.#size
  }

  copy(): SortedList<R> {
    this.#own = new Set()
    return new SortedList(this.#compare, [...this.#chunks], this.#size)
  }

  add(record: R): void {
    this.#size += 1
    const index = Math.max(0, Math.min(this.#chunkOf(record), this.#chunks.length - 1))
    const chunk = this.#ownChunk(index)
    if (this.#isAfter(record, chunk.at(-1))) chunk.push(record)
    else chunk.splice(this.#positionIn(chunk, record), 0, record)
    if (chunk.length <= CHUNK) return
    const rest = chunk.splice(CHUNK / 2)
    this.#own.add(rest)
    this.#chunks.splice(index + 1, 0, rest)
  }

  /** The record must be in the list: the very one, or one that compares equal. */
  delete(record: R): void {
    this.#size -= 1
    const index = this.#chunkOf(record)
    const chunk = this.#ownChunk(index)
    chunk.splice(this.#positionIn(chunk, record), 1)
    if (chunk.length > 0) return
    this.#own.delete(chunk)
    this.#chunks.splice(index, 1)
  }

  /** Puts a record in the place of one that is in the list and compares equal. */
  replace(previous: R, next: R): void {
    const index = this.#chunkOf(previous)
    const chunk = this.#ownChunk(index)
    chunk[this.#positionIn(chunk, previous)] = next
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
    for (const chunk of this.#chunks) {
      if (skip >= chunk.length) {
        skip -= chunk.length
        continue
      }
      page.push(...chunk.slice(skip, skip + limit - page.length))
      if (page.length >= limit) break
      skip = 0
    }
    return page
  }

  *[Symbol.iterator](): Iterator<R> {
    for (const chunk of this.#chunks) yield* chunk
  }

  /** The chunk at this place, to be changed. */
  #ownChunk(index: number): R[] {
    const chunk = this.#chunks[index]
    if (chunk !== undefined && this.#own.has(chunk)) return chunk
    const own = chunk?.slice() ?? []
    this.#own.add(own)
    this.#chunks[index] = own
    return own
  }

  /** The first chunk whose last record is not before this one; past the end where there is none. */
  #chunkOf(record: R): number {
    // New records have the largest id.
    if (this.#isAfter(record, this.#chunks.at(-1)?.at(-1))) return this.#chunks.length
    return firstIndex(this.#chunks.length, (index) => {
      const last = this.#chunks[index]?.at(-1)
      return last !== undefined && this.#compare(last, record) >= 0
    })
  }

  #isAfter(record: R, last: R | undefined): boolean {
    return last === undefined || this.#compare(last, record) < 0
  }

  #positionIn(chunk: readonly R[], record: R): number {
    return firstIndex(chunk.length, (index) => this.#compare(chunk[index] as R, record) >= 0)
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
