export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2
}

export function at(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] as number
}

/** How long it takes, in microseconds. */
export function time(act: () => void): number {
  const startedAt = performance.now()
  act()
  return (performance.now() - startedAt) * 1000
}

export async function timeLater(act: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await act()
  return (performance.now() - startedAt) * 1000
}
