import type { AnyData, CreateOwnData, DataCollection, DataTools } from '../engine/data/data.js'
import { readFields, requireId, writeFields } from '../engine/data/fields.js'
import type { FixtureId } from '../engine/data/format.js'
import type { ServiceResource } from '../engine/resources/service-resource.js'
import type { components } from '../generated/petstore/openapi-types.js'
import { MockError } from '../http/errors.js'
import type { Json } from '../lib/values.js'
import { pick } from './resources.js'

/** How many records a reference is chosen from. */
const MAX_CHOICES = 100

/** The functions of `data` that change it, as requests to the store: its rules decide what can be arranged. */
function createRequestData({
  resources,
  random,
  data,
  send,
  withId,
}: DataTools): Record<string, Partial<AnyData[string]>> {
  function pathOf({ path }: ServiceResource, id: unknown): string {
    return `${path}/${id}`
  }

  /** Ids for the references that a new record must have. */
  function missingReferences({ checkedReferences }: ServiceResource, given: Json): Json {
    const missing = checkedReferences.filter(({ property, when }) => !when && !(property in given))
    return Object.fromEntries(missing.map(({ property, to }) => [property, anyId(to)]))
  }

  function anyId(name: string): unknown {
    const { path } = resources.find((each) => each.name === name) as ServiceResource
    const known = send('GET', `${path}?limit=${MAX_CHOICES}`) as Json[]
    return known.length === 0 ? data[name]?.create().id : pick(known, random).id
  }

  function changesOf(resource: ServiceResource): Partial<AnyData[string]> {
    const { name, writable, operations, additions, path } = resource
    function update(id: FixtureId, given: Json): Json {
      const fields = readFields(`${name}.update`, given, writable)
      const itemPath = pathOf(resource, requireId(resource, id))
      if (operations.merge) return send('PATCH', itemPath, writeFields(resource, fields)) as Json
      const current = send('GET', itemPath) as Json
      const kept = Object.fromEntries(writable.map((property) => [property, current[property]]))
      return send('PUT', itemPath, writeFields(resource, { ...kept, ...fields })) as Json
    }
    if (additions.view) return { update }
    return {
      update,
      delete: (id) => void send('DELETE', pathOf(resource, requireId(resource, id))),
      create(given = {}) {
        const { id, ...fields } = readFields<Json & { id?: FixtureId }>(`${name}.create`, given, ['id', ...writable])
        const made = additions.sample?.(random, fields)
        const all = { ...made, ...fields, ...missingReferences(resource, fields) }
        const create = () => send('POST', path, writeFields(resource, all)) as Json
        if (id === undefined) return create()
        const chosen = requireId(resource, id)
        if (data[name]?.find(id) === undefined) return withId(name, chosen, create)
        throw new MockError('INVALID_DATA', `data.${name}.create: The id ${chosen} is already in use.`)
      },
    }
  }

  return Object.fromEntries(resources.map((resource) => [resource.name, changesOf(resource)]))
}

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

const PET_FIELDS = ['name', 'categoryId', 'status', 'stock']
const ORDER_FIELDS = ['petId', 'quantity', 'shipDate', 'complete']

/** A pet can be given its stock, and an order gets a pet that can be ordered. */
export const createOwnData: CreateOwnData = (tools) => {
  const { options, random, send, atomically } = tools
  const requests = createRequestData(tools)
  const standard = requests as unknown as PetstoreData
  const data = tools.data as unknown as PetstoreData

  const pets: Pick<PetstoreData['pets'], 'create' | 'update'> = {
    create(given = {}) {
      const { stock, ...fields } = readFields('pets.create', given, ['id', ...PET_FIELDS])
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
      const { stock, ...fields } = readFields('pets.update', given, PET_FIELDS)
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
      const fields = readFields('orders.create', given, ['id', ...ORDER_FIELDS])
      return atomically(() => {
        const petId = 'petId' in fields ? fields.petId : anyAvailablePet(fields.quantity)
        return standard.orders.create({ ...fields, petId })
      })
    },
  }

  function anyAvailablePet(requested: number | undefined): FixtureId {
    // An invalid quantity is rejected when the order is created, not here.
    const quantity = Number.isSafeInteger(requested) ? Math.max(1, requested as number) : 1
    const largest = send('GET', '/store/inventory?status=available&sort=-quantity&limit=100') as InventoryItem[]
    const sufficient = largest.filter((entry) => entry.quantity >= quantity)
    return sufficient.length > 0 ? pick(sufficient, random).petId : data.pets.create({ stock: quantity }).id
  }

  return { ...requests, pets: { ...requests.pets, ...pets }, orders: { ...requests.orders, ...orders } }
}

function checkStock(status: string, stock: number | undefined): void {
  if (status === 'sold' && stock !== undefined && stock > 0) {
    throw new MockError('INVALID_DATA', `data.pets.create: A sold pet must have no stock, but stock is ${stock}.`)
  }
  if (status === 'available' && stock === 0) {
    throw new MockError('INVALID_DATA', 'data.pets.create: An available pet must have stock, but stock is 0.')
  }
}
