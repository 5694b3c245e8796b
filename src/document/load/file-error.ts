import { MockError } from '../../http/errors.js'
import { unescapeToken } from '../../lib/json-pointer.js'
import { printable } from '../../lib/text.js'

/** A file that cannot be used. Each line is one problem and starts with the name of the file, and its line if it is known. */
export class FileError extends Error {
  override readonly name = 'FileError'
  readonly lines: readonly string[]

  constructor(file: string, problems: readonly string[], lineNumbers: readonly (number | undefined)[] = []) {
    const lines = problems.map((problem, index) => {
      const number = lineNumbers[index]
      return printable(`${file}${number === undefined ? '' : `:${number}`}: ${problem}`, NOT_SHORTENED)
    })
    super(lines.join('\n'))
    this.lines = lines
  }
}

const NOT_SHORTENED = Number.POSITIVE_INFINITY

/**
 * Turns the mock's error about a fixture or a document into one about its file, with the lines if the content of the file is given.
 * Returns other errors unchanged.
 */
export async function toFileError(file: string, error: unknown, bytes?: Uint8Array): Promise<unknown> {
  if (!(error instanceof MockError) || !FILE_ERRORS.includes(error.code)) return error
  const { problems } = error
  if (bytes === undefined || bytes.length > MAX_LOCATED_BYTES) return withCause(new FileError(file, problems), error)
  const { findLines } = await import('../../lib/yaml.js')
  // Each problem starts with a JSON pointer, except for the last, which may say how many more there are.
  const places = problems.map((problem) => /^\/\S*/.exec(problem)?.[0].slice(1).split('/').map(unescapeToken))
  const lines = findLines(
    new TextDecoder().decode(bytes),
    places.map((place) => place ?? []),
  )
  const numbers = lines.map((line, index) => places[index] && line)
  return withCause(new FileError(file, problems, numbers), error)
}

/** What is wrong in one sentence, and the problems, if there are several. */
export function linesOf({ message, problems }: MockError): string[] {
  const details = ['', ...problems].join('\n  ')
  return [message.slice(0, message.length - details.length), ...problems]
}

/** A watcher needs the error that another one explains. */
export function withCause(error: FileError, cause: unknown): FileError {
  return Object.assign(error, { cause })
}

/** Errors whose problems start with JSON pointers into a file. */
const FILE_ERRORS: readonly string[] = ['INVALID_FIXTURE', 'INVALID_DOCUMENT']

/** The content of a file for finding lines in it; undefined if it cannot be read, or has none worth reading: a device has no end. */
export async function readForLines(file: string): Promise<Uint8Array | undefined> {
  try {
    const fs = globalThis.process.getBuiltinModule('node:fs/promises')
    const stats = await fs.stat(file)
    return stats.isFile() && stats.size <= MAX_LOCATED_BYTES ? await fs.readFile(file) : undefined
  } catch {
    return undefined
  }
}

/** Finding the lines in a larger file takes too long. */
const MAX_LOCATED_BYTES = 1_000_000
