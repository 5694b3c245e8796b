import type { Contract } from '../../document/contract/contract.js'
import { titleOf } from '../../document/resources/names.js'
import { partsOf } from '../../document/schema/facts.js'
import { resolvePointer } from '../../document/schema/pointer.js'
import { withoutExamples } from '../../document/schema/without-examples.js'
import { groupBy, type Json } from '../../lib/values.js'
import { describeResources } from '../crud/describe-resources.js'
import { sortForFixtures } from '../data/format.js'
import type { ServiceResource } from '../resources/service-resource.js'

const COMPONENT = '#/components/schemas/'

/**
 * Returns a function that returns the schema at a JSON pointer of a document, for use in another document, and adds those it
 * refers to to the schemas of that one. They keep their names, unless the other document uses them already.
 */
function createSchemaCopier(document: object, schemas: Record<string, Json>): (pointer: string) => Json {
  const names = new Map<string, string>()

  function nameOf(pointer: string): string {
    const known = names.get(pointer)
    if (known !== undefined) return known
    const last = (pointer.split('/').at(-1) ?? '').replaceAll(/[^\w.-]+/g, '_')
    let name = last
    for (let number = 2; Object.hasOwn(schemas, name); number++) name = `${last}${number}`
    names.set(pointer, name)
    // Before it is copied: a schema may contain itself.
    schemas[name] = {}
    schemas[name] = copy(resolvePointer(document, pointer)) as Json
    return name
  }

  function copy(node: unknown): unknown {
    if (Array.isArray(node)) return node.map(copy)
    if (typeof node !== 'object' || node === null) return node
    const { $ref } = node as Json
    if (typeof $ref === 'string' && resolvePointer(document, $ref) !== undefined)
      return { $ref: COMPONENT + nameOf($ref) }
    // Its mapping has references, too, and it only helps to choose between them.
    const members = Object.entries(node).filter(([key]) => key !== 'discriminator')
    return Object.fromEntries(members.map(([key, value]) => [key, copy(value)]))
  }

  return (pointer) =>
    pointer.startsWith(COMPONENT)
      ? { $ref: COMPONENT + nameOf(pointer) }
      : (copy(resolvePointer(document, pointer)) as Json)
}

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
  const lists = forEach(sorted, (resource) => ({
    type: 'array',
    description: `${titleOf(resource.name)}.`,
    items: describeEntry(resource, copySchema),
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

/** A record in an exported state: what clients see of it, and what only saved data has. */
function describeEntry({ record, unsent }: ServiceResource, copySchema: (pointer: string) => Json): Json {
  if (unsent.length === 0) return copySchema(record.pointer)
  const members = Object.fromEntries(unsent.map(({ member }) => [member, {}]))
  const isClosed = [...partsOf(record.schema)].some(
    ({ additionalProperties, ...others }) =>
      additionalProperties === false || Object.hasOwn(others, 'unevaluatedProperties'),
  )
  return {
    type: 'object',
    ...(isClosed ? {} : { allOf: [copySchema(record.pointer)] }),
    properties: members,
    additionalProperties: true,
  }
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
  return [...groupBy(all, ({ parameter }) => parameter)].map(([name, same]) => {
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
