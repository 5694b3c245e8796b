/** A record as the store answers it; ids are exact. */
export type Row = Readonly<Record<string, unknown>>

export type KindName = 'pets' | 'categories' | 'orders' | 'inventory'

/** A column, and a field of a form where it can be written. */
export interface Field {
  readonly name: string
  readonly label: string
  readonly type: 'id' | 'text' | 'integer' | 'date' | 'boolean' | 'status'
  readonly required?: boolean
  readonly hint?: string
  /** Whose id it is. */
  readonly of?: KindName
}

/** A query parameter that narrows a list down. */
export interface Filter {
  readonly name: string
  readonly label: string
  readonly options?: readonly string[]
}

/** One kind of record: where the API has it, and what it consists of. */
export interface Kind {
  readonly name: KindName
  readonly title: string
  readonly one: string
  readonly path: string
  /** The field that its path ends in. */
  readonly key: string
  readonly fields: readonly Field[]
  readonly filters: readonly Filter[]
  readonly edit: { readonly method: 'PUT' | 'PATCH'; readonly fields: readonly string[] }
  /** The fields of a new one. Missing where there are no new ones. */
  readonly create?: readonly string[]
}

export const STATUSES = ['available', 'pending', 'sold']

const status: Field = { name: 'status', label: 'Status', type: 'status' }
const statusFilter: Filter = { name: 'status', label: 'Status', options: STATUSES }
const nameFilter: Filter = { name: 'name', label: 'Name contains' }

export const KINDS: readonly Kind[] = [
  {
    name: 'pets',
    title: 'Pets',
    one: 'pet',
    path: '/pets',
    key: 'id',
    fields: [
      { name: 'id', label: 'Id', type: 'id' },
      { name: 'name', label: 'Name', type: 'text', required: true },
      { name: 'categoryId', label: 'Category', type: 'id', of: 'categories', required: true },
      status,
    ],
    filters: [nameFilter, statusFilter, { name: 'categoryId', label: 'Category id' }],
    edit: { method: 'PUT', fields: ['name', 'categoryId', 'status'] },
    create: ['name', 'categoryId', 'status'],
  },
  {
    name: 'categories',
    title: 'Categories',
    one: 'category',
    path: '/categories',
    key: 'id',
    fields: [
      { name: 'id', label: 'Id', type: 'id' },
      { name: 'name', label: 'Name', type: 'text', required: true },
      { name: 'description', label: 'Description', type: 'text' },
    ],
    filters: [nameFilter],
    edit: { method: 'PUT', fields: ['name', 'description'] },
    create: ['name', 'description'],
  },
  {
    name: 'orders',
    title: 'Orders',
    one: 'order',
    path: '/store/orders',
    key: 'id',
    fields: [
      { name: 'id', label: 'Id', type: 'id' },
      { name: 'petId', label: 'Pet', type: 'id', of: 'pets' },
      { name: 'quantity', label: 'Quantity', type: 'integer' },
      { name: 'shipDate', label: 'Ship date', type: 'date', hint: 'RFC 3339, such as 2026-02-03T09:30:00Z' },
      { name: 'complete', label: 'Complete', type: 'boolean' },
    ],
    filters: [
      { name: 'petId', label: 'Pet id' },
      { name: 'complete', label: 'Complete', options: ['true', 'false'] },
    ],
    edit: { method: 'PATCH', fields: ['petId', 'quantity', 'shipDate', 'complete'] },
    create: ['petId', 'quantity', 'shipDate', 'complete'],
  },
  {
    name: 'inventory',
    title: 'Inventory',
    one: 'stock',
    path: '/store/inventory',
    key: 'petId',
    fields: [
      { name: 'petId', label: 'Pet', type: 'id', of: 'pets' },
      { name: 'quantity', label: 'In stock', type: 'integer', required: true },
      status,
    ],
    filters: [statusFilter, { name: 'maxQuantity', label: 'In stock, at most' }],
    edit: { method: 'PUT', fields: ['quantity'] },
  },
]

export function kindOf(name: string | undefined): Kind {
  return KINDS.find((kind) => kind.name === name) ?? (KINDS[0] as Kind)
}

/** How a record is called. */
export function titleOf(kind: Kind, id: string): string {
  return kind.name === 'inventory' ? `Stock of pet ${id}` : `${kind.one[0]?.toUpperCase()}${kind.one.slice(1)} ${id}`
}

/** Where records lead to: the path in the dashboard, and what it says. */
export function linksOf(kind: Kind, row: Row): (readonly [to: string, label: string])[] {
  const id = String(row[kind.key])
  switch (kind.name) {
    case 'pets':
      return [
        [`/data/inventory/${id}`, 'Stock'],
        [`/data/orders?petId=${id}`, 'Orders'],
      ]
    case 'categories':
      return [[`/data/pets?categoryId=${id}`, 'Pets']]
    case 'orders':
      return row.petId === undefined ? [] : [[`/data/inventory/${row.petId}`, 'Stock']]
    case 'inventory':
      return [[`/data/orders?petId=${id}`, 'Orders']]
  }
}
