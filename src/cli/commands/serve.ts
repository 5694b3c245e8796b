import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { networkInterfaces, platform } from 'node:os'
import { isAnyAddress, toHostName } from '../../adapters/server/host-names.js'
import type { ListeningServer, ListenOptions } from '../../adapters/server/index.js'
import { SERVER_DEFAULTS } from '../../adapters/server/options.js'
import { type Reload, startMock, startServices } from '../../adapters/server/start-server.js'
import { toFileError } from '../../document/load/file-error.js'
import { throwErrors } from '../../engine/control/unreported-errors.js'
import type { AnyService, MockOptions } from '../../engine/mock/define-service.js'
import type { Mock } from '../../engine/mock/mock.js'
import { MockError } from '../../http/errors.js'
import { type ChosenService, splitServices } from '../choose-service.js'
import {
  checkOutputFile,
  findFreeName,
  fitReproduction,
  MAX_REPRODUCTION_BYTES,
  parseFixture,
  readFixtureFile,
  writeOutputFile,
} from '../files.js'
import { PASSPHRASE_VARIABLE } from '../flags.js'
import { count, hasColour, type Io, printable, toPrintableJson } from '../io.js'
import { type DescribedService, formatEvent, readyEvent, type ServeEvent } from '../log.js'
import { fingerprints, type NotReloaded, type Reloaded, watchSources } from '../reload.js'
import type { ServeSettings } from '../settings.js'
import { progressOption } from './generate.js'

const OPENERS: Partial<Record<NodeJS.Platform, readonly [command: string, ...args: string[]]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
}

/** Opens the dashboard of the mock or of a sandbox in a browser, with the token if there is one. */
async function openDashboard(
  { url, adminToken }: ListeningServer,
  sandbox: string | undefined,
  env: NodeJS.ProcessEnv,
  { stderr }: Io,
): Promise<void> {
  const page = `${url}${sandbox === undefined ? '' : `/sandbox/${encodeURIComponent(sandbox)}`}/__admin/`
  const reportFailure = (): void => void stderr.write(`petstore-mock: Cannot open a browser. Dashboard: ${page}\n`)
  try {
    // The token is in the fragment, which browsers do not send to the server.
    const address =
      adminToken === undefined ? page : await redirectOnce(`${page}#token=${encodeURIComponent(adminToken)}`)
    const [command, ...args] = OPENERS[platform()] ?? ['xdg-open']
    const opener = spawn(command, [...args, address], { stdio: 'ignore', detached: true, env })
    opener.on('error', reportFailure)
    opener.on('exit', (code) => code !== 0 && reportFailure())
    opener.unref()
  } catch {
    reportFailure()
  }
}

/**
 * A one-time address that redirects to a page. The browser gets it instead of one with the token, because other users of the
 * machine can see the arguments of a process.
 */
