import { readFile, stat } from 'node:fs/promises'
import { extname } from 'node:path'
import type { AnyFixture } from '../engine/data/format.js'
import type { AnyService } from '../engine/define-service.js'
import { FileError } from '../engine/document/file-error.js'
import type { ServiceDefinition } from '../engine/service.js'
import { findJsonError } from '../lib/json-error.js'
import { cutJson, parsePieces } from '../lib/json-in-steps.js'
import { quote } from '../lib/quote.js'
import { runInSlices, type Steps } from '../lib/steps.js'

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
