import { MockError } from '../engine/contract/errors.js'
import type { PlainRequest, PlainResponse } from '../engine/contract/messages.js'
import { createRandom, type RandomSource } from '../lib/random.js'
import { createSender, readId } from './data-sender.js'
import { OTHER_KINDS, STAPLE_KINDS } from './fixtures/animals.js'
import type { FixtureId } from './fixtures/format.js'
import type { components } from './generated/openapi-types.js'

export type Category = components['schemas']['Category']
export type Pet = components['schemas']['Pet']
/** One that is in the store, and has an id therefore. */
export type Order = components['schemas']['Order'] & Required<Pick<components['schemas']['Order'], 'id'>>
export type InventoryItem = components['schemas']['InventoryItem']

export interface CategoryFields {
  name?: string
  description?: string
}

export interface PetFields {
  name?: string
  categoryId?: FixtureId
  status?: NonNullable<Pet['status']>
  /** Units in stock. A new pet has 1 unless said otherwise, a sold one 0. */
  stock?: number
}

export interface OrderFields {
  petId?: FixtureId
  quantity?: number
  shipDate?: string
  complete?: boolean
}

/** One kind of entity, arranged without HTTP: by the schemas and the store rules, with a MockError where they say no. */
export interface DataCollection<Entity, Fields> {
  /** Fills in from the seed what is left out. */
  create(fields?: Fields): Entity
  find(id: FixtureId): Entity | undefined
  all(): Entity[]
  /** Changes the fields it is given and leaves the rest. */
  update(id: FixtureId, fields: Fields): Entity
  delete(id: FixtureId): void
}

export interface PetstoreData {
  readonly categories: DataCollection<Category, CategoryFields>
  readonly pets: DataCollection<Pet, PetFields>
  readonly orders: DataCollection<Order, OrderFields>
  /** An entry comes and goes with its pet. */
  readonly inventory: Pick<DataCollection<InventoryItem, { quantity: number }>, 'find' | 'all' | 'update'>
}

/** What arranging data needs of a pet store. */
export interface DataPorts {
  readonly seed: () => number
  readonly rules: 'on' | 'off'
  /** Answers as the API does; arranging goes the way of a request, so that it can make nothing a request could not. */
  handle(request: PlainRequest): PlainResponse
  /** Throws while there is no world to arrange. */
  requireWorld(): void
  /** Does all of it or, where it throws, nothing. */
  atomically<T>(act: () => T): T
}