async function redirectOnce(location: string): Promise<string> {
  const path = `/${crypto.randomUUID()}`
  const server = createServer((request, response) => {
    response.setHeader('Connection', 'close')
    if (!server.listening || request.url !== path) return response.writeHead(404).end()
    server.close()
    return response.writeHead(302, { Location: location, 'Cache-Control': 'no-store' }).end()
  })
  await once(server.listen(0, '127.0.0.1').unref(), 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`
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

/** Errors about the starting data name the file. */
interface FixtureSource {
  readonly file: string | undefined
  readonly bytes?: Uint8Array
}

/** Starts a server of the chosen services. Returns their mocks in the same order. */
async function listen(
  { file, bytes }: FixtureSource,
  chosen: readonly [ChosenService, ...ChosenService[]],
  options: ListenOptions & MockOptions,
): Promise<{ server: ListeningServer; mocks: [Mock<AnyService>, ...Mock<AnyService>[]]; reload: Reload }> {
  try {
    const [{ name, service }] = chosen
    if (name === undefined) {
      const { server, reload } = await startMock(service, options)
      return { server, mocks: [server.mock], reload }
    }
    const services = Object.fromEntries(chosen.map((each) => [each.name, { service: each.service }]))
    const { server, reload } = await startServices(services, options)
    const mocks = server.mocks as Readonly<Record<string, Mock<AnyService>>>
    // Not the values: an object has names such as "2" in another order.
    return { server, mocks: chosen.map((each) => mocks[each.name ?? '']) as [Mock<AnyService>], reload }
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

/** What another command gives to `serve`. */
interface ServeStart {
  /** The path of the file that the options come from. Errors about the starting data name it. */
  readonly file?: string
  readonly options?: MockOptions
  /** The sandbox whose dashboard is opened. Default: none, but the mock itself. */
  readonly sandbox?: string | undefined
  /** What is done with the server. Default: it runs until the signal is aborted. */
  use?(server: ListeningServer, mock: Mock<AnyService>, stop: AbortSignal, chosen: ChosenService): Promise<void>
  /** Called before the server is announced. */
  prepare?(mock: Mock<AnyService>, chosen: ChosenService): Promise<void>
}

/** Serves until a signal ends it. */
export async function serve(
  settings: ServeSettings,
  env: NodeJS.ProcessEnv,
  io: Io,
  start: ServeStart = {},
): Promise<void> {
  const { chosen, options: given } = await splitServices(settings)
  const { quiet, logFormat, fixtures: file, watch, coverage, record, force = false, open, ...options } = given
  let services: readonly DescribedService[] = []
  const [{ service }] = chosen
  const sources = { services: chosen, fixtures: file }
  const loaded = watch ? await fingerprints(sources) : undefined
  const colour = hasColour(io.stdout, env)
  const format = (event: ServeEvent): string =>
    `${logFormat === 'json' ? toPrintableJson(event) : formatEvent(event, colour, services)}\n`
  const print = (event: ServeEvent): void => void io.stdout.write(format(event))
  const log = quiet ? (): void => {} : print

  if (record !== undefined) checkOutputFile(record, force)
  const source = file === undefined ? undefined : { file, bytes: await readFixtureFile(file) }
  const addresses = networkAddresses(options.host)
  const { server, mocks, reload } = await listen(source ?? { file: start.file }, chosen, {
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
  const [mock] = mocks
  try {
    await start.prepare?.(mock, chosen[0])
    // Now its starting data is known.
    services = await Promise.all(chosen.map(describe))
    const report = (event: Reloaded | NotReloaded): void =>
      event.event === 'reloaded' ? log(event) : void io.stderr.write(format(event))
    const watcher = loaded && watchSources({ ...sources, loaded, mocks, reload, report })
    const stop = io.catchSignals()
    // Last, because a script that waits for it may send a signal at once.
    print(readyEvent(server, mock, services, options, file, addresses))
    if (open) await openDashboard(server, start.sandbox, env, io)
    await (start.use ?? untilAborted)(server, mock, stop, chosen[0])
    log({ event: 'stopping' })
    watcher?.close()
  } catch (error) {
    await server.close().catch(() => {})
    throw error
  }
  /** What the run is worth is written most of all if closing the server reports an error. */
  function writeResults(): void {
    if (coverage) {
      for (const [index, each] of mocks.entries()) {
        print({ event: 'coverage', service: chosen[index]?.name, ...each.coverage() })
      }
    }
    if (record !== undefined) writeReproduction(record, force, mocks[0], mocks[0] !== mock, io)
  }
  const errors = [await thrownBy(() => server.close()), await thrownBy(writeResults)]
  throwErrors(errors.filter((error) => error !== undefined))
}

async function thrownBy(act: () => unknown): Promise<unknown> {
  try {
    return void (await act())
  } catch (error) {
    return error
  }
}

function untilAborted(_server: ListeningServer, _mock: Mock<AnyService>, stop: AbortSignal): Promise<unknown> {
  return new Promise((resolve) => (stop.aborted ? resolve(stop) : stop.addEventListener('abort', resolve)))
}

/** The summary is imported when needed, so that the server of the built-in service does not load it. */
async function describe(chosen: ChosenService): Promise<DescribedService> {
  const { service, file } = chosen
  if (file === undefined) return chosen
  const { summarizeService } = await import('../../engine/mock/summary.js')
  return { ...chosen, summary: summarizeService(service) }
}

/** So that a reproduction of a long run has all of its requests. */
const LONG_JOURNAL = { journalSize: 100_000, journalBytes: MAX_REPRODUCTION_BYTES }

function writeReproduction(file: string, force: boolean, mock: Mock<AnyService>, wasReloaded: boolean, io: Io): void {
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
  const since = wasReloaded ? ' since the last reload of the service' : ''
  const why = written === file ? '' : `, because ${printable(file)} exists now`
  io.stderr.write(
    `petstore-mock: Wrote ${count(requests, 'request')}${since} to ${printable(written)}${why}.${others}\n`,
  )
}
