/** What a fault rule or an override does to the requests that it applies to. */
export interface Plan<Item> {
  /** The first is for every request or, in a sequence, each for one request in turn. `pass` lets the request through. */
  readonly items: readonly (Item | 'pass')[]
  readonly isSequence: boolean
}

/** Whether it has applied as often as it may. */
export function isUsedUp(
  { items, isSequence }: Plan<unknown>,
  applied: number,
  times = Number.POSITIVE_INFINITY,
): boolean {
  return applied >= (isSequence ? items.length : times)
}

/** What it does to the next request. Call it only while it is not used up. */
export function nextItem<Item>({ items, isSequence }: Plan<Item>, applied: number): Item | 'pass' {
  return items[isSequence ? applied : 0] as Item | 'pass'
}
