import { unwatchFile, watchFile } from 'node:fs'
import type { AnyService } from '../engine/define-service.js'
import type { Mock } from '../engine/mock.js'
import type { Service } from './choose-service.js'
import { FileError, parseFixture, readFixtureFile, toFileError } from './fixture-file.js'

export interface FixtureWatch {
  readonly mock: Mock<AnyService>
  readonly service: Service
  readonly file: string
  /** The content that the mock was started with. */
  readonly bytes: Buffer
  onReload(): void
  /** The file cannot be used, and the data is unchanged. */
  onError(problems: readonly string[]): void
}

const POLL_MS = 100

/**
 * Editors save in several steps, and writing a large file takes a while, so the file is read this long after the last
 * change. Longer than the time between two polls, which would not notice one.
 */
const DEBOUNCE_MS = 2 * POLL_MS

/**
 * Loads the file into the mock whenever its content changes. Polls the path, because events come from the file or folder
 * that was at the path when watching started: they end when a folder is replaced or a symbolic link leads elsewhere.
 */
export function watchFixtures({ mock, service, file, bytes, onReload, onError }: FixtureWatch): { close(): void } {
  /** The last content, or the message of the last error, so that several changes of one save are reported once. */
  let last = bytes
  let isClosed = false
  let reloading = Promise.resolve()
  let timer: NodeJS.Timeout | undefined

  async function reload(): Promise<void> {
    const read = await readFixtureFile(file).catch((error: FileError) => error)
    const current = read instanceof Error ? Buffer.from(read.message) : read
    if (current.equals(last) || isClosed) return
    last = current
    try {
      if (read instanceof Error) throw read
      await mock.load(await parseFixture(file, read, service))
      onReload()
    } catch (error) {
      const reason = await toFileError(file, error, read instanceof Error ? undefined : read)
      onError(reason instanceof FileError ? reason.lines : [String(reason)])
    }
  }

  function schedule(): void {
    clearTimeout(timer)
    timer = setTimeout(() => {
      reloading = reloading.then(reload)
    }, DEBOUNCE_MS)
  }

  watchFile(file, { interval: POLL_MS }, schedule)
  // The file may have changed since the mock was started.
  schedule()
  return {
    close() {
      isClosed = true
      clearTimeout(timer)
      unwatchFile(file, schedule)
    },
  }
}
