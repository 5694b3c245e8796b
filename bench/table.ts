/** Prints a table: the first column aligned left, the others, which are figures, aligned right. */
export function printTable(header: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = header.map((_, column) => Math.max(...[header, ...rows].map((row) => row[column]?.length ?? 0)))
  const toLine = (row: readonly string[]) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ')
      .trimEnd()
  console.log(toLine(header))
  console.log(widths.map((width) => '-'.repeat(width)).join('  '))
  for (const row of rows) console.log(toLine(row))
  console.log()
}

export function printTitle(title: string, note = ''): void {
  console.log(`\n## ${title}\n${note === '' ? '' : `\n${note}\n`}`)
}

/** A ratio with the significant digits. */
export function ratio(value: number): string {
  return value >= 10 ? value.toFixed(1) : value >= 0.01 ? value.toFixed(2) : value.toFixed(4)
}

export function count(value: number): string {
  return Math.round(value).toLocaleString('en')
}

export function micros(value: number): string {
  return value >= 100 ? count(value) : value.toFixed(value >= 10 ? 1 : 2)
}

export function megabytes(bytes: number): string {
  return (bytes / 1_048_576).toFixed(1)
}
