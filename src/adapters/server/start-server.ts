import { createConnected } from '../../engine/connected-mocks.js'
import { MockError } from '../../engine/contract/errors.js'
import type { MocksOf } from '../../engine/create-mocks.js'
import type { AnyService } from '../../engine/define-service.js'
import { createMock, type Mock } from '../../engine/mock.js'
import type { ServiceDefinition, ServiceTypes } from '../../engine/service.js'
import type { Petstore } from '../../petstore/create-petstore.js'
import { petstoreService } from '../../petstore/service.js'
import type { PetstoreTypes } from '../../petstore/types.js'
import {
  type ListenOptions,
  resolveServerOptions,
  type ServedServices,
  type ServerOptions,
  type ServiceServerOptions,
  type ServicesServerOptions,
} from './options.js'
import { type ListeningServer, listenWith } from './server.js'
import { createServiceFor, resolveServices } from './services.js'

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
/** Serves several services on one port, each at the path of its name. Their handlers can use each other. */
export function startServer<const Entries extends ServedServices>(
  options: ServicesServerOptions<Entries>,
): Promise<ServicesServer<Entries>>
/** Serves any other service. */
export function startServer(options: ServiceServerOptions): Promise<MockServer>
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
  if (services !== undefined) return startServices(services, others)
  if (service !== undefined) return startMock(service, others)
  if (document !== undefined) return startMock(await createServiceFor(document), others)
  return startPetstore(others as ServerOptions)
}

async function startPetstore(options: ServerOptions): Promise<PetstoreServer> {
  const server = await startMock<PetstoreTypes>(petstoreService, options)
  return Object.assign(server, { petstore: server.mock })
}

async function startMock<T extends ServiceTypes>(
  service: ServiceDefinition<T>,
  options: ListenOptions & T['options'],
): Promise<MockServer<T>> {
  const { server: settings, mock: mockOptions } = resolveServerOptions<T['options']>(options, service.defaultOptions)
  const upstream = settings.upstream === undefined ? undefined : await import('../upstream/create-upstream.js')
  const createUpstream = upstream?.createUpstream(settings, service.contract)
  const created = createMock(service, mockOptions, undefined, createUpstream)
  const server = await listenWith(settings, [{ service, ...created }])
  return Object.assign(server, { mock: created.mock })
}

async function startServices(services: ServedServices, options: ListenOptions): Promise<ServicesServer> {
  const { settings, named } = await resolveServices(services, options)
  if (settings.upstream !== undefined) {
    const message =
      'Option "upstream" is for a single service. Start a server of its own for each that has an upstream.'
    throw new MockError('INVALID_OPTION', message, { option: 'upstream' })
  }
  const created = createConnected(named)
  const server = await listenWith(settings, created)
  return Object.assign(server, { mocks: Object.fromEntries(created.map(({ name, mock }) => [name, mock])) as never })
}
