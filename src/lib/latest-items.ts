/**
 * A list that grows at its end and shrinks at its start. Its items are numbered from 1. It is an array whose places are used
 * again: a Map that is used like this makes each garbage collection several times slower.
 */
export class LatestItems<Item> {
  readonly #places: (Item | undefined)[] = []
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
    this.#places[this.#placeOf(this.#added)] = item
  }

  /** Undefined if it was dropped or deleted. */
  get(number: number): Item | undefined {
    return number > this.#dropped && number <= this.#added ? this.#places[this.#placeOf(number)] : undefined
  }

  /** Undefined if it was deleted. */
  dropOldest(): Item | undefined {
    this.#dropped += 1
    const place = this.#placeOf(this.#dropped)
    const item = this.#places[place]
    this.#places[place] = undefined
    return item
  }

  /** It still counts as an item until it is dropped. */
  delete(number: number): void {
    if (this.get(number) !== undefined) this.#places[this.#placeOf(number)] = undefined
  }

  /** Those that were not deleted, oldest first. */
  toArray(): Item[] {
    const numbers = Array.from({ length: this.length }, (_, index) => this.#dropped + index + 1)
    return numbers.map((number) => this.get(number)).filter((item) => item !== undefined)
  }

  clear(): void {
    this.#places.length = 0
    this.#added = 0
    this.#dropped = 0
  }

  #placeOf(number: number): number {
    return (number - 1) % (this.#maxLength + 1)
  }
}
