const WIDTH = 50

export interface Bar {
  readonly name: string
  readonly value: number
  /** The text after the bar. */
  readonly label: string
}

/** Prints horizontal bars, the longest as wide as the chart. */
export function printBars(bars: readonly Bar[]): void {
  const longest = Math.max(...bars.map(({ value }) => value))
  const nameWidth = Math.max(...bars.map(({ name }) => name.length))
  for (const { name, value, label } of bars) {
    const length = Math.max(1, Math.round((value / longest) * WIDTH))
    console.log(`${name.padEnd(nameWidth)}  ${'█'.repeat(length)} ${label}`)
  }
  console.log()
}
