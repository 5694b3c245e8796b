import type { NamedService } from '../engine/connected-mocks.js'
import { readEntry, type ServiceEntry } from '../engine/create-mocks.js'
import { loadDocument } from '../engine/document/load-document.js'
import { serviceOf } from './define-petstore.js'

/** What the server and the command import when they have a document. */
export { loadDocument, serviceOf }

/** The service of an entry, whose document may be the path of its file, and the options of its mock. */
export async function readServed(
  name: string,
  entry: ServiceEntry | { readonly document: object | string },
): Promise<Omit<NamedService, 'name'>> {
  const { document } = Object(entry) as { readonly document?: unknown }
  const isFile = typeof document === 'string'
  const read = isFile ? { ...entry, document: await loadDocument(document) } : (entry as ServiceEntry)
  return readEntry(name, read, serviceOf)
}
