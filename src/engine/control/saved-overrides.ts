import { isBytes } from '../../lib/kind.js'
import type { UncheckedResponse } from './override.js'
import { createLayer, type Layer, type LayerDependencies, withoutBytes } from './override-layer.js'
import { isSameJson, requireNumbers } from './saved-values.js'

/** A fixed override and its count, as JSON. */
export interface SavedOverride extends Pick<Layer, 'operation' | 'isSequence' | 'options' | 'addedAt' | 'applied'> {
  readonly items: readonly {
    readonly response: UncheckedResponse | 'pass'
    /** The body, if it consists of bytes. */
    readonly bytes?: readonly number[]
  }[]
}

/** Undefined for one with a function. */
export function toSaved({ operation, items, isSequence, options, addedAt, applied }: Layer): SavedOverride | undefined {
  if (!isFixed(items)) return undefined
  const saved = items.map((item) =>
    typeof item === 'object' && isBytes(item.body)
      ? { response: withoutBytes(item), bytes: [...item.body] }
      : { response: item },
  )
  return { operation, items: saved, isSequence, options, addedAt, applied }
}

/** Throws if it is invalid. */
export function createSavedLayer(
  { operation, items, isSequence, options, addedAt, applied }: SavedOverride,
  dependencies: LayerDependencies,
): Omit<Layer, 'id'> {
  requireNumbers(addedAt, applied)
  const given = items.map(({ response, bytes }) =>
    bytes === undefined ? response : { ...(response as UncheckedResponse), body: Uint8Array.from(bytes) },
  )
  const layer = createLayer(operation, isSequence ? given : given[0], options, dependencies)
  return { ...layer, addedAt, applied, isRestored: true }
}

type Comparable = Pick<Layer, 'operation' | 'items' | 'isSequence' | 'options'>

/** Functions are never the same. */
export function isSameOverride(one: Comparable, other: Comparable): boolean {
  if (!isFixed(one.items) || !isFixed(other.items)) return false
  const [a, b] = [one, other].map(({ operation, items, isSequence, options }) => [
    operation,
    items,
    isSequence,
    options,
  ])
  return isSameJson(a, b)
}

function isFixed(items: Layer['items']): items is readonly (UncheckedResponse | 'pass')[] {
  return items.every((item) => typeof item !== 'function')
}
