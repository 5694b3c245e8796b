import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Debian has some programs in folders that are only on root's PATH. */
const MORE_FOLDERS = ['/usr/sbin']

/**
 * Whether the programs that an example needs are installed. Prints a missing one; with the variable (`CI_NGINX`) set to
 * `required`, that is an error.
 */
export function hasPrograms(example: string, names: readonly string[], variable: string): boolean {
  const missing = names.filter((name) => !isOnPath(name))
  if (missing.length === 0) return true
  const reason = `${missing.join(' and ')} not found`
  if (process.env[variable] === 'required') throw new Error(`The example ${example} cannot run: ${reason}`)
  console.log(`The example ${example} is skipped: ${reason}`)
  return false
}

function isOnPath(name: string): boolean {
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...MORE_FOLDERS]
  return folders.some((folder) => isExecutable(join(folder, name)))
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
