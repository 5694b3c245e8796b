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
import { readFile, stat } from 'node:fs/promises'
import { dirname, extname, join, parse } from 'node:path'
import { FileError, linesOf, toFileError } from '../document/load/file-error.js'
import type { AnyFixture } from '../engine/data/format.js'
import type { Reproduction } from '../engine/log/reproduction.js'
import type { AnyService } from '../engine/mock/define-service.js'
import type { ServiceDefinition } from '../engine/service.js'
import { MockError } from '../http/errors.js'
import { stringifyJson } from '../lib/json.js'
import { cutJson, parsePieces } from '../lib/json-in-steps.js'
import { findJsonError } from '../lib/json-text.js'
import { runInSlices, type Steps } from '../lib/steps.js'
import { quote } from '../lib/text.js'
import { NotReplayable, readReproduction } from '../tools/replay/read-reproduction.js'
import type { Service } from './choose-service.js'

const OR_UNDEFINED = { throwIfNoEntry: false } as const

/**
 * Throws if a file must not or cannot be written: it exists, or its folder does not. Call it before long work, too. Returns
 * the path to write to, which is another one if the file is a link: the link stays.
 */
export function checkOutputFile(file: string, force: boolean): string {
  checkFolder(file, dirname(file))
  const stats = orWriteError(file, () => statSync(file, OR_UNDEFINED) ?? lstatSync(file, OR_UNDEFINED))
  if (stats === undefined) return file
  if (stats.isSymbolicLink()) throw new FileError(file, ['Exists and is a link that leads nowhere.'])
  if (!stats.isFile()) throw new FileError(file, ['Exists and is not a regular file.'])
  if (!force) throw new FileError(file, ['File exists. To replace it, add --force.'])
  const target = orWriteError(file, () => realpathSync(file))
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
  const problem = orWriteError(file, () => findProblem(folder))
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
    orWriteError(file, () => writeFileSync(temporary, text, { flag: 'wx', mode: modeOf(target) }))
    checkOutputFile(file, force)
    orWriteError(file, () => renameSync(temporary, target))
  } finally {
    rmSync(temporary, { force: true })
  }
}

/** A private file stays private. */
function modeOf(file: string): number {
  return (statSync(file, OR_UNDEFINED)?.mode ?? 0o666) & 0o777
}

function orWriteError<T>(file: string, act: () => T): T {
  try {
    return act()
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new FileError(file, [`Cannot write the file: ${code ?? message}`])
  }
}

const BYTES_PER_MIB = 1024 * 1024

/** The maximum size of a file with data. */
export const MAX_FILE_BYTES = 64 * BYTES_PER_MIB

const PARSERS: Readonly<Record<string, (bytes: Uint8Array) => Promise<unknown>>> = {
  '.json': (bytes) => runInSlices(parseJsonFile(bytes)),
  '.yaml': parseYamlFile,
  '.yml': parseYamlFile,
}

/** The content of a fixture file. Separate from parsing it, so that a watcher can see whether it has changed. */
export async function readFixtureFile(file: string): Promise<Buffer> {
  return withFileErrors(file, async () => {
    await checkReadable(file, MAX_FILE_BYTES)
    if (!(extname(file).toLowerCase() in PARSERS)) {
      throw new FileProblem('File name must end in .json, .yaml or .yml.')
    }
    return await readFile(file)
  })
}

/** The content of a file of JSON, whatever its name. */
export function readJsonFile(file: string, maxBytes = MAX_FILE_BYTES): Promise<unknown> {
  return withFileErrors(file, async () => {
    await checkReadable(file, maxBytes)
    return await runInSlices(parseJsonFile(await readFile(file)))
  })
}

async function checkReadable(file: string, maxBytes: number): Promise<void> {
  const stats = await stat(file)
  if (stats.isDirectory()) throw new FileProblem('Expected a file, found a folder.')
  // A pipe or a device may never end.
  if (!stats.isFile()) throw new FileProblem('Expected a regular file.')
  if (stats.size > maxBytes) throw new FileProblem(`File exceeds ${maxBytes / BYTES_PER_MIB} MiB.`)
}

async function withFileErrors<T>(file: string, use: () => Promise<T>): Promise<T> {
  try {
    return await use()
  } catch (error) {
    throw new FileError(file, [explain(error)])
  }
}

/** Parses integers exactly. Whether the data is valid is checked by the mock. */
export function parseFixture(
  file: string,
  bytes: Uint8Array,
  service: Pick<ServiceDefinition<AnyService>, 'fixtureFormat'>,
): Promise<AnyFixture> {
  return withFileErrors(file, async () => {
    const value = await PARSERS[extname(file).toLowerCase()]?.(bytes)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as AnyFixture
    const names = service.fixtureFormat.resources.slice(0, 2).map(({ name }) => `"${name}"`)
    throw new FileProblem(`Expected an object with lists such as ${names.join(' and ')}.`)
  })
}

/** A problem whose message is shown as it is. */
class FileProblem extends Error {}

const TOO_DEEP = 'Nested too deeply.'

/** Far more than any of our files needs. Parsing deep nesting takes long, and much memory. */
const MAX_DEPTH = 1000

const FILE_IS_EMPTY = 'File is empty.'

/** Without a byte order mark. Throws if the bytes are not UTF-8. */
const decodeUtf8 = (bytes: Uint8Array): string => new TextDecoder('utf-8', { fatal: true }).decode(bytes)

function* parseJsonFile(bytes: Uint8Array): Steps<unknown> {
  const text = decodeUtf8(bytes)
  try {
    const pieces = yield* cutJson(text)
    if (pieces.depth > MAX_DEPTH) throw new FileProblem(TOO_DEEP)
    return yield* parsePieces(pieces)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    const { line, column, found, isFirst } = yield* findJsonError(text)
    if (found === '' && isFirst) throw new FileProblem(FILE_IS_EMPTY)
    const description = found === '' ? 'the end of the file' : describeFound(found)
    throw new FileProblem(`Invalid JSON at line ${line}, column ${column}: found ${description}.`)
  }
}

/** The next word; a space that JSON does not allow by its code, because it would look like an ordinary one. */
function describeFound(rest: string): string {
  const [word = ''] = rest.split(/\s/, 1)
  return word === '' ? `U+${rest.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}` : quote(word)
}

async function parseYamlFile(bytes: Uint8Array): Promise<unknown> {
  const text = decodeUtf8(bytes)
  if (text.trim() === '') throw new FileProblem(FILE_IS_EMPTY)
  const { parseYaml, YamlError } = await import('../lib/yaml.js')
  try {
    return parseYaml(text)
  } catch (error) {
    throw error instanceof YamlError ? new FileProblem(error.message) : error
  }
}

function explain(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  if (error instanceof FileProblem) return message
  // A stack overflow.
  if (error instanceof RangeError) return TOO_DEEP
  if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return 'File is not UTF-8 text.'
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'File not found.'
  if (code === 'EACCES' || code === 'EPERM') return 'Permission denied.'
  return `Cannot read the file: ${code ?? message}`
}

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
      throw readable === error
        ? new FileError(file, error instanceof MockError ? linesOf(error) : [error.message])
        : readable
    }
    throw error
  }
}
