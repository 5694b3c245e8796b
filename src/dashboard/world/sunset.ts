import type { Coverage } from '../types.js'

/** The first sunset that the document announces. */
export interface Sunset {
  readonly operations: readonly string[]
  /** Such as 2030-12-05. */
  readonly day: string
  /** A moment at which it has passed. */
  readonly after: string
}

export function readSunset({ operations }: Coverage): Sunset | undefined {
  const [day] = operations.flatMap(({ sunset }) => sunset ?? []).sort()
  if (day === undefined) return undefined
  const gone = operations.filter(({ sunset }) => sunset === day).map(({ operation }) => operation)
  return { operations: gone, day, after: `${day}T00:00:01.000Z` }
}
