/** The result of a judge. It passes without faults. */
export interface Verdict {
  /** A summary of what was checked, for the printed line. */
  readonly figures: string
  readonly faults: readonly string[]
}

/** Checks the built server or the packed package from outside, with a third-party tool. */
export interface Judge {
  readonly name: string
  judge(): Promise<Verdict>
}

/** Checks that a judge can fail: it must have reported this deliberate mistake. */
export function expectFound(what: string, found: boolean): readonly string[] {
  return found ? [] : [`The judge does not work: it did not report ${what}.`]
}

export function count(amount: number, one: string, many = `${one}s`): string {
  return `${amount.toLocaleString('en')} ${amount === 1 ? one : many}`
}
