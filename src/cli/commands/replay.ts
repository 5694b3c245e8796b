import { SERVER_DEFAULTS } from '../../adapters/server/options.js'
import { FileError } from '../../document/load/file-error.js'
import type { Reproduction } from '../../engine/log/reproduction.js'
import { createMock } from '../../engine/mock/create-mock.js'
import type { AnyService } from '../../engine/mock/define-service.js'
import { createPaint, DIM, GREEN, type Paint, RED, YELLOW } from '../../runners/terminal.js'
import { startingOptions } from '../../tools/replay/read-reproduction.js'
import { replay as replayInMemory } from '../../tools/replay/replay.js'
import { replayAgainst } from '../../tools/replay/replay-against.js'
import type { ReplayedRequest, ReplayReport } from '../../tools/replay/report.js'
import { CannotCheck, NEEDS_WRITES } from '../../tools/server/cannot-check.js'
import { NotRecognised, toRecognised } from '../../tools/server/recognise-service.js'
import { toSnippet } from '../../tools/snippets/index.js'
import { pathInCode, type Service, splitSettings } from '../choose-service.js'
import { orFileError, parseFixture, readFixtureFile, readReproductionFile } from '../files.js'
import { count, hasColour, type Io, printable, printableLines, toPrintableJson, write } from '../io.js'
import { type JunitCase, toFailure, toJunitXml, toSkipped } from '../junit.js'
import type { ReplaySettings } from '../settings.js'
import { createTrustingFetch } from '../trusting-fetch.js'
import { serve } from './serve.js'

/** The first request that differs, like a diff, and a summary. */
function toText(file: string, report: ReplayReport, colour = false): string {
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

function toJson(file: string, report: ReplayReport): string {
  return `${toPrintableJson({ file, ...report }, 2)}\n`
}

/** A case for each request. */
function toJunit(file: string, report: ReplayReport): string {
  const cases = report.requests.map(({ number, request, outcome, reason = '', differences }): JunitCase => {
    const name = `${number} ${request}`
    if (outcome === 'same') return { name, outcome: 'passed', content: '' }
    if (outcome === 'skipped') return { name, outcome, content: toSkipped(reason) }
    return { name, outcome: 'failed', content: toFailure(differences) }
  })
  return toJunitXml(titleOf(file, report), [{ name: 'replay', cases }])
}

interface ReadFile {
  readonly file: string
  readonly service: Service
  readonly reproduction: Reproduction
}

/** Repeats the requests of a reproduction, and prints how the responses compare. Returns the exit code. */
export async function replay(file: string, settings: ReplaySettings, env: NodeJS.ProcessEnv, io: Io): Promise<number> {
  const { service } = await splitSettings(settings)
  const read = { file, service, reproduction: await readReproductionFile(file, service) }
  if (settings.as !== undefined) return printCode(read, settings, io)
  if (settings.until !== undefined) return serveFrom(read, settings, env, io)
  const signal = io.catchSignals()
  const report = await runReplay(read, settings, signal).catch((error: unknown) => {
    if (!(error instanceof NotRecognised || error instanceof CannotCheck)) throw error
    const message = signal.aborted ? 'Stopped before a request was repeated.' : error.message
    io.stderr.write(`petstore-mock: ${printableLines(message)}\n`)
  })
  if (report === undefined) return 1
  const { format } = settings
  const text = format === 'text' ? toText(file, report, hasColour(io.stdout, env)) : FORMATS[format](file, report)
  await write(io.stdout, text)
  return report.different > 0 || signal.aborted ? 1 : 0
}

/** Prints requests as code. */
async function printCode(
  { file, reproduction }: ReadFile,
  {
    as = 'vitest',
    requests: [first, last] = [1, Number.POSITIVE_INFINITY],
    against,
    document,
    service,
  }: ReplaySettings,
  io: Io,
): Promise<number> {
  const all = reproduction.steps.filter((step) => 'request' in step)
  if (all.length === 0) throw new FileError(file, ['No requests were recorded.'])
  if (first > all.length)
    throw new FileError(file, [`There is no request ${first}: ${count(all.length, 'request')} recorded.`])
  const { sandbox } = reproduction
  const base =
    against ?? `http://${SERVER_DEFAULTS.host}:${SERVER_DEFAULTS.port}${sandbox ? `/sandbox/${sandbox}` : ''}`
  const code = toSnippet(as, reproduction, all.slice(first - 1, last), {
    base,
    file,
    source: pathInCode(document ?? service, io.cwd()),
  })
  await write(io.stdout, `${code}\n`)
  return 0
}

const FORMATS = { json: toJson, junit: toJunit }

async function runReplay(
  { file, service, reproduction }: ReadFile,
  { against: baseUrl, fixtures, allowWrites = false, headers, timeout: timeoutMs, ca, withDelays }: ReplaySettings,
  signal: AbortSignal,
): Promise<ReplayReport> {
  if (baseUrl !== undefined) {
    const send = ca === undefined ? fetch : createTrustingFetch(ca)
    return replayAgainst(toRecognised(service), reproduction, {
      baseUrl,
      allowWrites,
      headers,
      timeoutMs,
      fetch: send,
      signal,
    })
  }
  return orFileError(file, async () => {
    const start = startingOptions<AnyService>(reproduction)
    // The fixtures are all of the starting data.
    const { scenario: _, ...others } = start
    const given = fixtures === undefined ? undefined : await readFixtures(fixtures, service)
    const mock = createMock(service, given ? { ...others, fixtures: given } : start)
    await mock.ready
    return replayInMemory(mock, reproduction, { withDelays, contract: service.contract, headers, signal })
  })
}

async function readFixtures(file: string, service: Service): Promise<object> {
  return parseFixture(file, await readFixtureFile(file), service)
}

/** Repeats the requests before the given one, then serves from there. */
async function serveFrom(
  { file, reproduction }: ReadFile,
  { until, withDelays, headers, port, host, open, document, service }: ReplaySettings,
  env: NodeJS.ProcessEnv,
  io: Io,
): Promise<number> {
  const { sandbox } = reproduction
  const server = {
    ...(port !== undefined && { port }),
    ...(host !== undefined && { host }),
    ...(open && { open }),
    document,
    service,
  }
  const options = startingOptions<AnyService>(reproduction)
  await serve({ ...server, quiet: false, logFormat: 'pretty' }, env, io, {
    file,
    options,
    sandbox,
    async prepare(mock, { service: { contract } }) {
      const { signal } = new AbortController()
      const { requests, different, missing } = await orFileError(file, () =>
        replayInMemory(mock, reproduction, { until, withDelays, contract, headers, signal }),
      )
      const place = sandbox === undefined ? '' : ` in the sandbox ${sandbox}`
      const doubts = [
        ...(missing > 0 ? [` Missing at the start of the recording: ${count(missing, 'step')}.`] : []),
        ...(different > 0 ? [` Differences from the recording: ${different}. The state may differ, too.`] : []),
      ]
      io.stderr.write(
        `petstore-mock: Repeated ${count(requests.length, 'request')} of ${printable(file)}${place}.${doubts.join('')}\n`,
      )
    },
  })
  return 0
}
