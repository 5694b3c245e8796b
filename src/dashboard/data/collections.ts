/** A record as the API returns it. Large ids are bigints. */
export type Row = Readonly<Record<string, unknown>>

export type CollectionName = 'pets' | 'categories' | 'orders' | 'inventory'

/** A column of the table. */
export interface Field {
  readonly name: string
  readonly label: string
  readonly type: 'id' | 'text' | 'integer' | 'date' | 'boolean' | 'status'
  readonly required?: boolean
  /** The collection whose id this is. */
  readonly of?: CollectionName
}

/** A query parameter of the list operation. */
export interface Filter {
  readonly name: string
  readonly label: string
  readonly options?: readonly string[]
  /** Whether it is text. Without this and options, it is an integer. */
  readonly isText?: boolean
}

export interface Collection {
  readonly name: CollectionName
  readonly title: string
  /** What one record is called. */
  readonly singular: string
  readonly path: string
  /** The field that identifies a record. */
  readonly key: string
  readonly fields: readonly Field[]
  readonly filters: readonly Filter[]
  /** How a record is changed: as a whole, or only some fields. */
  readonly update: 'PUT' | 'PATCH'
  /** The fields that can be written. */
  readonly writable: readonly string[]
  /** Whether records cannot be created and deleted. */
  readonly isFixed?: boolean
}

export const STATUSES = ['available', 'pending', 'sold']
export const BOOLEANS = ['true', 'false']

const id: Field = { name: 'id', label: 'Id', type: 'id' }
const name: Field = { name: 'name', label: 'Name', type: 'text', required: true }
const status: Field = { name: 'status', label: 'Status', type: 'status' }
const petId: Field = { name: 'petId', label: 'Pet', type: 'id', of: 'pets' }
const nameFilter: Filter = { name: 'name', label: 'Name contains', isText: true }
const statusFilter: Filter = { name: 'status', label: 'Status', options: STATUSES }

export const COLLECTIONS: readonly Collection[] = [
  {
    name: 'pets',
    title: 'Pets',
    singular: 'pet',
    path: '/pets',
    key: 'id',
    fields: [id, name, { name: 'categoryId', label: 'Category', type: 'id', of: 'categories', required: true }, status],
    filters: [nameFilter, statusFilter, { name: 'categoryId', label: 'Category id' }],
    update: 'PUT',
    writable: ['name', 'categoryId', 'status'],
  },
  {
    name: 'categories',
    title: 'Categories',
    singular: 'category',
    path: '/categories',
    key: 'id',
    fields: [id, name, { name: 'description', label: 'Description', type: 'text' }],
    filters: [nameFilter],
    update: 'PUT',
    writable: ['name', 'description'],
  },
  {
    name: 'orders',
    title: 'Orders',
    singular: 'order',
    path: '/store/orders',
    key: 'id',
    fields: [
      id,
      petId,
      { name: 'quantity', label: 'Quantity', type: 'integer' },
      { name: 'shipDate', label: 'Ship date', type: 'date' },
      { name: 'complete', label: 'Complete', type: 'boolean' },
    ],
    filters: [
      { name: 'petId', label: 'Pet id' },
      { name: 'complete', label: 'Complete', options: BOOLEANS },
    ],
    update: 'PATCH',
    writable: ['petId', 'quantity', 'shipDate', 'complete'],
  },
  {
    name: 'inventory',
    title: 'Inventory',
    singular: 'stock',
    path: '/store/inventory',
    key: 'petId',
    fields: [petId, { name: 'quantity', label: 'In stock', type: 'integer', required: true }, status],
    filters: [statusFilter, { name: 'maxQuantity', label: 'Maximum in stock' }],
    update: 'PUT',
    writable: ['quantity'],
    isFixed: true,
  },
]

export function findCollection(name: string | undefined): Collection {
  return COLLECTIONS.find((collection) => collection.name === name) ?? (COLLECTIONS[0] as Collection)
}

export function titleOf({ name, singular }: Collection, id: string): string {
  return name === 'inventory' ? `Stock of pet ${id}` : `${singular[0]?.toUpperCase()}${singular.slice(1)} ${id}`
}

/** Links to related records: the path in the dashboard, and a label. */
export function linksOf({ name, key }: Collection, row: Row): (readonly [to: string, label: string])[] {
  const id = String(row[key])
  const orders = [`/data/orders?petId=${id}`, 'Orders'] as const
  switch (name) {
    case 'pets':
      return [[`/data/inventory/${id}`, 'Stock'], orders]
    case 'categories':
      return [[`/data/pets?categoryId=${id}`, 'Pets']]
    case 'orders':
      return row.petId === undefined ? [] : [[`/data/inventory/${row.petId}`, 'Stock']]
    case 'inventory':
      return [orders]
  }
}
