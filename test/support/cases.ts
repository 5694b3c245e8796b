import { type Adapter, inMemory } from './adapters.js'
import { toJson } from './client.js'

/**
 * Runs a check for each case of a table within one test, so that the cases can share a mock. A failure names its case.
 */
export async function forEachCase<Case>(cases: readonly Case[], check: (each: Case) => unknown): Promise<void> {
  if (cases.length === 0) throw new Error('The table has no cases.')
  for (const each of cases) {
    try {
      await check(each)
    } catch (error) {
      if (error instanceof Error) error.message = `Case ${nameOf(each)}: ${error.message}`
      throw error
    }
  }
}

const MAX_NAME_LENGTH = 300

function nameOf(each: unknown): string {
  return (typeof each === 'string' ? each : (toJson(each) ?? String(each))).slice(0, MAX_NAME_LENGTH)
}

/** All rows in memory; on the other adapters, which carry the requests to the same engine, every fifth one. */
export function sampleFor<Row>(adapter: Adapter, rows: readonly Row[]): readonly Row[] {
  return adapter === inMemory ? rows : rows.filter((_, index) => index % 5 === 0)
}

type Combination<Row, Value> = readonly [id: string, value: Value, row: Row]

/**
 * In memory, each row with each of its values. The other adapters carry the requests to the same engine, so there each
 * row and each value occurs at least once.
 */
export function combine<Row extends { readonly id: string }, Value>(
  adapter: Adapter,
  rows: readonly Row[],
  valuesOf: (row: Row) => readonly Value[],
): Combination<Row, Value>[] {
  const all = rows.map((row) => valuesOf(row).map((value): Combination<Row, Value> => [row.id, value, row]))
  if (adapter === inMemory) return all.flat()
  const seen = new Set<Row | Value>()
  const chosen: Combination<Row, Value>[] = []
  const longest = Math.max(...all.map(({ length }) => length))
  for (let column = 0; column < longest; column++) {
    // Starts with another row for each column, so that the values are spread over the rows.
    for (let index = 0; index < rows.length; index++) {
      const combination = all[(column + index) % rows.length]?.[column]
      if (combination === undefined) continue
      const [, value, row] = combination
      if (!seen.has(row) || !seen.has(value)) chosen.push(combination)
      seen.add(row).add(value)
    }
  }
  return chosen
}
