import { verifiedPetstore } from '../../petstore/verify/service.js'
import { createPaint, DIM, GREEN, type Paint, RED, YELLOW } from '../../runners/terminal.js'
import { CHANGED, NEEDS_WRITES, SILENT, STOPPED } from '../../tools/server/cannot-check.js'
import { NotRecognised, toRecognised } from '../../tools/server/recognise-service.js'
import type { Finding } from '../../tools/verify/findings.js'
import { differencesOf, type GroupReport, type OperationReport, type Report } from '../../tools/verify/report.js'
import { type VerifiedService, verifyService } from '../../tools/verify/verify.js'
import { builtInService, type Service, splitSettings } from '../choose-service.js'
import { nameOf } from '../flag-values.js'
import { count, hasColour, type Io, printable, printableLines, toPrintableJson, write } from '../io.js'
import { escapeXml, type JunitCase, toFailure, toJunitXml, toSkipped } from '../junit.js'
import type { VerifySettings } from '../settings.js'
import { createTrustingFetch } from '../trusting-fetch.js'

// --- Text ---

/** A line for each group that passed; for the others a line for each operation, and its differences below that. */
export function toText(report: Report, colour = false): string {
  const paint = createPaint(colour)
  const { passed, failed, skipped, differences, changed } = report
  const found = differences === 0 ? '' : `: ${count(differences, 'difference')}`
  const summary = `${passed} passed, ${failed} failed, ${skipped} skipped${found}`
  const lines = [
    `petstore-mock verify ${printable(report.baseUrl)}`,
    '',
    ...report.groups.flatMap((group) => describeGroup(group, paint)),
    '',
    ...describeWrites(report),
    ...describeUndeclared(report),
    ...describeLeftBehind(report),
    ...describeChanged(report).map((line) => paint(RED, line)),
    paint(failed + changed.length > 0 ? RED : GREEN, summary),
  ]
  return `${lines.join('\n')}\n`
}

function describeWrites({ skippedWrites }: Report): string[] {
  if (skippedWrites === 0) return []
  const [were, them] = skippedWrites === 1 ? ['was', 'it'] : ['were', 'them']
  return [
    `Read-only: ${count(skippedWrites, 'check')} that would write to the service ${were} skipped. To run ${them} too,`,
    'add --allow-writes: verify then creates records, and changes and deletes only those.',
  ]
}

function describeUndeclared({ groups }: Report): string[] {
  const lines = groups
    .flatMap(({ operations }) => operations)
    .filter(({ undeclared }) => undeclared.length > 0)
    .map(({ operation, undeclared }) => `${operation}: ${undeclared.join(', ')}`)
  return lines.length === 0 ? [] : ['Fields that the OpenAPI document does not have, but allows:', ...firstOf(lines)]
}

function describeLeftBehind({ leftBehind }: Report): string[] {
  if (leftBehind.length === 0) return []
  const lines = leftBehind.map(({ kind, id, claimedId, reason }) => {
    const claim = claimedId === undefined ? '' : ` (perhaps ${claimedId})`
    return `${id === undefined ? `${kind} with an unknown id${claim}` : `${kind} ${id}`}: ${reason}`
  })
  return [`Left behind: ${count(leftBehind.length, 'record')} that verify created`, ...firstOf(lines)]
}

function describeChanged({ changed }: Report): string[] {
  if (changed.length === 0) return []
  const lines = changed.map(({ kind, id, before, after }) => `${kind} ${id}: ${before} → ${after ?? 'deleted'}`)
  return [
    `WARNING: ${count(changed.length, 'record')} that verify did not create changed during the run. Either another client`,
    'changed them, or the service applied a request to the wrong record.',
    ...firstOf(lines),
  ]
}

const MAX_LINES = 20

function firstOf(lines: readonly string[]): string[] {
  const shown = lines.slice(0, MAX_LINES).map((line) => `  ${printable(line)}`)
  const hidden = lines.length - shown.length
  return hidden > 0 ? [...shown, `  … and ${hidden} more, which --format json lists`] : shown
}

function describeGroup({ name, operations }: GroupReport, paint: Paint): string[] {
  const checks = operations.reduce((sum, { passed }) => sum + passed.length, 0)
  if (operations.every(({ failed, skipped }) => failed.length + skipped.length === 0)) {
    return [
      `${paint(GREEN, '✓')} ${printable(name).padEnd(5)} ${count(operations.length, 'operation')}, ${count(checks, 'check')}`,
    ]
  }
  return [printable(name), ...operations.flatMap((operation) => describeOperation(operation, paint))]
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
  const [only = ''] = reasons
  const hasOwnReasons = reasons.length > 1 || (only !== '' && !GENERAL_REASONS.includes(only))
  const why = only === '' || hasOwnReasons ? '' : paint(DIM, `: ${printable(only)}`)
  return [
    `  ${mark} ${printable(operation).padEnd(15)} ${counts.join(', ')}${why}`,
    ...differences.flatMap((difference) => describeDifference(difference, paint)),
    ...(hasOwnReasons ? reasons.flatMap((reason) => describeSkipped(reason, skipped, paint)) : []),
  ]
}

