import { networkInterfaces } from 'node:os'
import { isAnyAddress, toHostName } from '../adapters/server/host-names.js'
import { type MockServer, type ServiceServerOptions, startServer } from '../adapters/server/index.js'
import { SERVER_DEFAULTS } from '../adapters/server/options.js'
import { MockError } from '../engine/contract/errors.js'
import type { AnyService, MockOptions } from '../engine/define-service.js'
import type { ServiceSummary } from '../engine/document/summary.js'
import type { Mock } from '../engine/mock.js'

import { type Service, splitSettings } from './choose-service.js'
import { count } from './count.js'
import { parseFixture, readFixtureFile, toFileError } from './fixture-file.js'
import { progressOption } from './generate.js'
import { hasColour, type Io, printable } from './io.js'
import { formatEvent, readyEvent, type ServeEvent } from './log.js'
import { openDashboard } from './open.js'
import { checkOutputFile, findFreeName, writeOutputFile } from './output-file.js'
import { fitReproduction, MAX_REPRODUCTION_BYTES } from './reproduction-file.js'
import { PASSPHRASE_VARIABLE } from './serve-flags.js'
import type { ServeSettings } from './settings.js'
import { startLines } from './start-lines.js'
import { watchFixtures } from './watch.js'

/** What another command gives to `serve`. */
interface ServeStart {
  /** The path of the file that the options come from. Errors about the starting data name it. */
  readonly file?: string
  readonly options?: MockOptions
  /** The sandbox whose dashboard is opened. Default: none, but the mock itself. */
  readonly sandbox?: string | undefined
  /** What is done with the server. Default: it runs until the signal is aborted. */
  use?(server: MockServer, stop: AbortSignal, service: Service): Promise<void>
  /** Called before the server is announced. */
  prepare?(mock: Mock<AnyService>): Promise<void>
}

/** Serves until a signal ends it. */
export async function serve(
  settings: ServeSettings,
  env: NodeJS.ProcessEnv,
  io: Io,
  start: ServeStart = {},
): Promise<void> {
  const { quiet, logFormat, fixtures: file, watch, coverage, record, force = false, open, ...others } = settings
  const { service, options } = await splitSettings(others)
  const inspected = others.document ?? others.service
  const summary = inspected === undefined ? undefined : await summarize(service)
  const colour = hasColour(io.stdout, env)
  const format = (event: ServeEvent): string =>
    `${logFormat === 'json' ? JSON.stringify(event) : formatEvent(event, colour, service, notes)}\n`
  const notes = summary && inspected !== undefined ? startLines(summary, inspected) : []
  const print = (event: ServeEvent): void => void io.stdout.write(format(event))
  const log = quiet ? (): void => {} : print

  if (record !== undefined) checkOutputFile(record, force)
  const source = file === undefined ? undefined : { file, bytes: await readFixtureFile(file) }
  const addresses = networkAddresses(options.host)
  const server = await listen(source ?? { file: start.file }, {
    service,
    ...(record !== undefined && LONG_JOURNAL),
    ...start.options,
    ...options,
    allowHost: [...(options.allowHost ?? []), ...addresses],
    ...(options.httpsKey !== undefined && env[PASSPHRASE_VARIABLE] && { httpsPassphrase: env[PASSPHRASE_VARIABLE] }),
    ...(source && { fixtures: await parseFixture(source.file, source.bytes, service) }),
    ...(!quiet && {
      ...progressOption(options, service, io),
      onRequest: ({ failure, ...record }) =>
        print({ event: 'request', ...record, failure: failure === undefined ? undefined : String(failure) }),
    }),
  })
  try {
    await start.prepare?.(server.mock)
    const watcher =
      watch && source
        ? watchFixtures({
            ...source,
            mock: server.mock,
            service,
            onReload: () => log({ event: 'reloaded', fixtures: source.file }),
            onError: (problems) =>
              void io.stderr.write(format({ event: 'not-reloaded', fixtures: source.file, problems })),
          })
        : undefined
    const stop = io.catchSignals()
    // Last, because a script that waits for it may send a signal at once.
    print(readyEvent(server, service, options, file, addresses, summary))
    if (open) await openDashboard(server, start.sandbox, env, io)
    await (start.use ?? untilAborted)(server, stop, service)
    log({ event: 'stopping' })
    watcher?.close()
  } finally {
    await server.close()
  }
  if (coverage) print({ event: 'coverage', ...server.mock.coverage() })
  if (record !== undefined) writeReproduction(record, force, server.mock, io)
}

