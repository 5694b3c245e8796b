import { createContract } from '../../document/contract/contract.js'
import type { OperationValidators, Validate, Validators, Violation } from '../../document/validate/validators.js'
import { document as general } from '../../generated/engine/admin/admin-document.js'
import { validators } from '../../generated/engine/admin/admin-validators.js'
import { once } from '../../lib/functions.js'
import type { Json } from '../../lib/values.js'
import { describeResources } from '../crud/describe-resources.js'
import type { AnyServiceTypes, ServedDocument, ServiceDefinition } from '../service.js'
import { deriveAdminDocument } from './derive-document.js'

/** The names that requests to the admin API of a service may contain. */
export interface KnownNames {
  /** The fields of a reset. */
  readonly reset: readonly string[]
  /** The fields of a state. */
  readonly state: readonly string[]
  /** The query parameters of a list of records, and those of them that are filters. */
  readonly query: readonly string[]
  readonly filters: readonly string[]
}

/** Validators that reject all other names. Those of `spec/admin.yaml` know no collections and filters. */
function rejectUnknownNames(
  { operations, schemas }: Validators,
  { reset, state, query, filters }: KnownNames,
): Validators {
  const { resetMock, replaceState, listRecords } = operations
  // The list operation of the service checks the filters.
  const checked = query.filter((name) => !filters.includes(name))
  return {
    schemas,
    operations: {
      ...operations,
      resetMock: replaceAt(0, resetMock, (validate) => rejectOthers(validate, 'requestBody', reset)),
      replaceState: replaceAt(0, replaceState, (validate) => rejectOthers(validate, 'requestBody', state)),
      listRecords: replaceAt(-1, listRecords, (validate) => rejectOthers(validate, 'query', query, checked)),
    },
  }
}

function replaceAt(
  index: number,
  { request, responses }: OperationValidators = { request: [], responses: {} },
  change: (validate: Validate) => Validate,
): OperationValidators {
  return { responses, request: request.with(index, change(request.at(index) as Validate)) }
}

/** Only the `checked` members of the object at `place` are checked further. */
function rejectOthers(
  validate: Validate,
  place: string,
  known: readonly string[],
  checked: readonly string[] = known,
): Validate {
  const parentSchema = { properties: Object.fromEntries(known.map((name) => [name, {}])) }
  const closed: Validate = (value) => {
    const data = (value as Json)[place]
    const members = typeof data === 'object' && data !== null && !Array.isArray(data) ? Object.entries(data) : undefined
    const unknown = (members ?? []).flatMap(([additionalProperty]): Violation[] =>
      known.includes(additionalProperty)
        ? []
        : [
            {
              instancePath: `/${place}`,
              keyword: 'additionalProperties',
              params: { additionalProperty },
              parentSchema,
              data,
            },
          ],
    )
    const rest = members ? Object.fromEntries(members.filter(([name]) => checked.includes(name))) : data
    const others = validate({ ...(value as Json), [place]: rest }) ? [] : (validate.errors ?? [])
    closed.errors = [...unknown, ...others]
    return closed.errors.length === 0
  }
  return closed
}

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
  const { json } = await import('../../generated/engine/admin/admin-json.js')
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
