import { MockError } from '../engine/contract/errors.js'
import { FileError, toFileError } from '../engine/document/file-error.js'
import type { Reproduction } from '../engine/reproduction/reproduction.js'
import { stringifyJson } from '../lib/json.js'
import { NotReplayable, readReproduction } from '../remote/replay/read-reproduction.js'
import type { Service } from './choose-service.js'
import { readJsonFile } from './fixture-file.js'

/**
 * The maximum size of a reproduction file, for writing and reading: the data of the largest fixture file fit into it, and
 * many requests. Reading a file takes about four times as much memory.
 */
export const MAX_REPRODUCTION_BYTES = 90 * 1024 * 1024

/** Leaves out the oldest steps if the file would be too large to be read again, and counts them as missing. */
export function fitReproduction(reproduction: Reproduction, maxBytes = MAX_REPRODUCTION_BYTES) {
  const { steps, end, ...start } = reproduction
  const toStart = (missing: number): string => (stringifyJson({ ...start, missing }) as string).slice(0, -1)
  const rest = `],"end":${stringifyJson(end)}}\n`
  let bytes = Buffer.byteLength(`${toStart(start.missing + steps.length)},"steps":[${rest}`)
  let first = steps.length
  const texts: string[] = []
  while (first > 0) {
    const text = stringifyJson(steps[first - 1]) as string
    bytes += Buffer.byteLength(text) + 1
    if (bytes > maxBytes) break
    texts.push(text)
    first -= 1
  }
  const text = `${toStart(start.missing + first)},"steps":[${texts.reverse().join(',')}${rest}`
  return { text, steps: steps.slice(first) }
}

/** Reads and checks a file that `--record` or the dashboard has written. */
export async function readReproductionFile(file: string, service: Service): Promise<Reproduction> {
  const value = await readJsonFile(file, MAX_REPRODUCTION_BYTES)
  return orFileError(file, () => readReproduction(value, service))
}

/** An error that is about the content of the file names the file. */
export async function orFileError<T>(file: string, act: () => T | Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    if (error instanceof NotReplayable || error instanceof MockError) {
      const readable = await toFileError(file, error)
      throw readable === error ? new FileError(file, [error.message]) : readable
    }
    throw error
  }
}