function untilAborted(_server: MockServer, stop: AbortSignal): Promise<unknown> {
  return new Promise((resolve) => (stop.aborted ? resolve(stop) : stop.addEventListener('abort', resolve)))
}

/** Imported when needed, so that the server of the built-in service does not load it. */
async function summarize(service: Service): Promise<ServiceSummary> {
  const { summarizeService } = await import('../engine/document/summary.js')
  return summarizeService(service)
}

/** So that a reproduction of a long run has all of its requests. */
const LONG_JOURNAL = { journalSize: 100_000, journalBytes: MAX_REPRODUCTION_BYTES }

function writeReproduction(file: string, force: boolean, mock: Mock<AnyService>, io: Io): void {
  const { text, steps } = fitReproduction(mock.reproduction())
  // It did not exist at the start. A recording cannot be repeated, so it is not lost if the file exists now.
  const written = force ? file : findFreeName(file)
  writeOutputFile(written, text, force)
  const requests = steps.filter((step) => 'request' in step).length
  const sandboxes = mock.sandboxes.list().length
  const others =
    sandboxes === 0
      ? ''
      : ` ${count(sandboxes, 'sandbox', 'sandboxes')} not included: get /__admin/reproduction of each.`
  const why = written === file ? '' : `, because ${printable(file)} exists now`
  io.stderr.write(`petstore-mock: Wrote ${count(requests, 'request')} to ${printable(written)}${why}.${others}\n`)
}

/** The names of this machine in its networks if the server listens on every address, as in a URL. */
function networkAddresses(host = ''): string[] {
  if (!isAnyAddress(host)) return []
  const hasIPv6 = toHostName(host) === '[::]'
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? [])
  return all
    .filter(({ internal, family, address }) => !internal && (family === 'IPv4' || (hasIPv6 && !isLinkLocal(address))))
    .map(({ address }) => toHostName(address))
}

/** Such an address needs the name of an interface, which a URL cannot have. */
const isLinkLocal = (address: string): boolean => address.startsWith('fe80:')

interface FixtureSource {
  readonly file: string | undefined
  readonly bytes?: Uint8Array
}

async function listen({ file, bytes }: FixtureSource, options: ServiceServerOptions): Promise<MockServer> {
  try {
    return await startServer(options)
  } catch (error) {
    if (error instanceof MockError && error.code === 'CANNOT_LISTEN') {
      const { host, port } = { ...SERVER_DEFAULTS, ...options }
      const version = await findRunningMock(host, port)
      const running = version === undefined ? '' : ` petstore-mock ${version} is already running there.`
      throw new MockError(error.code, `${error.message}${running} Use --port or --host to listen elsewhere.`)
    }
    throw file === undefined ? error : await toFileError(file, error, bytes)
  }
}

const PROBE_TIMEOUT_MS = 1000

/** The version of the petstore-mock at an address, if there is one. */
async function findRunningMock(host: string, port: number): Promise<string | undefined> {
  try {
    const { headers, body } = await fetch(`http://${toHostName(host)}:${port}/__admin/health`, {
      redirect: 'manual',
      signal: AbortSignal.timeout(PROBE_TIMEOUT_MS),
    })
    await body?.cancel()
    const version = headers.get('X-Petstore-Mock')
    return version === null ? undefined : printable(version)
  } catch {
    return undefined
  }
}
