import { createHash } from 'node:crypto'
import { unwatchFile, watchFile } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Reload } from '../adapters/server/start-server.js'
import { FileError, linesOf, toFileError } from '../document/load/file-error.js'
import { filesByDocument, filesOfError } from '../document/load/read-document.js'
import type { AnyFixture } from '../engine/data/format.js'
import type { AnyService } from '../engine/mock/define-service.js'
import type { Mock } from '../engine/mock/mock.js'
import { MockError } from '../http/errors.js'
import { machineDate } from '../lib/clock.js'
import type { ChosenService, Service } from './choose-service.js'
import { MAX_FILE_BYTES, parseFixture, readFixtureFile } from './files.js'
import { printable } from './io.js'

export interface Watch {
  /** They may be others after a reload. */
  files(): readonly string[]
  /** The `fingerprint` of the files that were loaded. */
  readonly loaded: string
  reload(): Promise<void>
}

const POLL_MS = 100

/** Polling many files takes time, so that is done less often. */
const FILES_PER_POLL = 10

/** The same as long as the files have the same content. */
export async function fingerprint(files: readonly string[]): Promise<string> {
  const contents = files.map((file) => readContent(file).catch(({ code }: NodeJS.ErrnoException) => String(code)))
  const hash = createHash('sha256')
  for (const content of await Promise.all(contents)) hash.update(content).update('\0')
  return hash.digest('hex')
}

/** The time stands for what cannot be loaded anyway: a device has no end. */
async function readContent(file: string): Promise<Buffer | string> {
  const stats = await stat(file)
  const isReadable = stats.isFile() && stats.size <= MAX_FILE_BYTES
  return isReadable ? readFile(file) : `${stats.mode} ${stats.mtimeMs}`
}

/** Whether one of the files was written after this time, with a margin because file systems round it. */
async function wasWritten(files: readonly string[], time: number): Promise<boolean> {
  const times = files.map((file) =>
    stat(file).then(
      ({ mtimeMs }) => mtimeMs,
      () => 0,
    ),
  )
  return (await Promise.all(times)).some((each) => each > time - ROUNDED_MS)
}

const ROUNDED_MS = 10

/**
 * Reloads whenever the content of the files changes. Polls their paths, because events come from the file or folder that was at
 * the path when watching started: they end when a folder is replaced or a symbolic link leads elsewhere.
 */
export function watchFiles({ files, loaded, reload }: Watch): { close(): void } {
  let last = loaded
  let isClosed = false
  let reloading = Promise.resolve()
  let watching = watch(files())

  async function reloadIfChanged(): Promise<void> {
    const current = await fingerprint(watching.files)
    if (current === last || isClosed) return
    last = current
    const startedAt = machineDate.now()
    await reload()
    const next = files()
    if (isClosed || next.join('\0') === watching.files.join('\0')) return
    watching.stop()
    // One that was not watched until now may have been written since it was read.
    last = (await wasWritten(next, startedAt)) ? '' : await fingerprint(next)
    if (!isClosed) watching = watch(next)
  }

  function watch(paths: readonly string[]) {
    const interval = POLL_MS * Math.ceil(paths.length / FILES_PER_POLL)
    let timer: NodeJS.Timeout | undefined
    // Editors save in several steps, and writing a large file takes a while, so the files are read this long after the last
    // change. Longer than the time between two polls, which would not notice one.
    const schedule = () => {
      clearTimeout(timer)
      timer = setTimeout(() => {
        reloading = reloading.then(reloadIfChanged)
      }, 2 * interval)
    }
    for (const path of paths) watchFile(path, { interval }, schedule)
    // They may have changed since they were loaded.
    schedule()
    return {
      files: paths,
      stop() {
        clearTimeout(timer)
        for (const path of paths) unwatchFile(path, schedule)
      },
    }
  }

  return {
    close() {
      isClosed = true
      watching.stop()
    },
  }
}

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
      report({ event: 'reloaded', service: file, kept, dropped })
    } catch (error) {
      tried[index] = filesOfError(error)
      const problems = problemsOf(fixtures === undefined ? error : await explain(fixtures, error))
      report({ event: 'not-reloaded', service: file, problems })
    }
  }

  async function reloadFixtures(file: string): Promise<void> {
    try {
      await mocks[0]?.load(await readFixtures(file, current[0] as Service))
      report({ event: 'reloaded', fixtures: file })
    } catch (error) {
      report({ event: 'not-reloaded', fixtures: file, problems: problemsOf(await explain(file, error)) })
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

/** Names the file with the starting data, if the error is about it. */
async function explain(file: string, error: unknown): Promise<unknown> {
  return toFileError(file, error, await readFixtureFile(file).catch(() => undefined))
}

const MAX_LENGTH = 2000

function problemsOf(error: unknown): readonly string[] {
  if (error instanceof FileError) return error.lines
  const lines = error instanceof MockError ? linesOf(error) : [error instanceof Error ? error.message : String(error)]
  return lines.map((line) => printable(line, MAX_LENGTH))
}
