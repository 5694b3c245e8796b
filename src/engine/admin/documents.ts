import { once } from '../../lib/once.js'
import { createContract } from '../contract/contract.js'
import { describeResources } from '../resources/describe-resources.js'
import type { AnyServiceTypes, ServedDocument, ServiceDefinition } from '../service.js'
import { deriveAdminDocument } from './derive-document.js'
import { document as general } from './generated/admin-document.js'
import { validators } from './generated/admin-validators.js'
import { rejectUnknownNames } from './known-names.js'

/** What the documents of a service are made from. */
export type DocumentedService = Pick<
  ServiceDefinition<AnyServiceTypes>,
  'title' | 'document' | 'resources' | 'contract' | 'loadDocument' | 'defaultSizes'
>

/** The contract of a service's admin API. */
export function createAdminContract(service: DocumentedService) {
  const document = deriveAdminDocument(structuredClone(general), service)
  const { schemas } = (document as { components: { schemas: Record<string, { properties: object }> } }).components
  const filters = describeResources(service.resources, service.contract).flatMap((each) =>
    each.filters.map(({ parameter }) => parameter),
  )
  const names = {
    reset: Object.keys(schemas.ResetTarget?.properties ?? {}),
    state: Object.keys(schemas.StateToImport?.properties ?? {}),
    query: [...new Set(['offset', 'limit', 'sort', ...filters])],
    filters,
  }
  return createContract(document, rejectUnknownNames(validators, names))
}

/** The document of a service's admin API, with all descriptions. Its schemas of records are those of the service's document. */
export async function readAdminDocument(service: DocumentedService): Promise<object> {
  const { json } = await import('./generated/admin-json.js')
  return deriveAdminDocument(JSON.parse(json) as object, service)
}

/** The documents that a mock serves, complete and in both formats. */
export function createServedDocuments(service: DocumentedService) {
  const load = once(service.loadDocument ?? (async (): Promise<ServedDocument> => ({ document: service.document })))
  const admin = once(async () => readAdminDocument({ ...service, document: (await load()).document }))
  return {
    service: async () => (await load()).document,
    // Separate, because it takes ten times as long.
    serviceYaml: once(async () => {
      const { document, yaml } = await load()
      return yaml ?? toYaml(document)
    }),
    admin,
    adminYaml: once(async () => toYaml(await admin())),
  }
}

async function toYaml(document: object): Promise<string> {
  const { formatYaml } = await import('../../lib/yaml.js')
  return formatYaml(document)
}
