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
