/**
 * A list that grows at its end and shrinks at its start. Its items are numbered from 1. It is an array whose slots are used
 * again: a Map that is used like this makes each garbage collection several times slower.
 */
export class LatestItems<Item> {
  readonly #slots: (Item | undefined)[] = []
  readonly #maxLength: number
  #added = 0
  #dropped = 0

  /** The caller drops the oldest item whenever it has added one too many. */
  constructor(maxLength: number) {
    this.#maxLength = maxLength
  }

  get added(): number {
    return this.#added
  }

  get dropped(): number {
    return this.#dropped
  }

  get length(): number {
    return this.#added - this.#dropped
  }

  add(item: Item): void {
    this.#added += 1
    this.#slots[this.#slotOf(this.#added)] = item
  }

  /** Undefined if it was dropped. */
  get(number: number): Item | undefined {
    return number > this.#dropped && number <= this.#added ? this.#slots[this.#slotOf(number)] : undefined
  }

  get oldest(): Item | undefined {
    return this.get(this.#dropped + 1)
  }

  dropOldest(): Item | undefined {
    const { oldest } = this
    if (this.length === 0) return undefined
    this.#dropped += 1
    this.#slots[this.#slotOf(this.#dropped)] = undefined
    return oldest
  }

  /** The oldest first. */
  toArray(): Item[] {
    return Array.from({ length: this.length }, (_, index) => this.get(this.#dropped + index + 1) as Item)
  }

  clear(): void {
    this.#slots.length = 0
    this.#added = 0
    this.#dropped = 0
  }

  #slotOf(number: number): number {
    return (number - 1) % (this.#maxLength + 1)
  }
}
