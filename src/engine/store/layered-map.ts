export type Changes<K, V> = ReadonlyMap<K, V | undefined>

/** What is used of a base map. */
export type BaseMap<K, V> = Pick<ReadonlyMap<K, V>, 'size' | 'get' | 'has'> & Iterable<[K, V]>

/**
 * A map over a base map that stores only the differences. The base never changes and can be shared, so a reset or a new
 * sandbox costs what was changed, not what is stored.
 */
export class LayeredMap<K, V> extends Map<K, V> {
  readonly #base: BaseMap<K, V>
  /** Undefined marks an entry of the base as deleted. */
  #changes = new Map<K, V | undefined>()
  #size: number
  #only: K | undefined

  constructor(base: BaseMap<K, V>) {
    super()
    this.#base = base
    this.#size = base.size
  }

  override get size(): number {
    return this.#size
  }

  get changes(): Changes<K, V> {
    return this.#changes
  }

  override get(key: K): V | undefined {
    const changed = this.#changes.get(key)
    if (changed !== undefined) return changed
    const below = this.#base.get(key)
    // Only entries of the base can be marked as deleted.
    return below !== undefined && this.#changes.has(key) ? undefined : below
  }

  override has(key: K): boolean {
    return this.get(key) !== undefined
  }

  override set(key: K, value: V): this {
    if (!this.has(key)) this.#size += 1
    this.#changes.set(key, value)
    return this
  }

  override delete(key: K): boolean {
    if (!this.has(key)) return false
    this.#size -= 1
    if (this.#base.has(key)) this.#changes.set(key, undefined)
    else this.#changes.delete(key)
    return true
  }

  override clear(): void {
    for (const key of [...this.keys()]) this.delete(key)
  }

  /** Makes an entry what it was before it was changed. */
  putBack(key: K, value: V | undefined): void {
    const hadValue = this.has(key)
    if (value === this.#base.get(key)) this.#changes.delete(key)
    else this.#changes.set(key, value)
    this.#size += Number(value !== undefined) - Number(hadValue)
  }

  replaceChanges(changes: Changes<K, V>): void {
    this.#changes = new Map(changes)
    this.#size = this.#base.size
    for (const [key, value] of changes) {
      if (value === undefined) this.#size -= 1
      else if (!this.#base.has(key)) this.#size += 1
    }
  }

  /**
   * While `query` runs, iterations see this entry only. A query of @mswjs/data walks all records even when it asks for one
   * id; with this it looks at that record alone.
   */
  limitTo<T>(key: K, query: () => T): T {
    this.#only = key
    try {
      return query()
    } finally {
      this.#only = undefined
    }
  }

  override *entries(): MapIterator<[K, V]> {
    if (this.#only !== undefined) {
      const value = this.get(this.#only)
      if (value !== undefined) yield [this.#only, value]
      return
    }
    for (const entry of this.#base) if (!this.#changes.has(entry[0])) yield entry
    for (const [key, value] of this.#changes) if (value !== undefined) yield [key, value]
  }

  override *keys(): MapIterator<K> {
    for (const [key] of this.entries()) yield key
  }

  override *values(): MapIterator<V> {
    for (const [, value] of this.entries()) yield value
  }

  override [Symbol.iterator](): MapIterator<[K, V]> {
    return this.entries()
  }

  override forEach(visit: (value: V, key: K, map: Map<K, V>) => void, thisArg?: unknown): void {
    for (const [key, value] of this.entries()) visit.call(thisArg, value, key, this)
  }
}
