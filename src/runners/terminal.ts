import type { Coverage, CoverageShare, OperationCoverage, StatusCoverage } from '../engine/log/coverage.js'
import { printable } from '../lib/text.js'

const [PLAIN, BOLD] = [0, 1] as const
export const [DIM, RED, GREEN, YELLOW] = [2, 31, 32, 33] as const

/** Colours a text, if the output has colours. */
export type Paint = (code: number, text: string) => string

export function createPaint(colour: boolean): Paint {
  return (code, text) => (colour && code !== PLAIN ? `\u001b[${code}m${text}\u001b[0m` : text)
}

const MAX_LINE_WIDTH = 110
const GAP = '  '
const HEAD = ['operation', 'method and path', 'times', 'marked']
const PADDING = ['padEnd', 'padEnd', 'padStart', 'padEnd'] as const
const MARKER_COLUMN = 3
/** Longer cells are cut, to leave room for statuses. */
const MAX_WIDTHS = [26, 34, 12, 12]

/** A table for terminals, at most 110 columns wide, followed by a summary. */
export function formatCoverage(report: Coverage, { colour = false }: { colour?: boolean } = {}): string {
  const paint = createPaint(colour)
  const cells = [HEAD, ...report.operations.map(toCells)]
  const widths = HEAD.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)))
  const pad = (row: readonly string[]) =>
    row.map((cell, column) => cell[PADDING[column] ?? 'padEnd'](widths[column] ?? 0))
  const left = widths.reduce((sum, width) => sum + width + GAP.length, 0)
  const lines = report.operations.flatMap((operation) => {
    const color = operation.count === 0 ? DIM : PLAIN
    const head = pad(toCells(operation)).map((cell, column) =>
      paint(column === MARKER_COLUMN ? markerColor(operation) : color, cell),
    )
    return withStatuses(head.join(GAP), left, operation.statuses, paint)
  })
  return [
    paint(BOLD, [...pad(HEAD), 'statuses (missing)'].join(GAP)),
    ...lines,
    ...(report.operations.some(({ statuses }) => statuses.some(({ declared }) => !declared)) ? [LEGEND] : []),
    '',
    summaryLine('Operations', report.summary.operations),
    summaryLine('Statuses', report.summary.statuses),
  ].join('\n')
}

const LEGEND = '* not declared, covered only by default'

function toCells({ operation, method, path, count, deprecated, stability = '' }: OperationCoverage): string[] {
  const cells = [operation, `${method} ${path}`, String(count), deprecated ? 'deprecated' : stability]
  return cells.map((cell, column) => cut(printable(cell), MAX_WIDTHS[column] ?? MAX_LINE_WIDTH))
}

function cut(text: string, max: number): string {
  return text.length > max ? `${text.slice(0, max - 1)}…` : text
}

/** Highlights the use of marked operations, which tests should not rely on. */
function markerColor({ count, deprecated }: OperationCoverage): number {
  if (count === 0) return DIM
  return deprecated ? RED : YELLOW
}

/** The statuses after the other cells, wrapped to more lines if necessary. */
function withStatuses(head: string, left: number, statuses: readonly StatusCoverage[], paint: Paint): string[] {
  const lines: string[] = [head]
  let used = 0
  for (const [color, word] of toWords(statuses)) {
    if (used > 0 && left + used + word.length > MAX_LINE_WIDTH) {
      lines.push(' '.repeat(left - GAP.length))
      used = 0
    }
    lines.push(`${lines.pop()}${used === 0 ? GAP : ' '}${paint(color, word)}`)
    used += word.length + 1
  }
  return lines
}

function toWords(statuses: readonly StatusCoverage[]): (readonly [color: number, word: string])[] {
  const exercised = statuses.filter(({ count }) => count > 0)
  const missing = statuses.filter(({ count }) => count === 0)
  return [
    ...exercised.map(({ status, declared }) => [GREEN, `${status}${declared ? '' : '*'}`] as const),
    ...missing.map(({ status }, index) => {
      const [open, close] = [index === 0 ? '(' : '', index === missing.length - 1 ? ')' : '']
      return [DIM, `${open}${status}${close}`] as const
    }),
  ]
}

function summaryLine(name: string, share: CoverageShare): string {
  return `${name.padEnd(10)} ${share.exercised} of ${share.total} exercised (${formatPercent(share)})`
}

/** Rounded down, so that 100 % means all. */
export function formatPercent({ total, exercised }: CoverageShare): string {
  return `${total === 0 ? 100 : Math.floor((1000 * exercised) / total) / 10} %`
}
