import { randomUUID } from 'node:crypto'
import { accessSync, constants, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { FileError } from './fixture-file.js'

/** Throws if a file must not or cannot be written: it exists, or its folder does not. Call it before long work, too. */
export function checkOutputFile(file: string, force: boolean): void {
  checkFolder(file)
  const stats = attempt(file, () => statSync(file, { throwIfNoEntry: false }))
  if (stats === undefined) return
  if (!stats.isFile()) throw new FileError(file, ['Exists and is not a regular file.'])
  if (!force) throw new FileError(file, ['File exists. To replace it, add --force.'])
}

/** Its folder gets a temporary file first, so it must be writable even if the file exists. */
function checkFolder(file: string): void {
  const folder = dirname(file)
  const problem = attempt(file, () => findProblem(folder))
  if (problem !== undefined) throw new FileError(file, [`Cannot write the file: ${problem}.`])
}

function findProblem(folder: string): string | undefined {
  const stats = statSync(folder, { throwIfNoEntry: false })
  if (stats === undefined) return `the folder ${folder} does not exist`
  if (!stats.isDirectory()) return `${folder} is not a folder`
  try {
    accessSync(folder, constants.W_OK | constants.X_OK)
  } catch {
    return `the folder ${folder} is not writable`
  }
  return undefined
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
