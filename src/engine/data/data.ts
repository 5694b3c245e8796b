import { describeUnknown, MockError } from '../engine/contract/errors.js'
import type { DataApi, DataDependencies } from '../engine/service.js'
import { isKind } from '../lib/kind.js'
import { createRandom, type RandomSource } from '../lib/random.js'
import { describeValue } from '../lib/thrown.js'
import { createDataSender, readId } from './data-sender.js'
import { COMMON_KINDS, OTHER_KINDS } from './fixtures/animals.js'
import type { FixtureId } from './fixtures/format.js'
import type { components } from './generated/openapi-types.js'
import type { ResolvedOptions } from './options.js'

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

export interface ChosenId {
  /** An id that no record has. Default: the next id that was never used. */
  id?: FixtureId
}

/** Creates, reads and changes data without HTTP. Throws a MockError when the data violates a schema or a store rule. */
export interface DataCollection<Entity, Fields> {
  /** Missing fields get random values that follow from the seed. */
  create(fields?: Fields & ChosenId): Entity
  /** Creates several with the same fields, or with those that a function returns for each index: all of them or none. */
  createMany(count: number, fields?: (Fields & ChosenId) | ((index: number) => Fields & ChosenId)): Entity[]
  find(id: FixtureId): Entity | undefined
  all(): Entity[]
  /** Changes only the given fields. */
  update(id: FixtureId, fields: Fields): Entity
  delete(id: FixtureId): void
}

export interface PetstoreData {
  readonly categories: DataCollection<Category, CategoryFields>
  readonly pets: DataCollection<Pet, PetFields>
  readonly orders: DataCollection<Order, OrderFields>
  /** Every pet has one entry, which is created and deleted with it. */
  readonly inventory: Pick<DataCollection<InventoryItem, { quantity: number }>, 'find' | 'all' | 'update'>
}

export function createData(dependencies: DataDependencies<ResolvedOptions>): DataApi<PetstoreData> {
  const { seed, atomically, requireReady, withId } = dependencies
  const { rules } = dependencies.options
  const { send, find, list, listPage } = createDataSender(dependencies.handle)
  let source = createRandom(seed(), 'data')
  const random: RandomSource = () => {
    // Before drawing, so that a call that comes too early does not change later random values.
    requireReady()
    return source()
  }

  const readers = <Entity>(name: keyof PetstoreData) => ({
    find: (id: FixtureId) => find(`${PATHS[name]}/${readId(id)}`) as Entity | undefined,
    all: () => list(PATHS[name]) as Entity[],
  })

  /** All functions of a collection but `update`. */
  function collection<Entity, Fields>(
    name: keyof PetstoreData,
    create: (fields?: Fields & ChosenId) => Entity,
  ): Omit<DataCollection<Entity, Fields>, 'update'> {
    return {
      ...readers(name),
      delete: (id) => void send('DELETE', `${PATHS[name]}/${readId(id)}`),
      create,
      createMany(count, fields) {
        if (!Number.isSafeInteger(count) || count < 0) {
          const message = `data.${name}.createMany expects an integer of 0 or more, but received ${String(count)}.`
          throw new MockError('INVALID_DATA', message)
        }
        const fieldsOf = typeof fields === 'function' ? fields : () => fields
        return atomically(() => Array.from({ length: count }, (_, index) => create(fieldsOf(index))))
      },
    }
  }

  /** Creates a record, with the given id if there is one. */
  function post(name: keyof PetstoreData, id: FixtureId | undefined, fields: object): unknown {
    const create = () => send('POST', PATHS[name], fields)
    if (id === undefined) return create()
    const chosen = readId(id)
    if (find(`${PATHS[name]}/${chosen}`) === undefined) return withId(name, chosen, create)
    throw new MockError('INVALID_DATA', `data.${name}.create: The id ${chosen} is already in use.`)
  }

  const categories: PetstoreData['categories'] = {
    ...collection('categories', (given: CategoryFields & ChosenId = {}) => {
      const { id, ...fields } = readFields('categories.create', given, ['id', ...CATEGORY_FIELDS])
      const { name, description } = pick(KINDS, random)
      return post('categories', id, 'name' in fields ? fields : { name, description, ...fields }) as Category
    }),
    update(id, given) {
      const fields = readFields('categories.update', given, CATEGORY_FIELDS)
      const path = `/categories/${readId(id)}`
      return send('PUT', path, { ...(send('GET', path) as Category), ...fields }) as Category
    },
  }

  const pets: PetstoreData['pets'] = {
    ...collection('pets', (given: PetFields & ChosenId = {}) => {
      const { id, stock, ...fields } = readFields('pets.create', given, ['id', ...PET_FIELDS])
      const status = fields.status ?? (stock === 0 ? 'sold' : 'available')
      if (rules === 'on') checkStock(status, stock)
      const name = pick(pick(KINDS, random).names, random)
      return atomically(() => {
        const categoryId = 'categoryId' in fields ? fields.categoryId : anyCategory()
        const pet = post('pets', id, { name, ...fields, categoryId }) as Pet
        if (stock === undefined) return pet
        send('PUT', `/store/inventory/${pet.id}`, { quantity: stock })
        // Restocking makes a pet available, so the status is set after it.
        return send('PUT', `/pets/${pet.id}`, { ...pet, status }) as Pet
      })
    }),
    update(id, given) {
      const { stock, ...fields } = readFields('pets.update', given, PET_FIELDS)
      const path = `/pets/${readId(id)}`
      const change = () => send('PUT', path, { ...(send('GET', path) as Pet), ...fields })
      const restock = () => stock !== undefined && send('PUT', `/store/inventory/${readId(id)}`, { quantity: stock })
      // Status first: removing the stock of an available pet would make it sold.
      const steps = stock === 0 && fields.status === 'pending' ? [change, restock] : [restock, change]
      return atomically(() => {
        for (const step of steps) step()
        return send('GET', path) as Pet
      })
    },
  }

  const orders: PetstoreData['orders'] = {
    ...collection('orders', (given: OrderFields & ChosenId = {}) => {
      const { id, ...fields } = readFields('orders.create', given, ['id', ...ORDER_FIELDS])
      return atomically(() => {
        const petId = 'petId' in fields ? fields.petId : anyAvailablePet(fields.quantity)
        return post('orders', id, { ...fields, petId }) as Order
      })
    }),
    update(id, given) {
      return send('PATCH', `/store/orders/${readId(id)}`, readFields('orders.update', given, ORDER_FIELDS)) as Order
    },
  }

  const inventory: PetstoreData['inventory'] = {
    ...readers('inventory'),
    update(petId, given) {
      const fields = readFields('inventory.update', given, ['quantity'])
      return send('PUT', `/store/inventory/${readId(petId)}`, fields) as InventoryItem
    },
  }

  function anyCategory(): FixtureId {
    const known = send('GET', '/categories?limit=100') as Category[]
    return known.length === 0 ? categories.create().id : pick(known, random).id
  }

  function anyAvailablePet(requested: number | undefined): FixtureId {
    // An invalid quantity is rejected when the order is created, not here.
    const quantity = Number.isSafeInteger(requested) ? Math.max(1, requested as number) : 1
    const largest = send('GET', '/store/inventory?status=available&sort=-quantity&limit=100') as InventoryItem[]
    const sufficient = largest.filter((entry) => entry.quantity >= quantity)
    return sufficient.length > 0 ? pick(sufficient, random).petId : pets.create({ stock: quantity }).id
  }

  return {
    data: { categories, pets, orders, inventory },
    page: (collection, query) => listPage(PATHS[collection as keyof PetstoreData], query),
    reset() {
      source = createRandom(seed(), 'data')
    },
  }
}

