import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { invalidOption, MockError } from '../engine/contract/errors.js'
import type { AnyService } from '../engine/define-service.js'
import type { ServiceDefinition } from '../engine/service.js'
import { petstoreService } from '../petstore/service.js'
import { FileError } from './fixture-file.js'

export type Service = ServiceDefinition<AnyService>

export const builtInService = petstoreService as unknown as Service

export interface ServiceSettings {
  /** The path of an OpenAPI document. */
  document?: string | undefined
  /** The path of a service file. */
  service?: string | undefined
}

/** Takes apart what says which service is meant, and the options of its mock. */
export async function splitSettings<Settings extends ServiceSettings>({
  document,
  service: file,
  ...options
}: Settings) {
  const service = await chooseService({ document, service: file })
  if (service !== builtInService) rejectSizes(options)
  return { service, options }
}

/** The built-in service has a flag for each size. */
function rejectSizes(options: object): void {
  for (const [name, value] of Object.entries(options)) {
    if (name in builtInService.defaultSizes) {
      throw invalidOption(name, `omitted for another service. Use --size ${name}=${value} instead`, value)
    }
  }
}

/** The service of --document or --service; without them, the built-in one. */
async function chooseService({ document, service }: ServiceSettings): Promise<Service> {
  if (document !== undefined) return fromDocument(document)
  return service === undefined ? builtInService : fromServiceFile(service)
}

async function fromDocument(file: string): Promise<Service> {
  const { createDocumentService } = await import('../engine/document/document-service.js')
  try {
    return await createDocumentService(file)
  } catch (error) {
    if (error instanceof MockError && error.code === 'INVALID_DOCUMENT') throw new FileError(file, error.problems)
    throw error
  }
}

async function fromServiceFile(file: string): Promise<Service> {
  const module: { readonly default?: unknown } = await import(pathToFileURL(resolve(file)).href)
  const service = module.default
  if (isService(service)) return service
  throw new FileError(file, ['The default export must be a service: export default defineService({ … }).'])
}

function isService(value: unknown): value is Service {
  return typeof value === 'object' && value !== null && 'resolveOptions' in value && 'fixtureFormat' in value
}
