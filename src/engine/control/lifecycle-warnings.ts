import { MockError } from '../contract/errors.js'
import type { LifecycleExtensions } from '../contract/lifecycle.js'

/** How an OpenAPI document marks an operation. */
export const LIFECYCLE_MARKERS = ['deprecated', 'experimental', 'alpha', 'beta'] as const

export type LifecycleMarker = (typeof LIFECYCLE_MARKERS)[number]

/** A marked operation that was used. */
export interface LifecycleWarning<OperationId extends string = string> {
  readonly operation: OperationId
  readonly marker: LifecycleMarker
  /** How often it was used. */
  readonly count: number
  /** The dates of the deprecation and of the sunset, if the document has them. */
  readonly since?: string
  readonly sunset?: string
}

/** Counts the use of marked operations. Separate from the journal, which drops old entries. */
export interface LifecycleWarnings {
  record(operation: string): void
  list(): LifecycleWarning[]
  /** One error for each use that `failOn` forbids and that was not returned before. */
  takeErrors(): MockError[]
  clear(): void
}

export function createLifecycleWarnings(
  markersOf: (operation: string) => LifecycleExtensions | undefined,
  failOn: readonly LifecycleMarker[],
): LifecycleWarnings {
  const counts = new Map<string, { count: number }>()
  const reported = new Set<string>()

  function list(): LifecycleWarning[] {
    return [...counts].flatMap(([id, { count }]) => {
      const markers = markersOf(id)
      const marker = markers && markerOf(markers)
      if (marker === undefined) return []
      const since = markers?.['x-deprecated-since']
      const sunset = markers?.['x-deprecated-sunset']
      return { operation: id, marker, count, ...(since && { since }), ...(sunset && { sunset }) }
    })
  }

  return {
    record(operation) {
      const known = counts.get(operation)
      if (known === undefined) counts.set(operation, { count: 1 })
      else known.count += 1
    },
    list,
    takeErrors() {
      const unreported = list().filter(({ marker, operation }) => failOn.includes(marker) && !reported.has(operation))
      for (const { operation } of unreported) reported.add(operation)
      return unreported.map((use) => new MockError('LIFECYCLE_WARNING', describe(use)))
    },
    clear() {
      counts.clear()
      reported.clear()
    },
  }
}

function markerOf(markers: LifecycleExtensions): LifecycleMarker | undefined {
  return markers.deprecated ? 'deprecated' : (markers['x-stability'] as LifecycleMarker | undefined)
}

function describe({ operation, marker, count, since, sunset }: LifecycleWarning): string {
  const from = since === undefined ? '' : ` since ${since}`
  const until = sunset === undefined ? '' : ` (sunset: ${sunset})`
  const times = count === 1 ? 'once' : `${count} times`
  return `${operation} was used ${times}, but is ${marker}${from}${until}. The option failOn forbids ${marker} operations.`
}
