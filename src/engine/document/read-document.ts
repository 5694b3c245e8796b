import { MockError } from '../contract/errors.js'
import { bundleFiles } from './bundle-files.js'
import { checkDocument, invalidDocument } from './check-document.js'
import { filesByDocument } from './document-files.js'
import type { ReadFile } from './read-files.js'

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
    return fs.readFile(real)
  }
  return { path: paths.basename(main), files, read }
}
