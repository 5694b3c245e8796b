import { createConnected, type NamedService } from './connected-mocks.js'
import { MockError } from './contract/errors.js'
import type { AnyService, MockOptions } from './define-service.js'
import { createDocumentService } from './document/document-service.js'
import { isService } from './is-service.js'
import type { Mock } from './mock.js'
import type { ServiceDefinition, ServiceTypes } from './service.js'

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

/** The service of an entry, and the options of its mock. */
export function readEntry(
  name: string,
  entry: ServiceEntry,
  serviceOf: (document: object) => NamedService['service'] = createDocumentService,
): Omit<NamedService, 'name'> {
  if (isService(entry)) return { service: entry, options: {} }
  const { service, document, ...options } = Object(entry) as MockOptions
  if (isService(service) && document === undefined) return { service, options }
  if (typeof document === 'object' && document !== null && service === undefined) {
    return { service: serviceOf(document), options }
  }
  const message = `Service "${name}" must be what defineService returned, { service, …options } or { document, …options }.`
  throw new MockError('INVALID_OPTION', message, { option: 'services' })
}
