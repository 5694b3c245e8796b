import { randomUUID } from 'node:crypto'
import { renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { FileError } from './fixture-file.js'

/** Throws if a file must not be written: it exists, or is something else than a file. Call it before long work, too. */
export function checkOutputFile(file: string, force: boolean): void {
  const stats = attempt(file, () => statSync(file, { throwIfNoEntry: false }))
  if (stats === undefined) return
  if (!stats.isFile()) throw new FileError(file, ['Exists and is not a regular file.'])
  if (!force) throw new FileError(file, ['File exists. To replace it, add --force.'])
}

/** Writes all of a file or nothing: the text goes to a temporary file beside it, which then takes its name. */
export function writeOutputFile(file: string, text: string, force: boolean): void {
  const temporary = `${file}.${randomUUID()}.tmp`
  try {
    attempt(file, () => writeFileSync(temporary, text, { flag: 'wx' }))
    checkOutputFile(file, force)
    attempt(file, () => renameSync(temporary, file))
  } finally {
    rmSync(temporary, { force: true })
  }
}

function attempt<T>(file: string, act: () => T): T {
  try {
    return act()
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new FileError(file, [`Cannot write the file: ${code ?? message}`])
  }
}
