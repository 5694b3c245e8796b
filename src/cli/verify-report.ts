import type { Finding } from '../verify/findings.js'
import { differencesOf, type GroupReport, type OperationReport, type Report } from '../verify/report.js'
import { printable } from './io.js'

// --- For people ---

/** A line for each group that is fine; for the others a line for each operation, and its differences below. */
export function toText(report: Report, colour = false): string {
  const paint: Paint = (code, text) => (colour ? `\u001b[${code}m${text}\u001b[0m` : text)
  const { passed, failed, skipped, differences, leftBehind } = report
  const found = differences === 0 ? '' : `: ${differences} ${differences === 1 ? 'difference' : 'differences'}`
  const summary = `${passed} passed, ${failed} failed, ${skipped} skipped${found}`
  const lines = [
    `petstore-mock verify ${printable(report.baseUrl)}`,
    '',
    ...report.groups.flatMap((group) => describeGroup(group, paint)),
    '',
    ...(leftBehind.length > 0 ? [`Left behind: ${leftBehind.join(', ')}; a complete order cannot be deleted`] : []),
    paint(failed > 0 ? RED : GREEN, summary),
  ]
  return `${lines.join('\n')}\n`
}

type Paint = (code: number, text: string) => string

const [RED, GREEN, YELLOW, DIM] = [31, 32, 33, 2]

function describeGroup({ name, operations }: GroupReport, paint: Paint): string[] {
  const checks = operations.reduce((sum, { passed }) => sum + passed.length, 0)
  if (operations.every(({ failed, skipped }) => failed.length + skipped.length === 0)) {
    return [`${paint(GREEN, '✓')} ${name.padEnd(5)} ${operations.length} operations, ${checks} checks`]
  }
  return [name, ...operations.flatMap((operation) => describeOperation(operation, paint))]
}

function describeOperation(report: OperationReport, paint: Paint): string[] {
  const { operation, passed, failed, differences, skipped } = report
  const mark = failed.length > 0 ? paint(RED, '✗') : skipped.length > 0 ? paint(YELLOW, '-') : paint(GREEN, '✓')
  const counts = [
    ...(passed.length > 0 ? [`${passed.length} passed`] : []),
    ...(failed.length > 0 ? [`${failed.length} failed`] : []),
    ...(skipped.length > 0 ? [`${skipped.length} skipped`] : []),
  ]
  const reasons = [...new Set(skipped.map(({ reason }) => reason))]
  const why = reasons.length > 0 ? paint(DIM, `: ${printable(reasons.join('; '))}`) : ''
  return [
    `  ${mark} ${operation.padEnd(15)} ${counts.join(', ')}${why}`,
    ...differences.flatMap((difference) => describeDifference(difference, paint)),
  ]
}

function describeDifference({ aspect, sent, expected, received, checks }: Finding, paint: Paint): string[] {
  const times = checks.length > 1 ? paint(DIM, ` (in ${checks.length} checks)`) : ''
  return [
    `      ${paint(RED, printable(aspect))}${times}`,
    ...Object.entries({ sent, expected, received }).map(
      ([label, text]) => `        ${label.padEnd(8)} ${printable(text)}`,
    ),
  ]
}

// --- For programs ---

export function toJson(report: Report): string {
  return `${JSON.stringify(report, null, 2)}\n`
}

/**
 * As test runners write it, for whoever collects results: a suite for each operation, a case for each check, of the same
 * name in every run.
 */
export function toJunit({ baseUrl, groups, ...counts }: Report): string {
  const suites = groups.flatMap(({ name, operations }) => operations.map((each) => toSuite(name, each)))
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${escapeXml(`petstore-mock verify ${baseUrl}`)}" ${toCounts(counts)}>`,
    ...suites,
    '</testsuites>',
    '',
  ].join('\n')
}

function toCounts({ passed, failed, skipped }: Pick<Report, 'passed' | 'failed' | 'skipped'>): string {
  return `tests="${passed + failed + skipped}" failures="${failed}" errors="0" skipped="${skipped}"`
}

function toSuite(group: string, report: OperationReport): string {
  const { operation, passed, failed, skipped } = report
  const suite = `${group}.${operation}`
  const open = (name: string): string => `    <testcase classname="${suite}" name="${escapeXml(name)}"`
  const counts = toCounts({ passed: passed.length, failed: failed.length, skipped: skipped.length })
  return [
    `  <testsuite name="${suite}" ${counts}>`,
    ...passed.map((check) => `${open(check)}/>`),
    ...failed.map((check) => `${open(check)}>${toFailure(differencesOf(report, check))}</testcase>`),
    ...skipped.map(({ check, reason }) => `${open(check)}><skipped message="${escapeXml(reason)}"/></testcase>`),
    '  </testsuite>',
  ].join('\n')
}

/** Readers of such files look at the first failure of a case only. */
function toFailure(differences: readonly Finding[]): string {
  const message = differences.map(
    ({ aspect, expected, received }) => `${aspect}: expected ${expected}, received ${received}`,
  )
  const text = differences.map(({ aspect, sent, expected, received }) =>
    [aspect, `  sent: ${sent}`, `  expected: ${expected}`, `  received: ${received}`].map(escapeXml).join('\n'),
  )
  return `<failure type="difference" message="${escapeXml(message.join('; '))}">${text.join('\n')}</failure>`
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}

/** XML has no way at all to write most control characters. */
function escapeXml(text: string): string {
  return printable(text)
    .replaceAll(/[\ufffe\uffff]/g, '\ufffd')
    .replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
}
