import { findJsonError } from '../../lib/json-text.js'
import { runNow } from '../../lib/steps.js'
import { quote } from '../../lib/text.js'
import { findExcess, MAX_BYTES, MAX_FILES } from './bounds.js'

/** Reads a file by its name inside of the folder of the document. */
export type ReadFile = (name: string) => Promise<Uint8Array | 'outside'>

/** A file that cannot be used. The message is one sentence. */
export class UnusableFile extends Error {}

/** Reads and parses files. Each of them once, and no more than a document may have. */
export function createFileReader(read: ReadFile) {
  const files = new Map<string, Promise<object>>()
  let bytes = 0

  async function parse(name: string): Promise<object> {
    const content = await read(name).catch((error) => explainCode(error))
    if (content === 'outside') throw new UnusableFile('is outside of the folder of the document, which is not read.')
    bytes += content.length
    if (bytes > MAX_BYTES) throw new UnusableFile(TOO_LARGE)
    const value = await parseText(decode(content), /\.json$/i.test(name))
    if (typeof value !== 'object' || value === null) throw new UnusableFile('does not contain an object.')
    const excess = findExcess(value)
    if (excess !== undefined) throw new UnusableFile(excess)
    return value
  }

  return (name: string): Promise<object> => {
    const known = files.get(name)
    if (known !== undefined) return known
    if (files.size >= MAX_FILES) throw new UnusableFile(`is one of more than ${MAX_FILES} files.`)
    const file = parse(name)
    files.set(name, file)
    return file
  }
}

const TOO_LARGE = `is too large: a document may have ${MAX_BYTES} bytes in all its files.`

function decode(content: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content)
  } catch {
    throw new UnusableFile('File is not UTF-8 text.')
  }
}

/** JSON is YAML as well, but takes much longer to read as such. */
async function parseText(text: string, isJson: boolean): Promise<unknown> {
  if (text.trim() === '') throw new UnusableFile('File is empty.')
  if (isJson || /^\s*[{[]/.test(text)) {
    try {
      return JSON.parse(text)
    } catch {
      if (isJson) throw new UnusableFile(describeJsonError(text))
      // YAML may start with a brace, too.
    }
  }
  const { parseYamlDocument, YamlError } = await import('../../lib/yaml.js')
  try {
    return parseYamlDocument(text)
  } catch (error) {
    throw error instanceof YamlError ? new UnusableFile(error.message) : error
  }
}

function describeJsonError(text: string): string {
  const { line, column, found } = runNow(findJsonError(text))
  const [word = ''] = found.split(/\s/, 1)
  return `Invalid JSON at line ${line}, column ${column}: found ${found === '' ? 'the end of the file' : quote(word)}.`
}

function explainCode({ code, message }: { code?: string; message: string }): never {
  if (code === 'ENOENT' || code === 'ENOTDIR') throw new UnusableFile('File not found.')
  if (code === 'EACCES' || code === 'EPERM') throw new UnusableFile('Permission denied.')
  if (code === 'EFBIG') throw new UnusableFile(TOO_LARGE)
  if (code === 'EISDIR') throw new UnusableFile('Not a file.')
  throw new UnusableFile(`Cannot read the file: ${code ?? message}.`)
}
