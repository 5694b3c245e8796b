import { encodePart } from '../../lib/text.js'
import type { Admin } from '../api.js'
import type { Rejections, Values } from '../components/form.js'
import { readText, toText, type ValueType } from '../components/values.js'
import { capitalize, toCode, toLabel } from '../format.js'

/** A record as the API returns it. Large ids are bigints. */
export type Row = Readonly<Record<string, unknown>>

/** A column of the table, and a field of the form. */
export interface Column {
  readonly name: string
  readonly label: string
  readonly type: ValueType
  /** The values to choose from. */
  readonly options?: readonly string[]
  readonly required: boolean
  readonly readOnly: boolean
  /** Whether a PUT without it keeps its value. */
  readonly isKept?: boolean
  /** The name of the collection whose id this is. */
  readonly of?: string
}

export interface Filter extends Pick<Column, 'type' | 'options' | 'of'> {
  /** Of the query parameter. */
  readonly name: string
}

/** How the page shows and changes a collection. */
export interface CollectionView extends Pick<Admin['Collection'], 'name' | 'title' | 'path' | 'update' | 'view'> {
  /** What one record is called. In a view, that is what it shows. */
  readonly singular: string
  /** The first one identifies a record. */
  readonly columns: readonly [Column, ...Column[]]
  /** Where a record has its id. */
  readonly idPath: readonly string[]
  /** The property that people know a record by. */
  readonly nameProperty: string | undefined
  readonly filters: readonly Filter[]
  readonly canCreate: boolean
  readonly canDelete: boolean
  readonly links: readonly RelatedLink[]
  /** The records that refer to a record. */
  readonly users: readonly Users[]
  /** What the mock's errors say about the form, besides those that are the same everywhere. */
  readonly rejections: Rejections
}

/** A link from a record to related ones. */
interface RelatedLink {
  readonly label: string
  /** The path in the dashboard, without the id at its end. */
  readonly to: string
  /** The property with that id. */
  readonly property: string
}

/** Records of another collection, which can be listed by what they refer to. */
interface Users {
  readonly name: string
  readonly singular: string
  readonly plural: string
  /** The query parameter for what they refer to. */
  readonly parameter: string
  readonly preventsDeletion: boolean
}

/** The properties that people know a record by, the best first. */
const NAMES = ['name', 'title', 'label', 'displayName', 'fullName', 'username', 'login', 'email', 'slug', 'code']

/** What the page makes of the collections of a mock, which say what is in the OpenAPI document. */
export function toCollectionViews(all: readonly Admin['Collection'][]): readonly CollectionView[] {
  return all.map((collection) => {
    const { name, title, path, noun, id, fields, filters, update, view } = collection
    return {
      name,
      title,
      path,
      ...(update && { update }),
      ...(view !== undefined && { view }),
      singular: all.find((each) => each.name === view)?.noun ?? noun,
      columns: toColumns(collection),
      idPath: id.property.split('.'),
      nameProperty: NAMES.find((each) => fields.some(({ property, type }) => property === each && type === 'string')),
      filters: filters.map((filter) => toFilter(filter, fields)),
      canCreate: collection.create,
      canDelete: collection.delete,
      links: findLinks(collection, all),
      users: findUsers(name, all),
      rejections: toRejections(collection, all),
    }
  })
}

/** A nested id is no field, and gets a column of its own. */
function toColumns({ id, fields, view }: Admin['Collection']): [Column, ...Column[]] {
  const field = fields.find(({ property }) => property === id.property)
  const { property, required, readOnly } = field ?? { property: id.property, required: true, readOnly: true }
  const of = view ?? field?.reference
  const key: Column = {
    name: property,
    label: toLabel(property, of !== undefined),
    type: id.kind === 'int64' || id.kind === 'integer' ? 'id' : 'text',
    required,
    readOnly,
    ...(of !== undefined && { of }),
  }
  return [key, ...fields.filter((each) => each !== field).map(toColumn)]
}

function toColumn(field: Admin['CollectionField']): Column {
  const { property, required, readOnly, isKept = false, reference } = field
  return {
    name: property,
    label: toLabel(property, reference !== undefined),
    required,
    readOnly,
    isKept,
    ...toValue(field),
  }
}

/** A filter that is named like a property has what is known of it. */
function toFilter(filter: Admin['CollectionFilter'], fields: readonly Admin['CollectionField'][]): Filter {
  const field = fields.find(({ property }) => property === filter.property)
  return { name: filter.parameter, ...toValue({ ...field, ...filter }) }
}

type Value = Pick<Admin['CollectionField'], 'type' | 'format' | 'enum' | 'reference'>

function toValue(value: Value): Pick<Column, 'type' | 'options' | 'of'> {
  const { type, enum: values, reference } = value
  const options = type === 'boolean' ? ['true', 'false'] : values?.map(String)
  return { type: typeOf(value), ...(options && { options }), ...(reference !== undefined && { of: reference }) }
}