/** They concern all checks of an operation, which need not be listed. */
const GENERAL_REASONS = [NEEDS_WRITES, CHANGED, STOPPED, SILENT]

function describeSkipped(reason: string, skipped: OperationReport['skipped'], paint: Paint): string[] {
  const checks = skipped.filter((each) => each.reason === reason).map(({ check }) => `        ${printable(check)}`)
  return [`      ${paint(YELLOW, `not checked, because ${printable(reason)}`)}`, ...checks]
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

// --- JSON and JUnit ---

export function toJson(report: Report): string {
  return `${toPrintableJson(report, 2)}\n`
}

/** A suite for each operation and a case for each check, with the same names in every run. */
export function toJunit(report: Report): string {
  const suites = report.groups.flatMap(({ name, operations }) =>
    operations.map((each) => ({ name: `${name}.${each.operation}`, cases: casesOf(each) })),
  )
  return toJunitXml(`petstore-mock verify ${report.baseUrl}`, [
    ...suites,
    { name: 'verify.data', cases: [dataCase(report)] },
  ])
}

function casesOf(report: OperationReport): JunitCase[] {
  const { passed, failed, skipped } = report
  return [
    ...passed.map((name): JunitCase => ({ name, outcome: 'passed', content: '' })),
    ...failed.map((name): JunitCase => ({ name, outcome: 'failed', content: toFailure(differencesOf(report, name)) })),
    ...skipped.map(({ check, reason }): JunitCase => ({ name: check, outcome: 'skipped', content: toSkipped(reason) })),
  ]
}

/** Whether records that verify did not create are what they were. What is left behind is its output. */
function dataCase(report: Report): JunitCase {
  const { wroteData, changed, leftBehind } = report
  const lines = describeChanged(report).map(escapeXml)
  const content = [
    ...(wroteData ? [] : [toSkipped('verify did not write to the service')]),
    ...(changed.length > 0 ? [`<failure type="changed" message="${lines[0]}">${lines.join('\n')}</failure>`] : []),
    ...(leftBehind.length > 0
      ? [`<system-out>${describeLeftBehind(report).map(escapeXml).join('\n')}</system-out>`]
      : []),
  ]
  const outcome = !wroteData ? 'skipped' : changed.length > 0 ? 'failed' : 'passed'
  return { name: 'changes only records that verify created', outcome, content: content.join('') }
}

/** Prints how a service compares with the contract. Returns the exit code. */
export async function verify(
  baseUrl: string,
  { format, headers, timeout: timeoutMs, ca, operations, ignoredHeaders, ...others }: VerifySettings,
  env: NodeJS.ProcessEnv,
  io: Io,
): Promise<number> {
  const formats: Readonly<Record<VerifySettings['format'], (report: Report) => string>> = {
    text: (report) => toText(report, hasColour(io.stdout, env)),
    json: toJson,
    junit: toJunit,
  }
  const { service, options: settings } = await splitSettings(others)
  const allowWrites = settings.readOnly ? false : settings.allowWrites
  try {
    const signal = io.catchSignals()
    const send = ca === undefined ? fetch : createTrustingFetch(ca)
    const report = await verifyService(toVerified(service), {
      baseUrl,
      allowWrites,
      operations: operations && toKnown(operations, service),
      ignoredHeaders,
      headers,
      timeoutMs,
      fetch: send,
      signal,
    })
    await write(io.stdout, formats[format](report))
    return report.failed > 0 || report.changed.length > 0 || signal.aborted ? 1 : 0
  } catch (error) {
    if (!(error instanceof NotRecognised)) throw error
    io.stderr.write(`petstore-mock: ${printableLines(error.message)}\n`)
    return 1
  }
}

function toVerified(service: Service): VerifiedService {
  if (service === builtInService) return verifiedPetstore()
  const { document, errorCodes } = service
  return { ...toRecognised(service), document, errorCodes }
}

function toKnown(operations: readonly string[], { contract }: Service): string[] {
  const { read } = nameOf('operationId', () => contract.operations().map(({ operation }) => operation))
  return operations.map((operation) => read(operation, '--operation') as string)
}
