/**
 * A list that grows at its end and shrinks at its start. It is an array whose slots are used again: a Map that is used like
 * this makes each garbage collection several times slower.
 *
 * The caller drops the oldest item whenever it has added one too many.
 */
export function createLatestItems<Item>(maxLength: number) {
  const slots: (Item | undefined)[] = []
  let added = 0
  let dropped = 0
  const slotOf = (number: number) => number % (maxLength + 1)
  return {
    added: () => added,
    dropped: () => dropped,
    /** Undefined if there was no such item, or it was dropped. The first that was added has the number 0. */
    get: (number: number) => (number >= dropped && number < added ? slots[slotOf(number)] : undefined),
    add(item: Item): void {
      slots[slotOf(added)] = item
      added += 1
    },
    /** There must be one. */
    dropOldest(): Item {
      const slot = slotOf(dropped)
      const item = slots[slot] as Item
      slots[slot] = undefined
      dropped += 1
      return item
    },
    clear(): void {
      slots.length = 0
      added = 0
      dropped = 0
    },
    /** The oldest first. */
    toArray: () => Array.from({ length: added - dropped }, (_, index) => slots[slotOf(dropped + index)] as Item),
  }
}

/** A map that drops its least recently used entry when full. */
export class RecentMap<K, V> extends Map<K, V> {
  readonly #limit: number

  constructor(limit: number) {
    super()
    this.#limit = limit
  }

  override get(key: K): V | undefined {
    const value = super.get(key)
    if (value === undefined) return undefined
    this.delete(key)
    super.set(key, value)
    return value
  }

  override set(key: K, value: V): this {
    this.delete(key)
    super.set(key, value)
    if (this.size <= this.#limit) return this
    const [oldest] = this.keys()
    this.delete(oldest as K)
    return this
  }
}