function typeOf({ type, format, enum: values, reference }: Value): Column['type'] {
  if (type === 'integer') return reference !== undefined || format === 'int64' ? 'id' : 'integer'
  if (type === 'number' || type === 'boolean') return type
  if (type !== 'string') return 'json'
  if (values) return 'choice'
  return format === 'date' || format === 'date-time' ? format : 'text'
}

/** The collections that refer to a collection, and can be filtered by that. */
function findUsers(name: string, all: readonly Admin['Collection'][]): Users[] {
  return all.flatMap(({ filters, fields, view, ...user }) => {
    const field = fields.find(
      ({ property, reference }) => reference === name && filters.some((each) => each.property === property),
    )
    const filter = filters.find(({ property }) => property === field?.property)
    if (field === undefined || filter === undefined || view !== undefined) return []
    return {
      name: user.name,
      singular: user.noun,
      plural: user.title.toLowerCase(),
      parameter: filter.parameter,
      preventsDeletion: field.preventsDeletion ?? false,
    }
  })
}

/** To the views of a record, to what refers to it, and to the views of what it refers to. */
function findLinks({ name, view, id, fields }: Admin['Collection'], all: readonly Admin['Collection'][]) {
  const shown = view ?? name
  const viewsOf = (other: string | undefined, property: string): RelatedLink[] =>
    all
      .filter((each) => other !== undefined && each.view === other && each.name !== name)
      .map((each) => ({ label: each.title, property, to: `/data/${each.name}/` }))
  const users = findUsers(shown, all).map(({ name, plural, parameter }) => ({
    label: capitalize(plural),
    property: id.property,
    to: `/data/${name}?${parameter}=`,
  }))
  const others = fields.filter(({ property }) => property !== id.property)
  return [
    ...viewsOf(shown, id.property),
    ...users,
    ...others.flatMap(({ property, reference }) => viewsOf(reference, property)),
  ]
}

/** What the service says about its errors, and that a record does not exist. */
function toRejections({ fields, rejections = {} }: Admin['Collection'], all: readonly Admin['Collection'][]) {
  const given = Object.entries(rejections).map(([code, { property, text }]) => [code, [property, text]] as const)
  const unknown = fields.flatMap(({ property, reference }) => {
    const noun = all.find(({ name }) => name === reference)?.noun
    if (noun === undefined) return []
    const text = `there is no ${noun} with this id. Choose one from the list.`
    return [[`UNKNOWN_${toCode(noun)}`, [property, text]] as const]
  })
  return Object.fromEntries([...unknown, ...given])
}

/** The first collection for an unknown name. */
export function findCollection(views: readonly CollectionView[], name: string | undefined): CollectionView | undefined {
  return views.find((view) => view.name === name) ?? views[0]
}

/** `Book 7`, and for a view of books `Stock of book 7`. */
export function titleOf({ title, singular, view }: CollectionView, id: string): string {
  return view === undefined ? `${capitalize(singular)} ${id}` : `${title} of ${singular} ${id}`
}

export function idOf({ idPath }: CollectionView, row: Row): string {
  return String(idPath.reduce<unknown>((value, property) => (value as Row | undefined)?.[property], row))
}

/** What people know a record by, or its title. */
export function nameOf(collection: CollectionView, row: Row): string {
  const { nameProperty } = collection
  const name = nameProperty === undefined ? undefined : row[nameProperty]
  return name === undefined || name === null ? titleOf(collection, idOf(collection, row)) : String(name)
}

/** The links of a record. Without the id of what it refers to, there is nothing to lead to. */
export function linksOf(collection: CollectionView, row: Row): (readonly [to: string, label: string])[] {
  const [key] = collection.columns
  return collection.links.flatMap(({ label, to, property }) => {
    const id = property === key.name ? idOf(collection, row) : row[property]
    return id === undefined || id === null ? [] : [[to + encodePart(String(id)), label] as const]
  })
}

/** The columns of a form: of a new record, or of one that has an id, which stays. */
export function formColumns({ columns }: CollectionView, isNew: boolean): Column[] {
  return columns.filter((column) => !column.readOnly && (isNew || column !== columns[0]))
}

/** Whether a record can lose its value. PATCH keeps a value that is left out. */
export function canBeRemoved({ update }: CollectionView, { required, isKept = false }: Column): boolean {
  return update === 'PUT' && !required && !isKept
}

/** The request body for a form. Leaves out empty values, except for required text, and what a PATCH does not change. */
export function toBody(collection: CollectionView, values: Values, row: Row | undefined): Row {
  const sent = formColumns(collection, row === undefined).filter(({ name, type, required }) => {
    const value = values[name] ?? ''
    if (row !== undefined && collection.update === 'PATCH' && value === toText(type, row[name])) return false
    return value !== '' || (type === 'text' && required)
  })
  const [key] = collection.columns
  return {
    // A client that chooses the id repeats it in a PUT.
    ...(row && !key.readOnly && collection.update === 'PUT' && { [key.name]: row[key.name] }),
    ...Object.fromEntries(sent.map(({ name, type }) => [name, readText(type, values[name] ?? '')])),
  }
}
