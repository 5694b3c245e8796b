import { NEEDS_WRITES } from '../remote/cannot-check.js'
import type { ReplayedRequest, ReplayReport } from '../remote/replay/report.js'
import { createPaint, DIM, GREEN, type Paint, RED, YELLOW } from '../terminal/paint.js'
import { count } from './count.js'
import { printable } from './io.js'
import { type JunitCase, toFailure, toJunitXml, toSkipped } from './junit.js'

/** The first request that differs, like a diff, and a summary. */
export function toText(file: string, report: ReplayReport, colour = false): string {
  const paint = createPaint(colour)
  const { same, different, skipped, missing, requests, faithfulness } = report
  const [first, ...others] = requests.filter(({ outcome }) => outcome === 'different')
  const lines = [
    titleOf(file, report),
    '',
    ...(missing > 0
      ? [
          paint(
            YELLOW,
            `Missing at the start of the recording: ${count(missing, 'step')}. Differences may come from that.`,
          ),
        ]
      : []),
    ...(first ? describeDifferent(first, requests.length, paint) : []),
    ...(others.length > 0 ? [`${describeOthers(others)} To see all, add --format json.`, ''] : []),
    ...describeSkipped(requests),
    ...(faithfulness ? describeFaithfulness(faithfulness, requests) : []),
    paint(different > 0 ? RED : GREEN, `${same} same, ${different} different, ${skipped} skipped`),
  ]
  return `${lines.join('\n')}\n`
}

function titleOf(file: string, { against }: ReplayReport): string {
  return `petstore-mock replay ${printable(file)}${against === undefined ? '' : ` --against ${printable(against)}`}`
}

function describeDifferent({ number, request, differences }: ReplayedRequest, total: number, paint: Paint): string[] {
  return [
    `Request ${number} of ${total}: ${printable(request)}`,
    ...differences.flatMap(({ aspect, expected, received }) => [
      `  ${printable(aspect)}`,
      paint(RED, `  - ${printable(expected)}`),
      paint(GREEN, `  + ${printable(received)}`),
    ]),
    paint(DIM, '  (- recorded, + now)'),
    '',
  ]
}

/** Where the mock differs from the real service, and how much of it is the same. */
function describeFaithfulness(
  { same, of }: NonNullable<ReplayReport['faithfulness']>,
  requests: readonly ReplayedRequest[],
): string[] {
  const different = requests.filter(({ isOfUpstream, outcome }) => isOfUpstream && outcome === 'different')
  const lines = different.slice(0, MAX_DIFFERENT).map(({ number, request, differences }) => {
    const aspects = differences.slice(0, MAX_ASPECTS).map(({ aspect }) => printable(aspect))
    return `  ${number} ${printable(request, 80)}: ${aspects.join(', ')}${differences.length > MAX_ASPECTS ? ' …' : ''}`
  })
  const percent = Math.floor((100 * same) / of)
  return [`Faithfulness: ${percent} % (${same} of ${count(of, 'response')} of the real service)`, ...lines, '']
}

const MAX_DIFFERENT = 50
const MAX_ASPECTS = 4

const MAX_NUMBERS = 10

function describeOthers(others: readonly ReplayedRequest[]): string {
  const numbers = others.slice(0, MAX_NUMBERS).map(({ number }) => number)
  const more = others.length > MAX_NUMBERS ? ' …' : ''
  return `${count(others.length, 'later request')} ${others.length === 1 ? 'differs' : 'differ'}, too: ${numbers.join(', ')}${more}.`
}

/** A line for each reason. */
function describeSkipped(requests: readonly ReplayedRequest[]): string[] {
  const reasons = new Map<string, number>()
  for (const { reason } of requests) if (reason !== undefined) reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
  return Array.from(reasons, ([reason, times]) => {
    const hint = reason === NEEDS_WRITES ? '. To send such requests, add --allow-writes' : ''
    return `${count(times, 'request')} skipped: ${reason}${hint}.`
  })
}

export function toJson(file: string, report: ReplayReport): string {
  return `${JSON.stringify({ file, ...report }, null, 2)}\n`
}

/** A case for each request. */
export function toJunit(file: string, report: ReplayReport): string {
  const cases = report.requests.map(({ number, request, outcome, reason = '', differences }): JunitCase => {
    const name = `${number} ${request}`
    if (outcome === 'same') return { name, outcome: 'passed', content: '' }
    if (outcome === 'skipped') return { name, outcome, content: toSkipped(reason) }
    return { name, outcome: 'failed', content: toFailure(differences) }
  })
  return toJunitXml(titleOf(file, report), [{ name: 'replay', cases }])
}
