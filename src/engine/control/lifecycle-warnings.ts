import { MockError } from '../contract/errors.js'
import type { LifecycleExtensions } from '../contract/lifecycle.js'
import type { StoreOperationId } from '../contract/types.js'

/** What the document warns of. */
export const MARKERS = ['deprecated', 'experimental', 'alpha', 'beta'] as const

export type LifecycleMarker = (typeof MARKERS)[number]

/** An operation that the document marks, and that was used. */
export interface LifecycleWarning {
  readonly operation: StoreOperationId
  readonly marker: LifecycleMarker
  /** How many requests were for it. */
  readonly count: number
  /** The days a deprecated operation is deprecated since and gone from, where the document names them. */
  readonly since?: string
  readonly sunset?: string
}

/** Which marked operations were used. Counted apart from the journal, which forgets. */
export interface Deprecations {
  record(operation: string): void
  uses(): LifecycleWarning[]
  /** What to say of the uses that are to fail a test, once of each. */
  unreportedErrors(): MockError[]
  clear(): void
}

export function createDeprecations(
  markersOf: (operation: string) => LifecycleExtensions | undefined,
  failOn: readonly LifecycleMarker[],
): Deprecations {
  const counts = new Map<string, { count: number }>()
  const told = new Set<string>()

  function uses(): LifecycleWarning[] {
    return [...counts].flatMap(([id, { count }]) => {
      const markers = markersOf(id)
      const marker = markers && markerOf(markers)
      if (marker === undefined) return []
      const since = markers?.['x-deprecated-since']
      const sunset = markers?.['x-deprecated-sunset']
      return { operation: id as StoreOperationId, marker, count, ...(since && { since }), ...(sunset && { sunset }) }
    })
  }

  return {
    record(operation) {
      const known = counts.get(operation)
      if (known === undefined) counts.set(operation, { count: 1 })
      else known.count += 1
    },
    uses,
    unreportedErrors() {
      const untold = uses().filter(({ marker, operation }) => failOn.includes(marker) && !told.has(operation))
      for (const { operation } of untold) told.add(operation)
      return untold.map((use) => new MockError('LIFECYCLE_WARNING', describe(use)))
    },
    clear() {
      counts.clear()
      told.clear()
    },
  }
}

function markerOf(markers: LifecycleExtensions): LifecycleMarker | undefined {
  return markers.deprecated ? 'deprecated' : (markers['x-stability'] as LifecycleMarker | undefined)
}

function describe({ operation, marker, count, since, sunset }: LifecycleWarning): string {
  const from = since === undefined ? '' : ` since ${since}`
  const until = sunset === undefined ? '' : ` and gone from ${sunset}`
  const times = count === 1 ? 'once' : `${count} times`
  return `${operation} was used ${times}, which is ${marker}${from}${until} (failOn names ${marker} operations)`
}
