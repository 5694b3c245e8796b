import type { CarriedOver, VersionedMock } from '../../engine/mock/carry-over.js'
import type { NamedService } from '../../engine/mock/connected-mocks.js'
import { createConnected } from '../../engine/mock/connected-mocks.js'
import type { MocksOf } from '../../engine/mock/create-mocks.js'
import type { AnyService, MockOptions } from '../../engine/mock/define-service.js'
import { createMock, type Mock } from '../../engine/mock/mock.js'
import { SERVICE_OPTIONS } from '../../engine/mock/service-options.js'
import type { ServiceDefinition, ServiceTypes } from '../../engine/service.js'
import { MockError } from '../../http/errors.js'
import type { Petstore } from '../../petstore/service.js'
import { petstoreService } from '../../petstore/service.js'
import type { PetstoreTypes } from '../../petstore/types.js'
import {
  type ListenOptions,
  resolveServerOptions,
  type ServedServices,
  type ServerOptions,
  type ServerSettings,
  type ServiceServerOptions,
  type ServicesServerOptions,
} from './options.js'
import { type ListeningServer, listenWith } from './server.js'
import { checkServiceName } from './several.js'

/** The service of an OpenAPI document, or of the file with one. */
export async function createServiceFor(document: object | string): Promise<ServiceDefinition<AnyService>> {
  // Imported when needed, so that the server of the built-in service does not load it.
  const { createDocumentService, loadDocument } = await import('../../engine/mock/load.js')
  return createDocumentService(typeof document === 'string' ? await loadDocument(document) : document)
}

/** The settings of a server with several services, and each service with its options over those for all. */
async function resolveServices(
  services: ServedServices,
  options: ListenOptions,
): Promise<{ settings: ServerSettings; named: readonly NamedService[] }> {
  const { server: settings, mock: common } = resolveServerOptions<object>(options, SERVICE_OPTIONS)
  for (const name of OF_ONE_SERVICE) {
    if (!(name in common)) continue
    const message = `Option "${name}" is for one service: services: { shop: { service, ${name} } }.`
    throw new MockError('INVALID_OPTION', message, { option: name })
  }
  const entries = Object.entries(Object(services) as ServedServices)
  if (entries.length === 0) throw new MockError('INVALID_OPTION', 'Give at least one service in "services".')
  for (const [name] of entries) checkServiceName(name)
  const { readServed } = await import('../../engine/mock/create-mocks.js')
  const read = await Promise.all(entries.map(async ([name, entry]) => ({ name, ...(await readServed(name, entry)) })))
  const named = read.map(({ name, service, options: own }) => ({ name, service, options: { ...common, ...own } }))
  for (const { name, service, options: own } of named) checkOptions(name, service, own)
  return { settings, named }
}

/** Starting data differs from service to service. */
const OF_ONE_SERVICE = ['fixtures', 'sizes'] as const

/** Names the service in the message. */
function checkOptions(name: string, service: ServiceDefinition<AnyService>, options: NamedService['options']): void {
  try {
    service.resolveOptions(options)
  } catch (error) {
    throw error instanceof MockError
      ? Object.assign(new MockError(error.code, `Service "${name}": ${error.message}`), { option: error.option })
      : error
  }
}

/** A server of any service. */
export interface MockServer<T extends ServiceTypes = AnyService> extends ListeningServer {
  /** The mock that it serves. */
  readonly mock: Mock<T>
}

/** A server of several services. */
export interface ServicesServer<Entries = Readonly<Record<string, unknown>>> extends ListeningServer {
  /** The mocks that it serves, by the names of their services. */
  readonly mocks: MocksOf<Entries>
}

/** A server of the built-in service. */
export interface PetstoreServer extends MockServer<PetstoreTypes> {
  /** The same as `mock`. */
  readonly petstore: Petstore
}

