import { MockError } from '../../http/errors.js'
import { escapeToken, type Path, toPointer } from '../../lib/json-pointer.js'
import { shareBetweenBuilds } from '../../lib/share-between-builds.js'
import { decodePercent, quote } from '../../lib/text.js'
import { isPlainObject } from '../../lib/values.js'
import { walk } from '../schema/walk.js'
import { MAX_BYTES } from './bounds.js'
import { checkDocument, invalidDocument } from './check-document.js'
import { createFileReader, type ReadFile, UnusableFile } from './read-files.js'

/** Below this extension of the document are the other files, by their names. */
const FILES = 'x-files'

/** A reference of a file: a member of one of its objects. */
interface Reference {
  readonly holder: Record<string, unknown>
  readonly key: string
  readonly path: Path
}

/**
 * Joins the files that a document refers to into one document, whose references stay inside of it: what contains itself
 * still does. `problems` has the references that cannot be followed.
 */
async function bundleFiles(main: string, read: ReadFile): Promise<{ document: unknown; problems: string[] }> {
  const readFile = createFileReader(read)
  const problems: string[] = []
  const others = new Map<string, object>()

  /** The references of a file become such that hold in the bundled document. Returns the files that they lead to. */
  function rewrite(name: string, content: object): Set<string> {
    const found = new Set<string>()
    for (const { holder, key, path } of findReferences(content)) {
      const [file = '', pointer = ''] = String(holder[key]).split('#', 2)
      const target = file === '' ? name : resolveName(name, file)
      // Only $ref has to lead somewhere. Mappings of real documents name files that were left out.
      if (key !== '$ref' && target !== name && target !== main) continue
      if (target === undefined) {
        const reason = isAddress(file) ? 'on the network' : 'outside of the folder of the document'
        problems.push(`${place(name, path)} refers to ${quote(file)}, ${reason}, which is not read.`)
        continue
      }
      const isAnchor = pointer !== '' && !pointer.startsWith('/')
      const base = target === main || isAnchor ? '' : `/${FILES}/${escapeToken(target)}`
      holder[key] = `#${base}${pointer}`
      if (target !== main && target !== name) found.add(target)
      if (target !== main && !origins.has(target)) origins.set(target, place(name, path))
    }
    return found
  }

  const origins = new Map<string, string>()
  const place = (name: string, path: Path) => `${name === main ? '' : `${name}: `}${toPointer(path)}`

  async function add(name: string): Promise<object | undefined> {
    try {
      const content = await readFile(name)
      const found = rewrite(name, content)
      if (name !== main) others.set(name, content)
      for (const other of found) if (!others.has(other) && !failed.has(other)) waiting.push(other)
      return content
    } catch (error) {
      if (!(error instanceof UnusableFile)) throw error
      failed.add(name)
      const origin = origins.get(name)
      problems.push(origin === undefined ? error.message : `${origin} refers to ${quote(name)}: ${error.message}`)
      return undefined
    }
  }

  const failed = new Set<string>()
  const waiting: string[] = []
  const document = await add(main)
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (!others.has(next) && !failed.has(next)) await add(next)
  }
  if (document === undefined || others.size === 0) return { document, problems }
  return { document: { ...document, [FILES]: Object.fromEntries(others) }, problems }
}

function* findReferences(content: object): Generator<Reference> {
  for (const { value, path, isNames } of walk(content)) {
    if (isNames || Array.isArray(value)) continue
    const holder = value as Record<string, unknown>
    if (typeof holder.$ref === 'string') yield { holder, key: '$ref', path: { key: '$ref', parent: path } }
    const mapping = isPlainObject(holder.discriminator) ? holder.discriminator.mapping : undefined
    if (!isPlainObject(mapping)) continue
    for (const [key, target] of Object.entries(mapping)) {
      // Others are names of schemas.
      if (typeof target === 'string' && /[/.#]/.test(target)) yield { holder: mapping, key, path }
    }
  }
}

const isAddress = (file: string) => /^([a-z][a-z0-9+.-]*:|\/\/)/i.test(file)

/** The name of a file inside of the folder, as another one refers to it; undefined if it is elsewhere. */
function resolveName(from: string, reference: string): string | undefined {
  if (isAddress(reference) || /^[/\\]/.test(reference)) return undefined
  const parts = from.split('/').slice(0, -1)
  for (const part of decodePercent(reference).split(/[/\\]/)) {
    if (part === '..' && parts.pop() === undefined) return undefined
    if (part !== '..' && part !== '.') parts.push(part)
  }
  return parts.join('/')
}

/**
 * The paths of the files that `loadDocument` has read each document from. For a document that it could not load, the key is the
 * error, and those that are missing are included.
 */
export const filesByDocument = shareBetweenBuilds('files of documents', () => new WeakMap<object, readonly string[]>())

/** The files of a document that could not be loaded, by the error or the one that has caused it. */
export function filesOfError(error: unknown): readonly string[] {
  if (!(error instanceof Error)) return []
  return filesByDocument.get(error) ?? filesOfError(error.cause)
}

/** Does the work of `loadDocument`, which imports it when it is called. */
export async function readDocument(file: string | URL): Promise<object> {
  const { path, files, read } = openFolder(file)
  try {
    const { document, problems } = await bundleFiles(path, read)
    if (problems.length > 0) throw invalidDocument(`${file} cannot be used as an OpenAPI document:`, problems)
    checkDocument(document)
    filesByDocument.set(document as object, [...files])
    return document as object
  } catch (error) {
    filesByDocument.set(error as object, [...files])
    throw error
  }
}

/** Reads files of the folder of a file. */
function openFolder(file: string | URL): { path: string; files: ReadonlySet<string>; read: ReadFile } {
  const builtIn = globalThis.process?.getBuiltinModule
  if (builtIn === undefined) {
    const message =
      'loadDocument reads files, which needs Node, Bun or Deno. Elsewhere, import the document as an object.'
    throw new MockError('INVALID_DOCUMENT', message)
  }
  const fs = builtIn('node:fs/promises')
  const paths = builtIn('node:path')
  const main = paths.resolve(typeof file === 'string' ? file : builtIn('node:url').fileURLToPath(file))
  const folder = paths.dirname(main)
  let realFolder: string | undefined
  const files = new Set<string>()

  /** `name` is relative to the folder, with slashes. */
  async function read(name: string): Promise<Uint8Array | 'outside'> {
    const path = paths.resolve(folder, name)
    files.add(path)
    realFolder ??= await fs.realpath(folder)
    // A link may lead elsewhere. The document itself may be one.
    const real = path === main ? path : await fs.realpath(path)
    const isInside =
      path === main || real.startsWith(realFolder.endsWith(paths.sep) ? realFolder : realFolder + paths.sep)
    if (!isInside) return 'outside'
    const stats = await fs.stat(real)
    // Reading a pipe or a device may never end.
    if (!stats.isFile()) throw Object.assign(new Error(), { code: 'EISDIR' })
    if (stats.size > MAX_BYTES) throw Object.assign(new Error(), { code: 'EFBIG' })
    return fs.readFile(real)
  }
  return { path: paths.basename(main), files, read }
}
