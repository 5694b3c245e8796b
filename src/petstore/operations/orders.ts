import type { BodyOf, QueryOf } from '../../engine/contract/types.js'
import { parseDateTime } from '../../lib/date-time.js'
import { toId } from '../../lib/int64.js'
import type { OrderRecord, PetRecord } from '../records.js'
import type { World } from '../world.js'
import { findOrder } from './find.js'
import { createList, type Filter, type SortFields } from './lists.js'
import type { Handler, Store } from './operation.js'

const SORT_FIELDS: SortFields<OrderRecord> = {
  ids: { id: (order) => order.id, petId: (order) => order.petId },
  values: {
    quantity: (order) => order.quantity,
    shipDate: (order) => order.shipDate,
    complete: (order) => order.complete,
  },
}

const list = createList<OrderRecord, QueryOf<'listOrders'>>({
  sortFields: SORT_FIELDS,
  narrow({ complete, petId: pet }) {
    const petId = pet === undefined ? undefined : toId(pet)
    return {
      kept: { petId, complete: complete?.toString() },
      group: petId && { by: 'petId', value: petId },
      filters: [isComplete(complete)],
    }
  },
})

export const listOrders: Handler<'listOrders'> = ({ world, query, base }) => {
  const { items, headers } = list(world.orders, query, `${base}/store/orders`)
  return { status: 200, body: items, headers }
}

/** An order that does not say whether it is complete is open. */
function isComplete(wanted: boolean | undefined): Filter<OrderRecord> | undefined {
  if (wanted === undefined) return undefined
  return { key: `complete:${wanted}`, test: (order) => (order.complete ?? false) === wanted }
}

export const createOrder: Handler<'createOrder'> = (call) => {
  const { world, base } = call
  const given = readFields(call.body)
  checkReferences(call, given)
  const wanted = { petId: null, shipDate: null, quantity: 1, complete: false, ...given }
  const { order, pets } = settle(call, undefined, wanted)
  const stored = world.orders.insert(order)
  for (const pet of pets) world.pets.replace(pet)
  return { status: 201, body: stored, headers: { Location: `${base}/store/orders/${stored.id}` } }
}

export const getOrder: Handler<'getOrder'> = ({ world, path }) => {
  return { status: 200, body: findOrder(world, path.orderId) }
}

export const updateOrder: Handler<'updateOrder'> = (call) => {
  const { world, rules, path } = call
  const current = findOrder(world, path.orderId)
  const given = readFields(call.body)
  const wanted = { ...current, ...given }
  if (isSame(current, wanted)) return { status: 200, body: current }
  checkReferences(call, given)
  rules.checkOrderOpen(current)
  const { order, pets } = settle(call, current, wanted)
  const stored = world.orders.replace({ ...order, id: current.id })
  for (const pet of pets) world.pets.replace(pet)
  return { status: 200, body: stored }
}

export const deleteOrder: Handler<'deleteOrder'> = ({ world, rules, path }) => {
  const order = findOrder(world, path.orderId)
  rules.checkOrderOpen(order)
  const pet = petOf(world, order)
  const restored = pet && rules.cancel(pet, unitsOf(order))
  world.orders.remove(order.id)
  if (restored) world.pets.replace(restored)
  return { status: 204 }
}

type OrderFields = Omit<OrderRecord, 'id'>

/** The fields a body gives, as the store keeps them. */
function readFields(body: BodyOf<'createOrder'>): Partial<OrderFields> {
  const { petId, quantity, shipDate, complete } = body
  return {
    ...(petId !== undefined && { petId: toId(petId) }),
    ...(quantity !== undefined && { quantity }),
    ...(shipDate !== undefined && { shipDate: parseDateTime(shipDate) ?? shipDate }),
    ...(complete !== undefined && { complete }),
  }
}

function checkReferences({ world, rules }: Store, { petId, quantity }: Partial<OrderFields>): void {
  if (petId) rules.requirePet(world, petId)
  if (typeof quantity === 'number') rules.requireOrderQuantity(quantity)
}

const FIELDS = ['petId', 'quantity', 'shipDate', 'complete'] as const

function isSame(a: OrderFields, b: OrderFields): boolean {
  return FIELDS.every((field) => a[field] === b[field])
}

/** An order that names no quantity is for one. */
const unitsOf = (order: OrderFields): number => order.quantity ?? 1

function petOf(world: World, { petId }: OrderFields): PetRecord | undefined {
  return petId === null ? undefined : world.pets.get(petId)
}

/**
 * Works out what an order and the pets it touches will be once it says what is wanted. A new or changed claim on a
 * pet's units is the old one cancelled and the new one placed; then the order may complete. Nothing is written here.
 */
function settle(
  { world, rules, clock }: Store,
  current: OrderRecord | undefined,
  wanted: OrderFields,
): { order: OrderFields; pets: Iterable<PetRecord> } {
  const pets = new Map<string, PetRecord>()
  const change = (pet: PetRecord | undefined, by: (pet: PetRecord) => PetRecord): void => {
    if (pet) pets.set(pet.id, by(pets.get(pet.id) ?? pet))
  }
  if (current === undefined || isOtherClaim(current, wanted)) {
    if (current) change(petOf(world, current), (pet) => rules.cancel(pet, unitsOf(current)))
    change(petOf(world, wanted), (pet) => rules.place(pet, unitsOf(wanted)))
  }
  if (wanted.complete) {
    change(petOf(world, wanted), (pet) => rules.complete(pet, otherOpenOrders(world, pet, current)))
  }
  return { order: { ...wanted, shipDate: rules.shipDate(wanted, clock) }, pets: pets.values() }
}

function isOtherClaim(a: OrderFields, b: OrderFields): boolean {
  return a.petId !== b.petId || unitsOf(a) !== unitsOf(b)
}

function otherOpenOrders(world: World, pet: PetRecord, current: OrderRecord | undefined): number {
  const countsItself = current !== undefined && !current.complete && current.petId === pet.id
  return world.orders.countIn('openPetId', pet.id) - Number(countsItself)
}
