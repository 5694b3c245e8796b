import { randomUUID } from 'node:crypto'
import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, parse } from 'node:path'
import { FileError } from '../engine/document/file-error.js'

const OR_UNDEFINED = { throwIfNoEntry: false } as const

/**
 * Throws if a file must not or cannot be written: it exists, or its folder does not. Call it before long work, too. Returns
 * the path to write to, which is another one if the file is a link: the link stays.
 */
export function checkOutputFile(file: string, force: boolean): string {
  checkFolder(file, dirname(file))
  const stats = orFileError(file, () => statSync(file, OR_UNDEFINED) ?? lstatSync(file, OR_UNDEFINED))
  if (stats === undefined) return file
  if (stats.isSymbolicLink()) throw new FileError(file, ['Exists and is a link that leads nowhere.'])
  if (!stats.isFile()) throw new FileError(file, ['Exists and is not a regular file.'])
  if (!force) throw new FileError(file, ['File exists. To replace it, add --force.'])
  const target = orFileError(file, () => realpathSync(file))
  checkFolder(file, dirname(target))
  return target
}

/** This name, or one with a number if it is taken. */
export function findFreeName(file: string): string {
  const { dir, name, ext } = parse(file)
  let free = file
  for (let number = 2; existsSync(free); number += 1) free = join(dir, `${name}-${number}${ext}`)
  return free
}

/** The folder gets a temporary file first, so it must be writable even if the file exists. */
function checkFolder(file: string, folder: string): void {
  const problem = orFileError(file, () => findProblem(folder))
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
  const target = checkOutputFile(file, force)
  // Not with the name of the file in it, which may be as long as a name can be.
  const temporary = join(dirname(target), `${randomUUID()}.tmp`)
  try {
    orFileError(file, () => writeFileSync(temporary, text, { flag: 'wx', mode: modeOf(target) }))
    checkOutputFile(file, force)
    orFileError(file, () => renameSync(temporary, target))
  } finally {
    rmSync(temporary, { force: true })
  }
}

/** A private file stays private. */
function modeOf(file: string): number {
  return (statSync(file, OR_UNDEFINED)?.mode ?? 0o666) & 0o777
}

function orFileError<T>(file: string, act: () => T): T {
  try {
    return act()
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new FileError(file, [`Cannot write the file: ${code ?? message}`])
  }
}
