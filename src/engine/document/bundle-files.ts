import { decodePercent } from '../../lib/decode-percent.js'
import { escapeToken, type Path, toPointer } from '../../lib/json-pointer.js'
import { isPlainObject } from '../../lib/plain-object.js'
import { quote } from '../../lib/quote.js'
import { createFileReader, type ReadFile, UnusableFile } from './read-files.js'
import { walk } from './walk.js'

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
export async function bundleFiles(main: string, read: ReadFile): Promise<{ document: unknown; problems: string[] }> {
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
