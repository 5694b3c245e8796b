/** A goal for one figure. */
export interface Target {
  readonly name: string
  readonly value: number
  readonly atLeast?: number
  readonly atMost?: number
  readonly note?: string
}

/** The result of a part: its targets, and its figures as data. */
export interface Outcome {
  readonly targets: readonly Target[]
  readonly figures: unknown
}

export interface Mode {
  /** Only petstore-mock and the baseline, with shorter samples. */
  readonly quick: boolean
  /** The `dist` folder of another build, to compare with. */
  readonly against?: string | undefined
}

export function isMet({ value, atLeast = -Infinity, atMost = Infinity }: Target): boolean {
  return value >= atLeast && value <= atMost
}
