import { execFile } from 'node:child_process'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { isExecutable } from './chromium.js'

/** Debian has some programs in folders that are only on root's PATH. */
const MORE_FOLDERS = ['/usr/sbin']

/**
 * Whether the programs that a test needs are installed. Prints the missing ones; with the variable (`CI_NGINX`) set to
 * `required`, that is an error.
 */
export function hasPrograms(names: readonly string[], variable: string): boolean {
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...MORE_FOLDERS]
  const missing = names.filter((name) => !folders.some((folder) => isExecutable(join(folder, name))))
  if (missing.length === 0) return true
  const list = missing.join(' and ')
  if (process.env[variable] === 'required') throw new Error(`Tests cannot run: ${list} not found`)
  console.log(`Tests skipped: ${list} not found`)
  return false
}

/** Runs a program without the proxies and certificates of the environment. Rejects unless its exit code is 0. */
export async function runProgram(program: string, ...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(program, args, { env: { PATH: process.env.PATH } })
  return stdout.trim()
}
