import { MockError } from '../contract/errors.js'
import type { components } from '../contract/generated/openapi-types.js'
import type { PlainRequest, PlainResponse } from '../contract/messages.js'
import { OTHER_KINDS, STAPLE_KINDS } from '../fixtures/animals.js'
import type { FixtureId } from '../fixtures/format.js'
import { createRandom, type RandomSource } from '../random.js'
import { createSender, readId } from './sender.js'

export type Category = components['schemas']['Category']
export type Pet = components['schemas']['Pet']
export type Order = components['schemas']['Order']
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
export interface Entities<Entity, Fields> {
  /** Fills in from the seed what is left out. */
  create(fields?: Fields): Entity
  find(id: FixtureId): Entity | undefined
  all(): Entity[]
  /** Changes the fields it is given and leaves the rest. */
  update(id: FixtureId, fields: Fields): Entity
  delete(id: FixtureId): void
}

export interface PetstoreData {
  readonly categories: Entities<Category, CategoryFields>
  readonly pets: Entities<Pet, PetFields>
  readonly orders: Entities<Order, OrderFields>
  /** An entry comes and goes with its pet. */
  readonly inventory: Pick<Entities<InventoryItem, { quantity: number }>, 'find' | 'all' | 'update'>
}

/** What arranging data needs of a pet store. */
export interface DataPorts {
  readonly seed: number
  readonly rules: 'on' | 'off'
  /** Answers as the API does; arranging goes the way of a request, so that it can make nothing a request could not. */
  handle(request: PlainRequest): PlainResponse
  /** Does all of it or, where it throws, nothing. */
  atomically<T>(act: () => T): T
}

/** `data`, and how to make it fill in the same things again. */
export function createData(ports: DataPorts): { data: PetstoreData; restart(): void } {
  const { seed, rules, atomically } = ports
  const send = createSender(ports.handle)
  let random = createRandom(seed, 'data')

  const categories: PetstoreData['categories'] = {
    create(fields = {}) {
      checkFields('categories.create', fields, ['name', 'description'])
      const kind = pick(KINDS, random)
      return send(
        'POST',
        '/categories',
        fields.name === undefined ? { ...toFields(kind), ...fields } : fields,
      ) as Category
    },
    find: (id) => send.orNothing(`/categories/${readId(id)}`) as Category | undefined,
    all: () => send.allOf('/categories') as Category[],
    update(id, fields) {
      checkFields('categories.update', fields, ['name', 'description'])
      const path = `/categories/${readId(id)}`
      return send('PUT', path, { ...(send('GET', path) as Category), ...fields }) as Category
    },
    delete(id) {
      send('DELETE', `/categories/${readId(id)}`)
    },
  }

  const pets: PetstoreData['pets'] = {
    create(given = {}) {
      checkFields('pets.create', given, ['name', 'categoryId', 'status', 'stock'])
      const { stock, ...fields } = given
      const status = fields.status ?? 'available'
      if (rules === 'on') checkStock(status, stock)
      const name = pick(pick(KINDS, random).names, random)
      return atomically(() => {
        const categoryId = fields.categoryId ?? anyCategory()
        const pet = send('POST', '/pets', { name, ...fields, categoryId }) as Pet
        return stock === undefined ? pet : stockUp(pet, status, stock)
      })
    },
    find: (id) => send.orNothing(`/pets/${readId(id)}`) as Pet | undefined,
    all: () => send.allOf('/pets') as Pet[],
    update(id, given) {
      checkFields('pets.update', given, ['name', 'categoryId', 'status', 'stock'])
      const { stock, ...fields } = given
      const path = `/pets/${readId(id)}`
      return atomically(() => {
        if (stock !== undefined) send('PUT', `/store/inventory/${readId(id)}`, { quantity: stock })
        return send('PUT', path, { ...(send('GET', path) as Pet), ...fields }) as Pet
      })
    },
    delete(id) {
      send('DELETE', `/pets/${readId(id)}`)
    },
  }

  const orders: PetstoreData['orders'] = {
    create(fields = {}) {
      checkFields('orders.create', fields, ORDER_FIELDS)
      return atomically(() => {
        const petId = fields.petId ?? anyAvailablePet(fields.quantity ?? 1)
        return send('POST', '/store/orders', { ...fields, petId }) as Order
      })
    },
    find: (id) => send.orNothing(`/store/orders/${readId(id)}`) as Order | undefined,
    all: () => send.allOf('/store/orders') as Order[],
    update(id, fields) {
      checkFields('orders.update', fields, ORDER_FIELDS)
      return send('PATCH', `/store/orders/${readId(id)}`, fields) as Order
    },
    delete(id) {
      send('DELETE', `/store/orders/${readId(id)}`)
    },
  }

  const inventory: PetstoreData['inventory'] = {
    find: (petId) => send.orNothing(`/store/inventory/${readId(petId)}`) as InventoryItem | undefined,
    all: () => send.allOf('/store/inventory') as InventoryItem[],
    update(petId, fields) {
      checkFields('inventory.update', fields, ['quantity'])
      return send('PUT', `/store/inventory/${readId(petId)}`, fields) as InventoryItem
    },
  }

  function anyCategory(): FixtureId {
    const known = categories.all()
    return known.length === 0 ? categories.create().id : pick(known, random).id
  }

  function anyAvailablePet(quantity: number): FixtureId {
    const sufficient = inventory.all().filter((entry) => entry.status === 'available' && entry.quantity >= quantity)
    if (sufficient.length > 0) return pick(sufficient, random).petId
    return pets.create({ stock: Math.max(1, quantity) }).id
  }

  /** Restocking makes a pet available, so the status it is to have comes after it. */
  function stockUp(pet: Pet, status: string, quantity: number): Pet {
    send('PUT', `/store/inventory/${pet.id}`, { quantity })
    return send('PUT', `/pets/${pet.id}`, { ...pet, status }) as Pet
  }

  return {
    data: { categories, pets, orders, inventory },
    restart() {
      random = createRandom(seed, 'data')
    },
  }
}

const KINDS = [...STAPLE_KINDS, ...OTHER_KINDS]
const ORDER_FIELDS = ['petId', 'quantity', 'shipDate', 'complete']

function toFields({ name, description }: CategoryFields): CategoryFields {
  return { ...(name !== undefined && { name }), ...(description !== undefined && { description }) }
}

function pick<T>(values: readonly T[], random: RandomSource): T {
  return values[Math.floor(random() * values.length)] as T
}

/** A typo in a test's set-up must be loud, although the API itself drops what it does not know. */
function checkFields(call: string, fields: object, known: readonly string[]): void {
  const unknown = Object.keys(fields).find((name) => !known.includes(name))
  if (unknown === undefined) return
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
