import type { ListeningServer } from '../adapters/server/index.js'
import type { AnyService, MockOptions } from '../engine/define-service.js'
import type { Mock } from '../engine/mock.js'
import { type ChosenService, splitServices } from './choose-services.js'
import { count } from './count.js'
import { parseFixture, readFixtureFile } from './fixture-file.js'
import { progressOption } from './generate.js'
import { hasColour, type Io, printable } from './io.js'
import { listen, networkAddresses } from './listen.js'
import { type DescribedService, formatEvent, readyEvent, type ServeEvent } from './log.js'
import { openDashboard } from './open.js'
import { checkOutputFile, findFreeName, writeOutputFile } from './output-file.js'
import { fingerprints, type NotReloaded, type Reloaded, watchSources } from './reload.js'
import { fitReproduction, MAX_REPRODUCTION_BYTES } from './reproduction-file.js'
import { PASSPHRASE_VARIABLE } from './serve-flags.js'
import type { ServeSettings } from './settings.js'

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
  prepare?(mock: Mock<AnyService>): Promise<void>
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
    `${logFormat === 'json' ? JSON.stringify(event) : formatEvent(event, colour, services)}\n`
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
    await start.prepare?.(mock)
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
  } finally {
    await server.close()
  }
  if (coverage) {
    for (const [index, each] of mocks.entries()) {
      print({ event: 'coverage', service: chosen[index]?.name, ...each.coverage() })
    }
  }
  if (record !== undefined) writeReproduction(record, force, mocks[0], mocks[0] !== mock, io)
}

function untilAborted(_server: ListeningServer, _mock: Mock<AnyService>, stop: AbortSignal): Promise<unknown> {
  return new Promise((resolve) => (stop.aborted ? resolve(stop) : stop.addEventListener('abort', resolve)))
}

/** The summary is imported when needed, so that the server of the built-in service does not load it. */
async function describe(chosen: ChosenService): Promise<DescribedService> {
  const { service, file } = chosen
  if (file === undefined) return chosen
  const { summarizeService } = await import('../engine/document/summary.js')
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
