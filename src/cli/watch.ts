import { watch } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { Petstore } from '../petstore/create-petstore.js'
import { blameFile, FixtureFileError, parseFixture, readFixtureText } from './fixture-file.js'

export interface FixtureWatch {
  readonly petstore: Petstore
  readonly file: string
  /** What the pet store has been started from. */
  readonly text: string
  onReload(): void
  /** The file cannot be used, and the pet store stays as it is. */
  onRefusal(lines: readonly string[]): void
}

/** An editor saves in several steps; this long after the last one the file is taken to be whole. */
const SETTLED_MS = 100

/** Loads the file into the pet store whenever what it says has changed. */
export function watchFixtures({ petstore, file, text, onReload, onRefusal }: FixtureWatch): { close(): void } {
  /** What was last read, or why it could not be: events come in flocks, and each change is to be told once. */
  let last = text
  let closed = false
  let reloading = Promise.resolve()
  let settling: NodeJS.Timeout | undefined

  async function reload(): Promise<void> {
    const read = await readFixtureText(file).catch((error: unknown) => toFileError(file, error))
    const seen = typeof read === 'string' ? read : read.message
    if (seen === last || closed) return
    last = seen
    try {
      if (typeof read !== 'string') throw read
      await petstore.load(await parseFixture(file, read))
      onReload()
    } catch (error) {
      onRefusal(toFileError(file, error).lines)
    }
  }

  function settle(): void {
    clearTimeout(settling)
    settling = setTimeout(() => {
      reloading = reloading.then(reload)
    }, SETTLED_MS)
  }

  // The folder and not the file: editors put a new file in its place, and a watcher would stay with the old one.
  const watcher = startWatching(file, settle)
  // It may have changed between the start's reading of it and now.
  settle()
  return {
    close() {
      closed = true
      clearTimeout(settling)
      watcher.close()
    },
  }
}

function startWatching(file: string, onEvent: () => void): { close(): void } {
  const name = basename(file)
  try {
    const watcher = watch(dirname(file), (_event, changed) => {
      // Some systems do not say which file it was.
      if (changed === null || changed === name) onEvent()
    })
    watcher.on('error', onEvent)
    return watcher
  } catch (error) {
    throw new FixtureFileError(file, [`cannot be watched: ${(error as NodeJS.ErrnoException).code}`])
  }
}

function toFileError(file: string, error: unknown): FixtureFileError {
  const blamed = blameFile(file, error)
  return blamed instanceof FixtureFileError ? blamed : new FixtureFileError(file, [String(error)])
}
