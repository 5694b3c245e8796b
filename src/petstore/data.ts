import { MockError } from '../engine/contract/errors.js'
import type { CreateOwnData, DataCollection } from '../engine/data/data.js'
import { readFields } from '../engine/data/data-fields.js'
import type { FixtureId } from '../engine/data/format.js'
import type { components } from './generated/openapi-types.js'
import { pick } from './resources.js'

export type { DataCollection }

export type Category = components['schemas']['Category']
export type Pet = components['schemas']['Pet']
/** A stored order, which always has an id. */
export type Order = components['schemas']['Order'] & Required<Pick<components['schemas']['Order'], 'id'>>
export type InventoryItem = components['schemas']['InventoryItem']

export interface CategoryFields {
  name?: string
  description?: string
}

export interface PetFields {
  name?: string
  categoryId?: FixtureId
  /** Default for a new pet: `available`, or `sold` when its stock is 0. */
  status?: NonNullable<Pet['status']>
  /** Units in stock. Default for a new pet: 1, or 0 when it is sold. */
  stock?: number
}

export interface OrderFields {
  petId?: FixtureId
  quantity?: number
  shipDate?: string
  complete?: boolean
}

export interface PetstoreData {
  readonly categories: DataCollection<Category, CategoryFields>
  readonly pets: DataCollection<Pet, PetFields>
  readonly orders: DataCollection<Order, OrderFields>
  /** Every pet has one entry, which is created and deleted with it. */
  readonly inventory: Pick<DataCollection<InventoryItem, { quantity: number }>, 'find' | 'all' | 'update'>
}

/** What another version of the document may change. */
interface DataPlaces {
  readonly petFields: readonly string[]
  readonly orderFields: readonly string[]
  readonly inventoryPath: string
}

const PLACES: DataPlaces = {
  petFields: ['name', 'categoryId', 'status'],
  orderFields: ['petId', 'quantity', 'shipDate', 'complete'],
  inventoryPath: '/store/inventory',
}

export const createOwnData = createDataAt(PLACES)

/** A pet can be given its stock, and an order gets a pet that can be ordered. */
export function createDataAt({ petFields, orderFields, inventoryPath }: DataPlaces): CreateOwnData {
  return ({ options, random, send, atomically, ...tools }) => {
    const standard = tools.standard as unknown as PetstoreData
    const data = tools.data as unknown as PetstoreData

    const pets: Pick<PetstoreData['pets'], 'create' | 'update'> = {
      create(given = {}) {
        const { stock, ...fields } = readFields('pets.create', given, ['id', ...petFields, 'stock'])
        const status = fields.status ?? (stock === 0 ? 'sold' : 'available')
        if (options.rules === 'on') checkStock(status, stock)
        return atomically(() => {
          const pet = standard.pets.create(fields)
          if (stock === undefined) return pet
          standard.inventory.update(pet.id, { quantity: stock })
          // Restocking makes a pet available, so the status is set after it.
          return standard.pets.update(pet.id, { status })
        })
      },
      update(id, given) {
        const { stock, ...fields } = readFields('pets.update', given, [...petFields, 'stock'])
        const change = () => standard.pets.update(id, fields)
        const restock = () => stock !== undefined && standard.inventory.update(id, { quantity: stock })
        // Status first: removing the stock of an available pet would make it sold.
        const steps = stock === 0 && fields.status === 'pending' ? [change, restock] : [restock, change]
        return atomically(() => {
          for (const step of steps) step()
          return data.pets.find(id) as Pet
        })
      },
    }

    const orders: Pick<PetstoreData['orders'], 'create'> = {
      create(given = {}) {
        const fields = readFields('orders.create', given, ['id', ...orderFields])
        return atomically(() => {
          const petId = 'petId' in fields ? fields.petId : anyAvailablePet(fields.quantity)
          return standard.orders.create({ ...fields, petId })
        })
      },
    }

    function anyAvailablePet(requested: number | undefined): FixtureId {
      // An invalid quantity is rejected when the order is created, not here.
      const quantity = Number.isSafeInteger(requested) ? Math.max(1, requested as number) : 1
      const largest = send('GET', `${inventoryPath}?status=available&sort=-quantity&limit=100`) as InventoryItem[]
      const sufficient = largest.filter((entry) => entry.quantity >= quantity)
      return sufficient.length > 0 ? pick(sufficient, random).petId : data.pets.create({ stock: quantity }).id
    }

    return { pets, orders }
  }
}

function checkStock(status: string, stock: number | undefined): void {
  if (status === 'sold' && stock !== undefined && stock > 0) {
    throw new MockError('INVALID_DATA', `data.pets.create: A sold pet must have no stock, but stock is ${stock}.`)
  }
  if (status === 'available' && stock === 0) {
    throw new MockError('INVALID_DATA', 'data.pets.create: An available pet must have stock, but stock is 0.')
  }
}
