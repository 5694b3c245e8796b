/** Something a part of the benchmark has to show. */
export interface Target {
  readonly name: string
  readonly value: number
  readonly atLeast?: number
  readonly atMost?: number
  readonly note?: string
}

/** What a part hands back: its targets, and its figures for a machine to read. */
export interface Outcome {
  readonly targets: readonly Target[]
  readonly figures: unknown
}

export interface Mode {
  /** Only us and the floor, in short. */
  readonly quick: boolean
}

export function isMet({ value, atLeast = -Infinity, atMost = Infinity }: Target): boolean {
  return value >= atLeast && value <= atMost
}
