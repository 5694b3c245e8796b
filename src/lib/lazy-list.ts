/** A list whose items are made one by one as they are read: in slices, and without storing all of them. */
export class LazyList<T> implements Iterable<T> {
  readonly #items: Iterable<T>

  constructor(items: Iterable<T>) {
    this.#items = items
  }

  map<R>(toResult: (item: T) => R): LazyList<R> {
    const items = this.#items
    return new LazyList({
      *[Symbol.iterator]() {
        for (const item of items) yield toResult(item)
      },
    })
  }

  [Symbol.iterator](): Iterator<T> {
    return this.#items[Symbol.iterator]()
  }
}
