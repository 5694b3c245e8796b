/** What a judge found. It passes if it found no fault. */
export interface Verdict {
  /** How much was looked at, for the one line that is printed. */
  readonly figures: string
  readonly faults: readonly string[]
}

/** One that looks at the built server or the packed package from outside, with a tool that others made. */
export interface Judge {
  readonly name: string
  judge(): Promise<Verdict>
}

/** A judge that cannot fail proves nothing: what it has to report when shown something wrong on purpose. */
export function expectFound(what: string, found: boolean): readonly string[] {
  return found ? [] : [`the judge itself is blind: it did not report ${what}`]
}

export function count(amount: number, one: string, many = `${one}s`): string {
  return `${amount.toLocaleString('en')} ${amount === 1 ? one : many}`
}