/** `data`, and how to make it fill in the same things again. */
export function createData(ports: DataPorts): { data: PetstoreData; restart(): void } {
  const { seed, rules, atomically, requireWorld } = ports
  const send = createSender(ports.handle)
  let source = createRandom(seed(), 'data')
  const random: RandomSource = () => {
    // Before anything is drawn, or what a store fills in would depend on how early it was asked in vain.
    requireWorld()
    return source()
  }

  const categories: PetstoreData['categories'] = {
    create(given = {}) {
      const fields = readFields('categories.create', given, CATEGORY_FIELDS)
      const { name, description } = pick(KINDS, random)
      return send('POST', '/categories', 'name' in fields ? fields : { name, description, ...fields }) as Category
    },
    find: (id) => send.orNothing(`/categories/${readId(id)}`) as Category | undefined,
    all: () => send.allOf('/categories') as Category[],
    update(id, given) {
      const fields = readFields('categories.update', given, CATEGORY_FIELDS)
      const path = `/categories/${readId(id)}`
      return send('PUT', path, { ...(send('GET', path) as Category), ...fields }) as Category
    },
    delete(id) {
      send('DELETE', `/categories/${readId(id)}`)
    },
  }

  const pets: PetstoreData['pets'] = {
    create(given = {}) {
      const { stock, ...fields } = readFields('pets.create', given, PET_FIELDS)
      const status = fields.status ?? 'available'
      if (rules === 'on') checkStock(status, stock)
      const name = pick(pick(KINDS, random).names, random)
      return atomically(() => {
        const categoryId = 'categoryId' in fields ? fields.categoryId : anyCategory()
        const pet = send('POST', '/pets', { name, ...fields, categoryId }) as Pet
        if (stock === undefined) return pet
        send('PUT', `/store/inventory/${pet.id}`, { quantity: stock })
        // Restocking makes a pet available, so the status it is to have comes after it.
        return send('PUT', `/pets/${pet.id}`, { ...pet, status }) as Pet
      })
    },
    find: (id) => send.orNothing(`/pets/${readId(id)}`) as Pet | undefined,
    all: () => send.allOf('/pets') as Pet[],
    update(id, given) {
      const { stock, ...fields } = readFields('pets.update', given, PET_FIELDS)
      const path = `/pets/${readId(id)}`
      const change = () => send('PUT', path, { ...(send('GET', path) as Pet), ...fields })
      const restock = () => stock !== undefined && send('PUT', `/store/inventory/${readId(id)}`, { quantity: stock })
      // A pet that is to be pending without stock has to be pending first: taking the stock would make it sold.
      const steps = stock === 0 && fields.status === 'pending' ? [change, restock] : [restock, change]
      return atomically(() => {
        for (const step of steps) step()
        return send('GET', path) as Pet
      })
    },
    delete(id) {
      send('DELETE', `/pets/${readId(id)}`)
    },
  }

  const orders: PetstoreData['orders'] = {
    create(given = {}) {
      const fields = readFields('orders.create', given, ORDER_FIELDS)
      return atomically(() => {
        const petId = 'petId' in fields ? fields.petId : anyAvailablePet(fields.quantity)
        return send('POST', '/store/orders', { ...fields, petId }) as Order
      })
    },
    find: (id) => send.orNothing(`/store/orders/${readId(id)}`) as Order | undefined,
    all: () => send.allOf('/store/orders') as Order[],
    update(id, given) {
      return send('PATCH', `/store/orders/${readId(id)}`, readFields('orders.update', given, ORDER_FIELDS)) as Order
    },
    delete(id) {
      send('DELETE', `/store/orders/${readId(id)}`)
    },
  }

  const inventory: PetstoreData['inventory'] = {
    find: (petId) => send.orNothing(`/store/inventory/${readId(petId)}`) as InventoryItem | undefined,
    all: () => send.allOf('/store/inventory') as InventoryItem[],
    update(petId, given) {
      const fields = readFields('inventory.update', given, ['quantity'])
      return send('PUT', `/store/inventory/${readId(petId)}`, fields) as InventoryItem
    },
  }

  function anyCategory(): FixtureId {
    const known = categories.all()
    return known.length === 0 ? categories.create().id : pick(known, random).id
  }

  function anyAvailablePet(wanted: number | undefined): FixtureId {
    // A quantity that cannot be ordered is refused with the order, not here.
    const quantity = Number.isSafeInteger(wanted) ? Math.max(1, wanted as number) : 1
    const best = send('GET', '/store/inventory?status=available&sort=-quantity&limit=100') as InventoryItem[]
    const sufficient = best.filter((entry) => entry.quantity >= quantity)
    return sufficient.length > 0 ? pick(sufficient, random).petId : pets.create({ stock: quantity }).id
  }

  return {
    data: { categories, pets, orders, inventory },
    restart() {
      source = createRandom(seed(), 'data')
    },
  }
}

const KINDS = [...STAPLE_KINDS, ...OTHER_KINDS]
const CATEGORY_FIELDS = ['name', 'description'] as const
const PET_FIELDS = ['name', 'categoryId', 'status', 'stock'] as const
const ORDER_FIELDS = ['petId', 'quantity', 'shipDate', 'complete'] as const

function pick<T>(values: readonly T[], random: RandomSource): T {
  return values[Math.floor(random() * values.length)] as T
}

/**
 * The fields that are given; one that is undefined is not. A typo in a test's set-up must be loud, although the API
 * itself drops what it does not know.
 */
function readFields<Fields extends object>(call: string, given: Fields, known: readonly (keyof Fields)[]): Fields {
  if (typeof given !== 'object' || given === null) {
    throw new MockError('INVALID_DATA', `data.${call} takes an object of fields, but got ${String(given)}`)
  }
  const fields = Object.entries(given).filter(([, value]) => value !== undefined)
  const unknown = fields.find(([name]) => !known.includes(name as keyof Fields))?.[0]
  if (unknown === undefined) return Object.fromEntries(fields) as Fields
  throw new MockError('INVALID_DATA', `data.${call} does not know the field ${unknown}: there are ${known.join(', ')}`)
}

function checkStock(status: string, stock: number | undefined): void {
  if (status === 'sold' && stock !== undefined && stock > 0) {
    throw new MockError('INVALID_DATA', `data.pets: a sold pet has no stock, but it is given ${stock}`)
  }
  if (status === 'available' && stock === 0) {
    throw new MockError('INVALID_DATA', 'data.pets: an available pet has stock, but it is given 0')
  }
}
