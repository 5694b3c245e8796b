import type { NamedService } from '../../engine/connected-mocks.js'
import { MockError } from '../../engine/contract/errors.js'
import type { AnyService } from '../../engine/define-service.js'
import type { ServiceDefinition } from '../../engine/service.js'
import { SERVICE_DEFAULTS } from '../../engine/service-options.js'
import { type ListenOptions, resolveServerOptions, type ServedServices, type ServerSettings } from './options.js'
import { checkServiceName } from './several.js'

/** Imported when needed, so that the server of the built-in service does not load it. */
const importDocuments = () => import('../../petstore/documents-served.js')

/** The service of an OpenAPI document, or of the file with one. */
export async function createServiceFor(document: object | string): Promise<ServiceDefinition<AnyService>> {
  const { loadDocument, serviceOf } = await importDocuments()
  return serviceOf(typeof document === 'string' ? await loadDocument(document) : document)
}

/** The settings of a server with several services, and each service with its options over those for all. */
export async function resolveServices(
  services: ServedServices,
  options: ListenOptions,
): Promise<{ settings: ServerSettings; named: readonly NamedService[] }> {
  const { server: settings, mock: common } = resolveServerOptions<object>(options, SERVICE_DEFAULTS)
  for (const name of OF_ONE_SERVICE) {
    if (!(name in common)) continue
    const message = `Option "${name}" is for one service: services: { shop: { service, ${name} } }.`
    throw new MockError('INVALID_OPTION', message, { option: name })
  }
  const entries = Object.entries(Object(services) as ServedServices)
  if (entries.length === 0) throw new MockError('INVALID_OPTION', 'Give at least one service in "services".')
  for (const [name] of entries) checkServiceName(name)
  const { readServed } = await importDocuments()
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
