import { loadDocument } from '../../document/load/load-document.js'
import { MockError } from '../../http/errors.js'
import type { ServiceDefinition, ServiceTypes } from '../service.js'
import { createConnected, type NamedService } from './connected-mocks.js'
import type { AnyService, MockOptions } from './define-service.js'
import { createDocumentService } from './document-service.js'
import type { Mock } from './mock.js'
import { isService } from './service-of.js'

/** A service, alone or with the options of its mock, or an OpenAPI document with them. */
export type ServiceEntry =
  | Pick<ServiceDefinition<ServiceTypes>, 'document' | 'specHash'>
  | { readonly service: object }
  | { readonly document: object }

/** The mocks of these services, each with the types of its service. */
export type MocksOf<Entries> = { readonly [Name in keyof Entries]: Mock<TypesOf<Entries[Name]>> }

/** The types of the service of an entry. */
export type TypesOf<Entry> =
  Entry extends ServiceDefinition<infer T>
    ? T
    : Entry extends { readonly service: ServiceDefinition<infer T> }
      ? T
      : AnyService

/**
 * Mocks of several services, in memory. The handlers of each can use the others by the names that they have here:
 * `services.billing.data.invoices.create()`. Await their `ready` before the first request.
 */
export function createMocks<const Entries extends Readonly<Record<string, ServiceEntry>>>(
  entries: Entries,
): MocksOf<Entries> {
  const read = Object.entries(entries).map(([name, entry]) => ({ name, ...readEntry(name, entry) }))
  const { created } = createConnected(read)
  return Object.fromEntries(created.map(({ name, mock }) => [name, mock])) as never
}

/** The service of an entry, whose document may be the path of its file, and the options of its mock. */
export async function readServed(
  name: string,
  entry: ServiceEntry | { readonly document: object | string },
): Promise<Omit<NamedService, 'name'>> {
  const { document } = Object(entry) as { readonly document?: unknown }
  const isFile = typeof document === 'string'
  return readEntry(name, isFile ? { ...entry, document: await loadDocument(document) } : (entry as ServiceEntry))
}

function readEntry(name: string, entry: ServiceEntry): Omit<NamedService, 'name'> {
  if (isService(entry)) return { service: entry, options: {} }
  const { service, document, ...options } = Object(entry) as MockOptions
  if (isService(service) && document === undefined) return { service, options }
  if (typeof document === 'object' && document !== null && service === undefined) {
    return { service: createDocumentService(document), options }
  }
  const message = `Service "${name}" must be what defineService returned, { service, …options } or { document, …options }.`
  throw new MockError('INVALID_OPTION', message, { option: 'services' })
}
