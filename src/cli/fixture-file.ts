import { readFile, stat } from 'node:fs/promises'
import { extname } from 'node:path'
import { MockError, quote } from '../engine/contract/errors.js'
import { parseJson } from '../lib/json.js'
import type { PartialFixture } from '../petstore/fixtures/format.js'
import { findJsonError } from './json-error.js'

/** A file that cannot be used: one sentence for each problem. */
export class FixtureFileError extends Error {
  override readonly name = 'FixtureFileError'
  /** Each fit for a line of its own, and starting with the file's name. */
  readonly lines: readonly string[]

  constructor(file: string, problems: readonly string[]) {
    const lines = problems.map((problem) => printable(`${file}: ${problem}`))
    super(lines.join('\n'))
    this.lines = lines
  }
}

const MIB = 1024 * 1024
const MAX_MIB = 64

const PARSERS: Readonly<Record<string, (text: string) => unknown>> = {
  '.json': readJson,
  '.yaml': readYaml,
  '.yml': readYaml,
}

/** What the file says, not read yet. Apart from reading it, so that a watcher can tell whether it has changed. */
export async function readFixtureText(file: string): Promise<string> {
  try {
    const stats = await stat(file)
    if (stats.isDirectory()) throw new Problem('is a folder, not a file')
    // A pipe or a device may never end.
    if (!stats.isFile()) throw new Problem('is not an ordinary file')
    if (stats.size > MAX_MIB * MIB) {
      throw new Problem(`is too large: ${Math.ceil(stats.size / MIB)} MiB, where ${MAX_MIB} MiB is the most`)
    }
    const text = decode(await readFile(file))
    if (text.trim() === '') throw new Problem('is empty')
    parserOf(file)
    return text
  } catch (error) {
    throw new FixtureFileError(file, [explain(error)])
  }
}

/** The fixture of a text, exact to the last digit. Whether it makes a world is for the pet store to say. */
export async function parseFixture(file: string, text: string): Promise<PartialFixture> {
  try {
    const value = await parserOf(file)(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
    throw new Problem('must hold an object with lists such as categories and pets')
  } catch (error) {
    throw new FixtureFileError(file, [explain(error)])
  }
}

/** The pet store's refusal of a fixture, told as a problem of the file; any other error as it is. */
export function blameFile(file: string, error: unknown): unknown {
  if (!(error instanceof MockError) || error.code !== 'INVALID_FIXTURE') return error
  return new FixtureFileError(file, error.problems)
}

/** A sentence about the file, to be thrown to where its name is known. */
class Problem extends Error {}

function parserOf(file: string): (text: string) => unknown {
  const parser = PARSERS[extname(file).toLowerCase()]
  if (parser) return parser
  throw new Problem(`must end in ${Object.keys(PARSERS).join(', ')}, to tell how to read it`)
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new Problem('is not UTF-8 text')
  }
}

function readJson(text: string): unknown {
  try {
    return parseJson(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    const index = findJsonError(text)
    const before = text.slice(0, index).split('\n')
    const found = index < text.length ? quote(text.slice(index).split(/\s/, 1)[0] || ' ') : 'the end of the file'
    throw new Problem(`line ${before.length}, column ${(before.at(-1) ?? '').length + 1}: not JSON: found ${found}`)
  }
}

async function readYaml(text: string): Promise<unknown> {
  const { LineCounter, parseDocument } = await import('yaml')
  const lineCounter = new LineCounter()
  const document = parseDocument(text, { intAsBigInt: true, lineCounter, prettyErrors: false, logLevel: 'error' })
  const [error] = document.errors
  if (error) {
    const { line, col } = lineCounter.linePos(error.pos[0])
    throw new Problem(`line ${line}, column ${col}: not YAML: ${error.message}`)
  }
  return document.toJS({ reviver: (_key, value) => toExactNumber(value) })
}

/** As the reader of JSON hands integers over: a number where a double is exact, a bigint beyond. */
function toExactNumber(value: unknown): unknown {
  return typeof value === 'bigint' && Number.isSafeInteger(Number(value)) ? Number(value) : value
}

function explain(error: unknown): string {
  if (error instanceof Problem) return error.message
  if (error instanceof RangeError) return 'is nested too deeply, or holds itself'
  const { code, message } = error as NodeJS.ErrnoException
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return 'there is no such file'
    case 'EACCES':
    case 'EPERM':
      return 'may not be read: it lacks the permission'
    default:
      return `cannot be read: ${code ?? message}`
  }
}

/** What a file or its name holds must neither break a line nor steer the terminal. */
function printable(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, ' ')
}