/** Serves a mock over HTTP. Resolves when the server is listening; rejects with a MockError when it cannot. */
export function startServer(options?: ServerOptions): Promise<PetstoreServer>
/** With `services`: several on one port, each at the path of its name. Their handlers can use each other. */
export function startServer<const Entries extends ServedServices>(
  options: ServicesServerOptions<Entries>,
): Promise<ServicesServer<Entries>>
/** With `service` or `document`: any other service than the built-in one. */
export function startServer<T extends ServiceTypes = AnyService>(
  options: ServiceServerOptions<T>,
): Promise<MockServer<T>>
export function startServer(options: ServerOptions | ServiceServerOptions): Promise<MockServer | PetstoreServer>
export async function startServer(
  options: ServerOptions | ServiceServerOptions | ServicesServerOptions = {},
): Promise<ListeningServer> {
  const { service, document, services, ...others } = options as Partial<ServiceServerOptions & ServicesServerOptions>
  const given = Object.entries({ service, document, services }).filter(([, value]) => value !== undefined)
  if (given.length > 1) {
    const names = given.map(([name]) => `"${name}"`).join(' or ')
    throw new MockError('INVALID_OPTION', `Give either ${names}, not both.`, { option: given[1]?.[0] as string })
  }
  if (services !== undefined) return (await startServices(services, others)).server
  if (service !== undefined) return (await startMock(service, others)).server
  if (document !== undefined) return (await startMock(await createServiceFor(document), others)).server
  return startPetstore(others as ServerOptions)
}

async function startPetstore(options: ServerOptions): Promise<PetstoreServer> {
  const { server } = await startMock<PetstoreTypes>(petstoreService, options)
  return Object.assign(server, { petstore: server.mock })
}

/** Replaces a service by another version of it, and keeps the data that fits. Without a name, the only one. */
export type Reload = (
  service: ServiceDefinition<AnyService>,
  changes?: MockOptions,
  name?: string,
) => Promise<CarriedOver & { readonly mock: Mock<AnyService> }>

/** A server of one service, and how to replace it. */
export async function startMock<T extends ServiceTypes>(
  service: ServiceDefinition<T>,
  options: ListenOptions & T['options'],
): Promise<{ server: MockServer<T>; reload: Reload }> {
  const { server: settings, mock: mockOptions } = resolveServerOptions<T['options']>(options, service.defaultOptions)
  const upstream = settings.upstream === undefined ? undefined : await import('../upstream/create-upstream.js')
  const create = <Other extends ServiceTypes>(other: ServiceDefinition<Other>, changes: object = {}) => {
    const createUpstream = upstream?.createUpstream(settings, other.contract)
    return { service: other, ...createMock(other, { ...mockOptions, ...changes }, undefined, createUpstream) }
  }
  const created = create(service)
  const { server, replace } = await listenWith(settings, [created])
  let current = created as unknown as VersionedMock
  return {
    server: Object.assign(server, { mock: created.mock }),
    async reload(other, changes) {
      const next = create(other, changes)
      const carried = await prepareNext(current, next)
      replace(0, next)
      current = next
      return { ...carried, mock: next.mock }
    },
  }
}

/** The same for several services. */
export async function startServices(
  services: ServedServices,
  options: ListenOptions,
): Promise<{ server: ServicesServer; reload: Reload }> {
  const { settings, named } = await resolveServices(services, options)
  if (settings.upstream !== undefined) {
    const message =
      'Option "upstream" is for a single service. Start a server of its own for each that has an upstream.'
    throw new MockError('INVALID_OPTION', message, { option: 'upstream' })
  }
  const { created, connector } = createConnected(named)
  const { server, replace } = await listenWith(settings, created)
  return {
    server: Object.assign(server, {
      mocks: Object.fromEntries(created.map(({ name, mock }) => [name, mock])),
    }),
    async reload(service, changes, name) {
      const index = created.findIndex((each) => each.name === name)
      const [old, given] = [created[index], named[index]]
      if (old === undefined || given === undefined) throw new Error(`There is no service ${name}.`)
      const next = connector.create({ ...given, service, options: { ...given.options, ...changes } })
      const carried = await prepareNext(old, next)
      connector.connect(next)
      replace(index, next)
      created[index] = next
      return { ...carried, mock: next.mock }
    },
  }
}

/** Nothing waits after the data was carried over, so that no write is lost. */
async function prepareNext(
  current: VersionedMock,
  next: VersionedMock & { importAdmin(): Promise<unknown> },
): Promise<CarriedOver> {
  const [{ carryOver }] = await Promise.all([
    import('../../engine/mock/carry-over.js'),
    next.mock.ready,
    next.importAdmin(),
  ])
  return carryOver(current, next)
}
