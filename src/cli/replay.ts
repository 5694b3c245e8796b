import { SERVER_DEFAULTS } from '../adapters/server/options.js'
import { createMock } from '../engine/create-mock.js'
import type { AnyService } from '../engine/define-service.js'
import { FileError } from '../engine/document/file-error.js'
import type { Reproduction } from '../engine/reproduction/reproduction.js'
import { CannotCheck } from '../remote/cannot-check.js'
import { NotRecognised, toRecognised } from '../remote/recognise-service.js'
import { startingOptions } from '../remote/replay/read-reproduction.js'
import { replay as replayInMemory } from '../remote/replay/replay.js'
import { replayAgainst } from '../remote/replay/replay-against.js'
import type { ReplayReport } from '../remote/replay/report.js'
import { toSnippet } from '../snippets/index.js'
import { pathInCode, type Service, splitSettings } from './choose-service.js'
import { count } from './count.js'
import { parseFixture, readFixtureFile } from './fixture-file.js'
import { hasColour, type Io, printable, write } from './io.js'
import { toJson, toJunit, toText } from './replay-report.js'
import { orFileError, readReproductionFile } from './reproduction-file.js'
import { serve } from './serve.js'
import type { ReplaySettings } from './settings.js'
import { createTrustingFetch } from './trusting-fetch.js'

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
    io.stderr.write(`petstore-mock: ${printable(message)}\n`)
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
    return replayInMemory(mock, reproduction, { withDelays, signal })
  })
}

async function readFixtures(file: string, service: Service): Promise<object> {
  return parseFixture(file, await readFixtureFile(file), service)
}

/** Repeats the requests before the given one, then serves from there. */
async function serveFrom(
  { file, reproduction }: ReadFile,
  { until, withDelays, port, host, open, document, service }: ReplaySettings,
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
    async prepare(mock) {
      const { signal } = new AbortController()
      const { requests, different, missing } = await orFileError(file, () =>
        replayInMemory(mock, reproduction, { until, withDelays, signal }),
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
