import type { Contract } from '../contract/contract.js'
import { resolvePointer } from '../contract/pointer.js'
import { withoutExamples } from '../contract/without-examples.js'
import { sortForFixtures } from '../data/format.js'
import { describeResources } from '../resources/describe-resources.js'
import { titleOf } from '../resources/names.js'
import type { ServiceResource } from '../resources/service-resource.js'
import { createSchemaCopier, type Json } from './copy-schemas.js'

/** The service that an admin API is for. */
export interface AdminService {
  /** Its OpenAPI document: complete, or the part that the contract works with. */
  readonly document: object
  readonly resources: readonly ServiceResource[]
  readonly contract: Pick<Contract, 'operationById' | 'operations'>
  /** The resources whose size is an option by itself. The other services have the option `sizes`. */
  readonly defaultSizes: Readonly<Record<string, string>>
}

interface Closable extends Json {
  readonly properties?: Readonly<Record<string, Json>>
  readonly required?: readonly string[]
  readonly additionalProperties?: unknown
}

interface AdminDocument extends Json {
  readonly components: {
    readonly schemas: Record<string, Closable>
    readonly parameters: Record<string, Json>
  }
  readonly paths: Record<string, Record<string, { parameters: (Json & { readonly name?: string })[] }>>
}

/**
 * The document of the admin API for one service: with the names of its collections, the schemas of its records and its
 * filters, where `spec/admin.yaml` allows any. Changes `general`, which must be a copy.
 */
export function deriveAdminDocument(general: object, service: AdminService): object {
  const { document, resources, contract, defaultSizes } = service
  const admin = withFittingExamples(general as AdminDocument, contract)
  const { schemas, parameters } = admin.components
  const copySchema = createSchemaCopier(document, schemas)
  const sorted = sortForFixtures(resources)
  const stored = resources.filter(({ additions }) => additions.view === undefined)
  const forEach = (each: readonly ServiceResource[], toSchema: (resource: ServiceResource) => Json) =>
    Object.fromEntries(each.map((resource) => [resource.name, toSchema(resource)]))
  const anyOf = (name: string) => schemas[name]?.additionalProperties as Json

  const sizes = forEach(stored, () => anyOf('Sizes'))
  const nextIds = schemas.State?.properties?.nextIds as Closable
  const ids = forEach(stored, () => nextIds.additionalProperties as Json)
  const lists = forEach(sorted, ({ name, record }) => ({
    type: 'array',
    description: `${titleOf(name)}.`,
    items: copySchema(record.pointer),
  }))
  const hasOwnSizes = Object.keys(defaultSizes).length > 0
  const sizesOf = (name: string) => forEach(stored, () => anyOf(name))
  const changes: Record<string, Closable> = {
    Sizes: close(schemas.Sizes, sizes, { areRequired: true }),
    ResetTarget: close(sized(schemas.ResetTarget, hasOwnSizes), hasOwnSizes ? sizesOf('ResetTarget') : {}, {
      before: 'fixtures',
    }),
    ReproductionStart: close(sized(schemas.ReproductionStart, hasOwnSizes), hasOwnSizes ? sizes : {}, {
      before: 'state',
    }),
    StateToImport: close(
      schemas.StateToImport,
      forEach(sorted, () => anyOf('StateToImport')),
      { before: 'nextIds' },
    ),
    State: close(
      {
        ...schemas.State,
        properties: { ...schemas.State?.properties, nextIds: close(nextIds, ids, { areRequired: true }) },
      },
      lists,
      { before: 'nextIds', areRequired: true },
    ),
  }
  Object.assign(schemas, changes)

  const names = resources.map(({ name }) => `\`${name}\``).join(', ')
  parameters.Collection = { ...parameters.Collection, description: `The name of a collection: ${names}.` }
  const listRecords = admin.paths['/__admin/data/{collection}']?.get
  if (listRecords) {
    const others = listRecords.parameters.filter(({ name }) => name !== 'filters')
    listRecords.parameters = [...others, ...filtersOf(service)]
  }
  // The schemas of records are written in this version.
  const { openapi } = document as Json
  return typeof openapi === 'string' && openapi > String(admin.openapi) ? { ...admin, openapi } : admin
}

/** Without `sizes` if each size is a member by itself. */
function sized(schema: Closable = {}, hasOwnSizes: boolean): Closable {
  if (!hasOwnSizes) return schema
  const { sizes: _, ...properties } = schema.properties ?? {}
  return { ...schema, properties }
}

/** Allows no other names than these and its own. They come before one of its own, or after all of them. */
function close(
  schema: Closable = {},
  members: Readonly<Record<string, Json>>,
  { before, areRequired = false }: { before?: string; areRequired?: boolean },
): Closable {
  const own = Object.entries(schema.properties ?? {})
  const found = own.findIndex(([name]) => name === before)
  const index = found < 0 ? own.length : found
  const required = [...(areRequired ? Object.keys(members) : []), ...(schema.required ?? [])]
  return {
    ...schema,
    ...(required.length > 0 && { required }),
    additionalProperties: false,
    properties: Object.fromEntries([...own.slice(0, index), ...Object.entries(members), ...own.slice(index)]),
  }
}

/** One parameter for each name: several collections may have a filter of that name. */
function filtersOf({ document, resources, contract }: AdminService): Json[] {
  const all = describeResources(resources, contract).flatMap(({ name, path, filters }) =>
    filters.map((filter) => ({ ...filter, collection: name, text: descriptionOf(document, path, filter.parameter) })),
  )
  return [...new Set(all.map(({ parameter }) => parameter))].map((name) => {
    const same = all.filter(({ parameter }) => parameter === name)
    const [text] = same.flatMap((filter) => (filter.text === undefined ? [] : [filter.text]))
    const collections = same.map(({ collection }) => `\`${collection}\``).join(', ')
    const type = { type: 'string' }
    return {
      name,
      in: 'query',
      description: `Of ${collections}${text === undefined ? '.' : `: ${text}`}`,
      // The list operation of the collection checks the value.
      schema: same.some(({ isList }) => isList) ? { type: 'array', items: type } : type,
    }
  })
}

function descriptionOf(document: object, path: string, parameter: string): string | undefined {
  const item = ((document as { paths?: Json }).paths?.[path] ?? {}) as { get?: Json } & Json
  const declared = [item.parameters, item.get?.parameters].flat().map((each) => {
    const reference = (each as Json | undefined)?.$ref
    return (typeof reference === 'string' ? resolvePointer(document, reference) : each) as Json | undefined
  })
  const text = declared.find((each) => each?.name === parameter && each.in === 'query')?.description
  return typeof text === 'string' ? text : undefined
}

/** The examples are about the built-in service: they would mislead in another one. */
function withFittingExamples(admin: AdminDocument, { operations }: AdminService['contract']): AdminDocument {
  const operation = admin.components.parameters.JournalOperation?.example
  const fits = operations().some((each) => each.operation === operation)
  return fits ? admin : (withoutExamples(admin) as AdminDocument)
}
