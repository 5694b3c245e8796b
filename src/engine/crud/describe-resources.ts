import type { Contract } from '../../document/contract/contract.js'
import { titleOf } from '../../document/resources/names.js'
import type { IdDescription, ResourceOperation } from '../../document/resources/resource.js'
import { itemsOf, partsOf, propertiesIn, requiredIn, typesOf } from '../../document/schema/facts.js'
import type { Schema } from '../../document/schema/schema.js'
import type { Rejection } from '../resources/additions.js'
import type { ServiceResource } from '../resources/service-resource.js'
import { filterParameters } from './list.js'

/** A resource as JSON, for the dashboard and clients. `spec/admin.yaml` says what it means. */
export interface CollectionDescription {
  readonly name: string
  readonly noun: string
  readonly title: string
  readonly path: string
  readonly id: { readonly property: string; readonly kind: IdDescription['type'] }
  readonly fields: readonly FieldDescription[]
  readonly filters: readonly FilterDescription[]
  readonly create: boolean
  readonly update?: 'PUT' | 'PATCH'
  readonly delete: boolean
  readonly view?: string
  readonly rejections?: Readonly<Record<string, Rejection>>
}

interface ValueDescription {
  readonly type?: string
  readonly format?: string
  readonly enum?: readonly unknown[]
}

export interface FieldDescription extends ValueDescription {
  readonly property: string
  readonly required: boolean
  readonly readOnly: boolean
  readonly reference?: string
  readonly isKept?: boolean
  readonly preventsDeletion?: boolean
}

export interface FilterDescription extends Omit<ValueDescription, 'format'> {
  readonly parameter: string
  readonly property?: string
  readonly isList: boolean
}

export function describeResources(
  resources: readonly ServiceResource[],
  contract: Pick<Contract, 'operationById'>,
): CollectionDescription[] {
  return resources.map((resource) => {
    const { name, noun, path, idPath, id, operations, additions } = resource
    const { create, replace, merge, remove } = operations
    const { view, rejections } = additions
    return {
      name,
      noun,
      title: titleOf(name),
      path,
      id: { property: idPath.join('.'), kind: id.kind.type },
      fields: describeFields(resource),
      filters: describeFilters(resource, contract),
      create: create !== undefined && view === undefined,
      ...((replace || merge) && { update: merge ? 'PATCH' : 'PUT' }),
      delete: remove !== undefined && view === undefined,
      ...(view && { view: view.of }),
      ...(rejections && { rejections }),
    }
  })
}

function describeFields(resource: ServiceResource): FieldDescription[] {
  const { fields, writable, operations, additions } = resource
  const required = requiredFields(operations.create ?? operations.replace)
  return fields.map(({ property, schema }) => ({
    property,
    ...describeValue(schema),
    required: required.has(property),
    readOnly: !writable.includes(property),
    ...(Object.hasOwn(additions.defaults ?? {}, property) && { isKept: true }),
    ...describeReference(resource, property),
  }))
}

/** A reference under a condition prevents a deletion in some cases only, which the service knows. */
function describeReference({ references, checkedReferences }: ServiceResource, property: string) {
  if (!Object.hasOwn(references, property)) return {}
  const isChecked = checkedReferences.some((checked) => checked.property === property && !checked.when)
  return { reference: references[property] as string, preventsDeletion: isChecked }
}

/** The properties that a request must have. */
function requiredFields(operation: ResourceOperation | undefined): ReadonlySet<string> {
  if (operation?.request === undefined) return new Set()
  const { schema, envelope } = operation.request
  const record = envelope.reduce((outer, name) => propertiesIn(outer).get(name) ?? {}, schema.schema)
  return requiredIn(record)
}

function describeFilters(
  resource: ServiceResource,
  { operationById }: Pick<Contract, 'operationById'>,
): FilterDescription[] {
  const { list, operations } = resource
  const declared = operations.list && operationById(operations.list.operationId)?.queryParameters
  return filterParameters(resource).map((parameter) => {
    const schema = declared?.find(({ name }) => name === parameter)?.schema ?? {}
    const items = itemsOf(schema)
    const { format: _, ...value } = describeValue(items ?? schema)
    const property = list?.filters.find((filter) => filter.parameter === parameter)?.property
    return { parameter, ...(property !== undefined && { property }), ...value, isList: items !== undefined }
  })
}

function describeValue(schema: Schema): ValueDescription {
  const types = [...typesOf(schema)]
  const parts = [...partsOf(schema)]
  const format = parts.find((part) => part.format !== undefined)?.format
  const values = parts.find((part) => part.enum !== undefined)?.enum
  return {
    ...(types.length === 1 && { type: types[0] as string }),
    ...(format !== undefined && { format }),
    ...(values !== undefined && { enum: values }),
  }
}
