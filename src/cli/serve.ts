import { type PetstoreServer, type ServerOptions, startServer } from '../adapters/server/index.js'
import { SERVER_DEFAULTS } from '../adapters/server/options.js'
import { MockError } from '../engine/contract/errors.js'
import { hasColour } from './colour.js'
import { blameFile, parseFixture, readFixtureText } from './fixture-file.js'
import type { ServeSettings } from './flags.js'
import { findOccupant } from './occupant.js'
import { openBrowser } from './open-browser.js'
import { createPrettyPrinter, jsonPrinter } from './printer.js'
import { progressOption } from './progress.js'
import { watchFixtures } from './watch.js'

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/** A file of fixtures and what it said when it was read. */
interface Source {
  readonly file: string
  readonly text: string
}

/** Answers until a signal comes. Resolves once it can be reached. */
export async function serve(settings: ServeSettings): Promise<void> {
  const { quiet, logFormat, fixtures: file, watch, coverage, open, ...options } = settings
  const printer = logFormat === 'json' ? jsonPrinter : createPrettyPrinter(hasColour(process.stdout, process.env))
  const tell = (text: string): void => {
    if (!quiet) print(text)
  }
  const source = file === undefined ? undefined : { file, text: await readFixtureText(file) }
  const server = await start(source, {
    ...options,
    ...(!quiet && { ...progressOption(options), onRequest: (record) => print(printer.request(record)) }),
  })
  const watcher =
    watch && source
      ? await watching(server, () =>
          watchFixtures({
            ...source,
            petstore: server.petstore,
            onReload: () => tell(printer.reloaded(source.file)),
            onRefusal: (lines) => void process.stderr.write(`${printer.notReloaded(source.file, lines)}\n`),
          }),
        )
      : undefined
  const stop = (): void => {
    // The second signal is not caught any more and ends the process at once.
    for (const signal of SIGNALS) process.off(signal, stop)
    tell(printer.stopping())
    watcher?.close()
    void server.close().then(() => coverage && print(printer.coverage(server.petstore.coverage())))
  }
  for (const signal of SIGNALS) process.on(signal, stop)
  // Last: whoever waits for it may send a signal at once.
  print(printer.ready(server, file))
  if (open) openBrowser(`${server.url}/__admin/${server.adminToken ? `#token=${server.adminToken}` : ''}`)
}

async function start(source: Source | undefined, options: ServerOptions): Promise<PetstoreServer> {
  if (!source) return listen(options)
  const fixtures = await parseFixture(source.file, source.text)
  try {
    return await listen({ ...options, fixtures })
  } catch (error) {
    throw blameFile(source.file, error)
  }
}

/** Says who is in the way, where that is another one of us, and which flags lead around it. */
async function listen(options: ServerOptions): Promise<PetstoreServer> {
  try {
    return await startServer(options)
  } catch (error) {
    if (!(error instanceof MockError && error.code === 'CANNOT_LISTEN')) throw error
    const { host, port } = { ...SERVER_DEFAULTS, ...options }
    const version = await findOccupant(host, port)
    const who = version === undefined ? '' : `; petstore-mock ${version} answers there already`
    throw new MockError(error.code, `${error.message}${who} (--port and --host say where to listen)`)
  }
}

/** A server whose file cannot be watched is not what was asked for: it ends, or the process would go on. */
async function watching<T>(server: PetstoreServer, begin: () => T): Promise<T> {
  try {
    return begin()
  } catch (error) {
    await server.close()
    throw error
  }
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}
