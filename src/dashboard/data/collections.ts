import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Rejections } from '../rejections.js'

/** A record as the API returns it. Large ids are bigints. */
export type Row = Readonly<Record<string, unknown>>

export type CollectionName = 'pets' | 'categories' | 'orders' | 'inventory'

/** A column of the table, and a field of the form. */
export interface Column {
  readonly name: string
  readonly label: string
  readonly type: 'id' | 'text' | 'integer' | 'date' | 'boolean' | 'status'
  /** The values to choose from. */
  readonly options?: readonly string[]
  readonly required?: boolean
  readonly readOnly?: boolean
  /** Whether a record can lose its value. The API keeps a value that is left out, unless this is set. */
  readonly canBeRemoved?: boolean
  /** The collection whose id this is. */
  readonly of?: CollectionName
}

/** How the page shows and changes a collection. */
export interface CollectionView {
  readonly name: CollectionName
  readonly title: string
  /** What one record is called. */
  readonly singular: string
  readonly path: string
  /** The first one identifies a record. */
  readonly columns: readonly [Column, ...Column[]]
  /** Query parameters of the list operation. */
  readonly filters: readonly Pick<Column, 'name' | 'label' | 'type' | 'options' | 'of'>[]
  /** How a record is changed: as a whole, or only some fields. */
  readonly update: 'PUT' | 'PATCH'
  /** Links to related records: the path in the dashboard, and a label. */
  readonly linksOf: (row: Row) => readonly (readonly [to: string, label: string])[]
  /** What the mock's errors say about the form, besides those that are the same everywhere. */
  readonly rejections?: Rejections
  /** Whether records cannot be created and deleted. */
  readonly isFixed?: boolean
  /** Whether a record can no longer be changed or deleted. */
  readonly isFinal?: (row: Row) => boolean
  /** The records that must be gone before a record can be deleted: what they are called, and where they are listed. */
  readonly usesOf?: (row: Row) => readonly [what: string, path: string]
}

const id: Column = { name: 'id', label: 'Id', type: 'id', readOnly: true }
const name: Column = { name: 'name', label: 'Name', type: 'text', required: true }
const status: Column = { name: 'status', label: 'Status', type: 'status', options: ['available', 'pending', 'sold'] }
const categoryId: Column = { name: 'categoryId', label: 'Category', type: 'id', of: 'categories', required: true }
const petId: Column = { name: 'petId', label: 'Pet', type: 'id', of: 'pets' }
const complete: Column = { name: 'complete', label: 'Complete', type: 'boolean', options: ['true', 'false'] }
const toStock = (petId: unknown) => [`/data/inventory/${petId}`, 'Stock'] as const
const toOrders = (petId: unknown) => [`/data/orders?petId=${petId}`, 'Orders'] as const
const nameFilter = { name: 'name', label: 'Name contains', type: 'text' } as const

export const COLLECTIONS: readonly CollectionView[] = [
  {
    name: 'pets',
    title: 'Pets',
    singular: 'pet',
    path: '/pets',
    columns: [id, name, categoryId, status],
    filters: [nameFilter, status, categoryId],
    update: 'PUT',
    linksOf: ({ id }) => [toStock(id), toOrders(id)],
    usesOf: ({ id }) => ['open order', `/orders?petId=${id}&complete=false&limit=1`],
  },
  {
    name: 'categories',
    title: 'Categories',
    singular: 'category',
    path: '/categories',
    columns: [id, name, { name: 'description', label: 'Description', type: 'text', canBeRemoved: true }],
    filters: [nameFilter],
    update: 'PUT',
    linksOf: ({ id }) => [[`/data/pets?categoryId=${id}`, 'Pets']],
    usesOf: ({ id }) => ['pet', `/pets?categoryId=${id}&limit=1`],
  },
  {
    name: 'orders',
    title: 'Orders',
    singular: 'order',
    path: '/store/orders',
    columns: [
      id,
      petId,
      { name: 'quantity', label: 'Quantity', type: 'integer' },
      { name: 'shipDate', label: 'Ship date', type: 'date' },
      complete,
    ],
    filters: [{ name: 'petId', label: 'Pet id', type: 'integer' }, complete],
    update: 'PATCH',
    linksOf: ({ petId }) => (petId === undefined ? [] : [toStock(petId)]),
    rejections: { INVALID_QUANTITY: ['quantity', 'enter 1 or more.'] },
    isFinal: ({ complete }) => complete === true,
  },
  {
    name: 'inventory',
    title: 'Inventory',
    singular: 'stock',
    path: '/store/inventory',
    columns: [
      { ...petId, readOnly: true },
      { name: 'quantity', label: 'In stock', type: 'integer', required: true },
      { ...status, readOnly: true },
    ],
    filters: [status, { name: 'maxQuantity', label: 'Maximum in stock', type: 'integer' }],
    update: 'PUT',
    linksOf: ({ petId }) => [toOrders(petId)],
    rejections: { INVALID_QUANTITY: ['quantity', 'enter 0 or more.'] },
    isFixed: true,
  },
]

export function findCollection(name: string | undefined): CollectionView {
  return COLLECTIONS.find((collection) => collection.name === name) ?? (COLLECTIONS[0] as CollectionView)
}

export function titleOf({ name, singular }: CollectionView, id: string): string {
  return name === 'inventory' ? `Stock of pet ${id}` : `${singular[0]?.toUpperCase()}${singular.slice(1)} ${id}`
}

export function idOf({ columns: [key] }: CollectionView, row: Row): string {
  return String(row[key.name])
}

interface Data {
  readonly collection: CollectionView
  /** Category names by id, as far as they are known. */
  readonly categories: ReadonlyMap<string, string>
  /** Whether these are all categories, to choose from. */
  readonly hasAllCategories: boolean
}

export const DataContext = createContext<Data | undefined>(undefined)

export function useData(): Data {
  return useContext(DataContext) as Data
}
