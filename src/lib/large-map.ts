type Key = string | number | undefined

/** A power of two. */
const PARTS = 64

/**
 * A map for hundreds of thousands of ids, in parts. A `Map` that grows copies all of its entries at once, and others would
 * wait for tens of milliseconds. Entries come in no particular order.
 */
export class LargeMap<K extends Key, V> implements Iterable<[K, V]> {
  readonly #parts = Array.from({ length: PARTS }, () => new Map<K, V>())
  #size = 0

  get size(): number {
    return this.#size
  }

  get(key: K): V | undefined {
    return this.#partOf(key).get(key)
  }

  has(key: K): boolean {
    return this.#partOf(key).has(key)
  }

  set(key: K, value: V): void {
    const part = this.#partOf(key)
    const before = part.size
    part.set(key, value)
    this.#size += part.size - before
  }

  *[Symbol.iterator](): Generator<[K, V], undefined> {
    for (const part of this.#parts) yield* part
    return undefined
  }

  #partOf(key: K): Map<K, V> {
    return this.#parts[lastDigits(key) % PARTS] as Map<K, V>
  }
}

/** Ids often have equal first digits, but hardly ever equal last digits. */
function lastDigits(key: Key): number {
  if (typeof key === 'number') return Math.abs(key)
  if (key === undefined || key.length < 2) return 0
  return 10 * key.charCodeAt(key.length - 2) + key.charCodeAt(key.length - 1)
}
