import { shareBetweenBuilds } from '../../lib/share-between-builds.js'
import type { DeclaredOperation } from '../contract/contract.js'

/** Which operations and statuses of an OpenAPI document were exercised. */
export interface Coverage {
  /** Every operation, in the order of the document. */
  readonly operations: readonly OperationCoverage[]
  readonly summary: {
    readonly operations: CoverageShare
    /** Declared statuses only. */
    readonly statuses: CoverageShare
  }
}

export interface OperationCoverage extends Omit<DeclaredOperation, 'statuses'> {
  /** The number of requests. */
  readonly count: number
  /** The declared statuses, and returned ones that only `default` covers; ascending. */
  readonly statuses: readonly StatusCoverage[]
}

export interface StatusCoverage {
  readonly status: number
  readonly declared: boolean
  readonly count: number
}

export interface CoverageShare {
  readonly total: number
  readonly exercised: number
}

interface Counts {
  total: number
  readonly byStatus: Map<number, number>
}

export function createCoverage(operations: readonly DeclaredOperation[]) {
  /** Only for used operations, to save memory: every sandbox has a counter. */
  const counts = new Map<string, Counts>()
  const source = {}

  return {
    /** Ignores unknown operations. Status 0, which means no response, counts for the operation only. */
    record(operation: string, status: number, times = 1): void {
      let known = counts.get(operation)
      if (known === undefined) {
        if (!operations.some((each) => each.operation === operation)) return
        known = { total: 0, byStatus: new Map() }
        counts.set(operation, known)
      }
      known.total += times
      if (status > 0) known.byStatus.set(status, (known.byStatus.get(status) ?? 0) + times)
    },
    report(): Coverage {
      const report = summarize(
        operations.map((operation) => {
          const known = counts.get(operation.operation)
          return known === undefined ? describeUnused(operation) : describe(operation, known)
        }),
      )
      sources.set(report, source)
      return report
    },
  }
}

const sources = shareBetweenBuilds('coverage', () => new WeakMap<Coverage, object>())

/** Identifies the counter behind a report. Later reports of a counter include the counts of earlier ones. */
export function sourceOf(report: Coverage): object | undefined {
  return sources.get(report)
}

function describe({ statuses, ...operation }: DeclaredOperation, counts: Counts): OperationCoverage {
  const { total, byStatus } = counts
  const known = [...new Set([...statuses, ...byStatus.keys()])].sort((a, b) => a - b)
  return {
    ...operation,
    count: total,
    statuses: known.map((status) => ({
      status,
      declared: statuses.includes(status),
      count: byStatus.get(status) ?? 0,
    })),
  }
}

/** Made once for all mocks: there is a report after every test, and a test uses few operations. */
function describeUnused(operation: DeclaredOperation): OperationCoverage {
  const known = unused.get(operation) ?? describe(operation, { total: 0, byStatus: new Map() })
  unused.set(operation, known)
  return known
}

const unused = new WeakMap<DeclaredOperation, OperationCoverage>()

function summarize(operations: readonly OperationCoverage[]): Coverage {
  const statuses = { total: 0, exercised: 0 }
  for (const operation of operations) {
    for (const { declared, count } of operation.statuses) {
      if (!declared) continue
      statuses.total += 1
      if (count > 0) statuses.exercised += 1
    }
  }
  return { operations, summary: { operations: shareOf(operations), statuses } }
}

/** The same report without some statuses. */
export function leaveOutStatuses({ operations }: Coverage, ignored: readonly number[]): Coverage {
  const isCounted = ({ status }: StatusCoverage) => !ignored.includes(status)
  return summarize(operations.map((each) => ({ ...each, statuses: each.statuses.filter(isCounted) })))
}

function shareOf(counted: readonly { readonly count: number }[]): CoverageShare {
  return { total: counted.length, exercised: counted.filter(({ count }) => count > 0).length }
}

/** 100 if there is nothing to exercise. */
export function percentOf({ total, exercised }: CoverageShare): number {
  return total === 0 ? 100 : (100 * exercised) / total
}

const MAX_LINE_WIDTH = 110
const GAP = '  '
const HEAD = ['operation', 'method and path', 'times', 'marked']
const PADDING = ['padEnd', 'padEnd', 'padStart', 'padEnd'] as const
const MARKER_COLUMN = 3
/** Longer cells are cut, to leave room for statuses. */
const MAX_WIDTHS = [26, 34, 12, 12]

type Paint = (code: number, text: string) => string

/** A table for terminals, at most 110 columns wide, followed by a summary. */
export function formatCoverage(report: Coverage, { colour = false }: { colour?: boolean } = {}): string {
  const paint: Paint = (code, text) => (colour && code !== PLAIN ? `\u001b[${code}m${text}\u001b[0m` : text)
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

const [PLAIN, BOLD, DIM, RED, GREEN, YELLOW] = [0, 1, 2, 31, 32, 33] as const

function toCells({ operation, method, path, count, deprecated, stability = '' }: OperationCoverage): string[] {
  const cells = [operation, `${method} ${path}`, String(count), deprecated ? 'deprecated' : stability]
  return cells.map((cell, column) => cut(cell, MAX_WIDTHS[column] ?? MAX_LINE_WIDTH))
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
