import type { Forbiddable, LifecycleExtensions, LifecycleMarker } from '../../document/contract/operation.js'
import { MockError } from '../../http/errors.js'

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
export function createLifecycleWarnings(
  markersOf: (operation: string) => LifecycleExtensions | undefined,
  failOn: readonly Forbiddable[],
) {
  const counts = new Map<string, number>()
  const reported = new Set<string>()

  function list(): LifecycleWarning[] {
    return [...counts].flatMap(([operation, count]) => {
      const markers = markersOf(operation)
      const marker = markers && markerOf(markers)
      if (marker === undefined) return []
      const since = markers?.['x-deprecated-since']
      const sunset = markers?.['x-deprecated-sunset']
      return { operation, marker, count, ...(since && { since }), ...(sunset && { sunset }) }
    })
  }

  return {
    record(operation: string): void {
      counts.set(operation, (counts.get(operation) ?? 0) + 1)
    },
    list,
    /** One error for each use that `failOn` forbids and that was not returned before. */
    takeErrors(): MockError[] {
      const unreported = list().filter(({ marker, operation }) => failOn.includes(marker) && !reported.has(operation))
      for (const { operation } of unreported) reported.add(operation)
      return unreported.map((use) => new MockError('LIFECYCLE_WARNING', describe(use)))
    },
    clear(): void {
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
