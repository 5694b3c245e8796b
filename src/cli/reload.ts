import { resolve } from 'node:path'
import type { Reload } from '../adapters/server/start-server.js'
import type { AnyFixture } from '../engine/data/format.js'
import type { AnyService } from '../engine/define-service.js'
import { filesByDocument, filesOfError } from '../engine/document/document-files.js'
import { FileError, toFileError } from '../engine/document/file-error.js'
import type { Mock } from '../engine/mock.js'
import type { Service } from './choose-service.js'
import type { ChosenService } from './choose-services.js'
import { parseFixture, readFixtureFile } from './fixture-file.js'
import { printable } from './io.js'
import { fingerprint, watchFiles } from './watch.js'

/** What is served, and the files it comes from. */
interface Sources {
  readonly services: readonly ChosenService[]
  /** The file with the starting data of the only service. */
  readonly fixtures: string | undefined
}

/** A file was reloaded. */
export interface Reloaded {
  readonly event: 'reloaded'
  /** The file with the starting data. */
  readonly fixtures?: string
  /** The service file or document. */
  readonly service?: string
  /** How many records that had been changed fit the new version of the service. */
  readonly kept?: number
  /** What did not fit it, each with the reason. */
  readonly dropped?: readonly string[]
  /** What its rules need and its document lacks. */
  readonly warnings?: readonly string[]
}

/** A file cannot be used, and nothing has changed. */
export interface NotReloaded {
  readonly event: 'not-reloaded'
  readonly fixtures?: string
  readonly service?: string
  readonly problems: readonly string[]
}

interface Running extends Sources {
  /** The fingerprints of what was loaded. */
  readonly loaded: Loaded
  /** The mocks of the services, where those of new versions are put. */
  readonly mocks: Mock<AnyService>[]
  readonly reload: Reload
  report(event: Reloaded | NotReloaded): void
}

type Loaded = Awaited<ReturnType<typeof fingerprints>>

/** To be called when the files have been read. */
export async function fingerprints({ services, fixtures }: Sources) {
  const ofServices = services.map(({ file, service }) => fingerprint(filesOf(file, service)))
  return {
    services: await Promise.all(ofServices),
    fixtures: await fingerprint(fixtures === undefined ? [] : [fixtures]),
  }
}

/** The file of a service, and those of its document. */
function filesOf(file: string | undefined, { document }: Service): readonly string[] {
  return file === undefined ? [] : [...new Set([resolve(file), ...(filesByDocument.get(document) ?? [])])]
}

/** Reloads services and starting data whenever one of their files changes. */
export function watchSources({ services, fixtures, loaded, mocks, reload, report }: Running): { close(): void } {
  const current = services.map(({ service }) => service)
  /** The files of versions that could not be loaded since: one that is missing may be created. */
  const tried: (readonly string[])[] = services.map(() => [])
  let last: Promise<void> = Promise.resolve()
  /** One at a time: both replace the data. */
  const inTurn = (task: () => Promise<void>) => () => (last = last.then(task))

  async function reloadService(index: number, { name, file = '', reload: read }: ChosenService): Promise<void> {
    try {
      const service = await read()
      const changes = fixtures === undefined ? {} : { fixtures: await readFixtures(fixtures, service) }
      const { mock, kept, dropped } = await reload(service, changes, name)
      current[index] = service
      tried[index] = []
      mocks[index] = mock
      report({ event: 'reloaded', service: file, kept, dropped, warnings: service.warnings })
    } catch (error) {
      tried[index] = filesOfError(error)
      report({ event: 'not-reloaded', service: file, problems: problemsOf(error) })
    }
  }

  async function reloadFixtures(file: string): Promise<void> {
    try {
      await mocks[0]?.load(await readFixtures(file, current[0] as Service))
      report({ event: 'reloaded', fixtures: file })
    } catch (error) {
      const bytes = await readFixtureFile(file).catch(() => undefined)
      report({ event: 'not-reloaded', fixtures: file, problems: problemsOf(await toFileError(file, error, bytes)) })
    }
  }

  const watchers = services.map((each, index) =>
    watchFiles({
      files: () => [...new Set([...filesOf(each.file, current[index] as Service), ...(tried[index] ?? [])])],
      loaded: loaded.services[index] ?? '',
      reload: inTurn(() => reloadService(index, each)),
    }),
  )
  if (fixtures !== undefined) {
    const files = [fixtures]
    watchers.push(
      watchFiles({ files: () => files, loaded: loaded.fixtures, reload: inTurn(() => reloadFixtures(fixtures)) }),
    )
  }
  return {
    close() {
      for (const watcher of watchers) watcher.close()
    },
  }
}

async function readFixtures(file: string, service: Service): Promise<AnyFixture> {
  return parseFixture(file, await readFixtureFile(file), service)
}

const MAX_LENGTH = 2000

function problemsOf(error: unknown): readonly string[] {
  if (error instanceof FileError) return error.lines
  return [printable(error instanceof Error ? error.message : String(error), MAX_LENGTH)]
}
