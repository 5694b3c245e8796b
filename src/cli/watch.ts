import { createHash } from 'node:crypto'
import { unwatchFile, watchFile } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { machineDate } from '../lib/clock.js'

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
  const contents = files.map((file) => readFile(file).catch(({ code }: NodeJS.ErrnoException) => String(code)))
  const hash = createHash('sha256')
  for (const content of await Promise.all(contents)) hash.update(content).update('\0')
  return hash.digest('hex')
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
