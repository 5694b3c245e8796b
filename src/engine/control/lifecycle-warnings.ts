import { MockError } from '../contract/errors.js'
import type { LifecycleMarkers } from '../contract/lifecycle.js'
import type { StoreOperationId } from '../contract/types.js'

/** What the document warns of. */
export const MARKERS = ['deprecated', 'experimental', 'alpha', 'beta'] as const

export type Marker = (typeof MARKERS)[number]

/** An operation that the document marks, and that was used. */
export interface MarkedUse {
  readonly operation: StoreOperationId
  readonly marker: Marker
  /** How many requests were for it. */
  readonly count: number
  /** The days a deprecated operation is deprecated since and gone from, where the document names them. */
  readonly since?: string
  readonly sunset?: string
}

/** Which marked operations were used. Counted apart from the journal, which forgets. */
export interface Deprecations {
  record(operation: string): void
  uses(): MarkedUse[]
  /** What to say of the uses that are to fail a test, once of each. */
  complaints(): MockError[]
  clear(): void
}

export function createDeprecations(
  markersOf: (operation: string) => LifecycleMarkers | undefined,
  failOn: readonly Marker[],
): Deprecations {
  const counts = new Map<string, { count: number }>()
  const told = new Set<string>()

  function uses(): MarkedUse[] {
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
    complaints() {
      const untold = uses().filter(({ marker, operation }) => failOn.includes(marker) && !told.has(operation))
      for (const { operation } of untold) told.add(operation)
      return untold.map((use) => new MockError('MARKED_OPERATION_USED', describe(use)))
    },
    clear() {
      counts.clear()
      told.clear()
    },
  }
}

function markerOf(markers: LifecycleMarkers): Marker | undefined {
  return markers.deprecated ? 'deprecated' : (markers['x-stability'] as Marker | undefined)
}

function describe({ operation, marker, count, since, sunset }: MarkedUse): string {
  const from = since === undefined ? '' : ` since ${since}`
  const until = sunset === undefined ? '' : ` and gone from ${sunset}`
  const times = count === 1 ? 'once' : `${count} times`
  return `${operation} was used ${times}, which is ${marker}${from}${until} (failOn names ${marker} operations)`
}