const PATHS: Readonly<Record<keyof PetstoreData, string>> = {
  categories: '/categories',
  pets: '/pets',
  orders: '/store/orders',
  inventory: '/store/inventory',
}

const KINDS = [...COMMON_KINDS, ...OTHER_KINDS]
const CATEGORY_FIELDS = ['name', 'description'] as const
const PET_FIELDS = ['name', 'categoryId', 'status', 'stock'] as const
const ORDER_FIELDS = ['petId', 'quantity', 'shipDate', 'complete'] as const

function pick<T>(values: readonly T[], random: RandomSource): T {
  return values[Math.floor(random() * values.length)] as T
}

/** The given fields that are not undefined. Throws for an unknown field: a typo in a test must not go unnoticed. */
function readFields<Fields extends object>(call: string, given: Fields, known: readonly (keyof Fields)[]): Fields {
  // Others, such as the promise of an async function, have no fields to read.
  if (!isKind(given, 'Object')) {
    const received = Array.isArray(given) ? 'a list' : describeValue(given)
    throw new MockError('INVALID_DATA', `data.${call} expects an object, but received ${received}.`)
  }
  const fields = Object.entries(given).filter(([, value]) => value !== undefined)
  const unknown = fields.find(([name]) => !known.includes(name as keyof Fields))?.[0]
  if (unknown === undefined) return Object.fromEntries(fields) as Fields
  throw new MockError('INVALID_DATA', `data.${call}: ${describeUnknown('field', unknown, known as readonly string[])}`)
}

function checkStock(status: string, stock: number | undefined): void {
  if (status === 'sold' && stock !== undefined && stock > 0) {
    throw new MockError('INVALID_DATA', `data.pets.create: A sold pet must have no stock, but stock is ${stock}.`)
  }
  if (status === 'available' && stock === 0) {
    throw new MockError('INVALID_DATA', 'data.pets.create: An available pet must have stock, but stock is 0.')
  }
}
