import { parseDateTime } from '../../lib/date-time.js'
import { toId } from '../../lib/int64.js'
import type { PetstoreCollections } from '../model.js'
import type { OrderRecord, PetRecord } from '../records.js'
import type { BodyOf, OperationId, QueryOf } from '../types.js'
import { findOrder } from './find.js'
import { createList, type Filter, type SortFields } from './lists.js'
import type { Context, Handler } from './operation.js'
import { rulesOf } from './rules.js'

const SORT_FIELDS: SortFields<OrderRecord> = {
  ids: { id: (order) => order.id, petId: (order) => order.petId },
  values: {
    quantity: (order) => order.quantity,
    shipDate: (order) => order.shipDate,
    complete: (order) => order.complete,
  },
}

const list = createList<OrderRecord, 'petId' | 'openPetId', QueryOf<'listOrders'>>({
  sortFields: SORT_FIELDS,
  filter({ complete, petId: pet }) {
    const petId = pet === undefined ? undefined : toId(pet)
    return {
      linkParameters: { petId, complete: complete?.toString() },
      group: petId && { by: 'petId', value: petId },
      filters: [isComplete(complete)],
    }
  },
})

export const listOrders: Handler<'listOrders'> = ({ store, query, base }) =>
  list(store.orders, query, `${base}/store/orders`)

/** An order without `complete` is open. */
function isComplete(expected: boolean | undefined): Filter<OrderRecord> | undefined {
  if (expected === undefined) return undefined
  return { key: `complete:${expected}`, test: (order) => (order.complete ?? false) === expected }
}

export const createOrder: Handler<'createOrder'> = (context) => {
  const { store, base } = context
  const given = readFields(context.body)
  checkReferences(context, given)
  const requested = { petId: null, shipDate: null, quantity: 1, complete: false, ...given }
  const { order, pets } = applyChange(context, undefined, requested)
  const stored = store.orders.insert(order)
  for (const pet of pets) store.pets.replace(pet)
  return { status: 201, body: stored, headers: { Location: `${base}/store/orders/${stored.id}` } }
}

export const getOrder: Handler<'getOrder'> = ({ store, path }) => {
  return { status: 200, body: findOrder(store, path.orderId) }
}

export const updateOrder: Handler<'updateOrder'> = (context) => {
  const { store, options, path } = context
  const rules = rulesOf(options)
  const current = findOrder(store, path.orderId)
  const given = readFields(context.body)
  const requested = { ...current, ...given }
  if (isSame(current, requested)) return { status: 200, body: current }
  checkReferences(context, given)
  rules.checkOrderOpen(current)
  const { order, pets } = applyChange(context, current, requested)
  const stored = store.orders.replace({ ...order, id: current.id })
  for (const pet of pets) store.pets.replace(pet)
  return { status: 200, body: stored }
}

export const deleteOrder: Handler<'deleteOrder'> = ({ store, options, path }) => {
  const rules = rulesOf(options)
  const order = findOrder(store, path.orderId)
  rules.checkOrderOpen(order)
  const pet = petOf(store, order)
  const restored = pet && rules.cancel(pet, unitsOf(order))
  store.orders.remove(order.id)
  if (restored) store.pets.replace(restored)
  return { status: 204 }
}

type OrderFields = Omit<OrderRecord, 'id'>

type Settings = Pick<Context<OperationId>, 'store' | 'options' | 'at'>

/** The fields of a request body, in the form in which they are stored. */
function readFields(body: BodyOf<'createOrder'>): Partial<OrderFields> {
  const { petId, quantity, shipDate, complete } = body
  return {
    ...(petId !== undefined && { petId: toId(petId) }),
    ...(quantity !== undefined && { quantity }),
    ...(shipDate !== undefined && { shipDate: parseDateTime(shipDate) ?? shipDate }),
    ...(complete !== undefined && { complete }),
  }
}

function checkReferences({ store, options }: Settings, { petId, quantity }: Partial<OrderFields>): void {
  const rules = rulesOf(options)
  if (petId) rules.requirePet(store, petId)
  if (typeof quantity === 'number') rules.requireOrderQuantity(quantity)
}

const FIELDS = ['petId', 'quantity', 'shipDate', 'complete'] as const

function isSame(a: OrderFields, b: OrderFields): boolean {
  return FIELDS.every((field) => a[field] === b[field])
}

const unitsOf = (order: OrderFields): number => order.quantity ?? 1

function petOf(store: PetstoreCollections, { petId }: OrderFields): PetRecord | undefined {
  return petId === null ? undefined : store.pets.get(petId)
}

/**
 * Returns the order and the pets after a change, without writing anything. A changed pet or quantity cancels the old order
 * and places a new one.
 */
function applyChange(
  { store, options, at }: Settings,
  current: OrderRecord | undefined,
  requested: OrderFields,
): { order: OrderFields; pets: Iterable<PetRecord> } {
  const rules = rulesOf(options)
  const pets = new Map<string, PetRecord>()
  const change = (pet: PetRecord | undefined, by: (pet: PetRecord) => PetRecord): void => {
    if (pet) pets.set(pet.id, by(pets.get(pet.id) ?? pet))
  }
  const isUnchanged = current?.petId === requested.petId && unitsOf(current) === unitsOf(requested)
  if (!isUnchanged) {
    if (current) change(petOf(store, current), (pet) => rules.cancel(pet, unitsOf(current)))
    change(petOf(store, requested), (pet) => rules.place(pet, unitsOf(requested)))
  }
  if (requested.complete) {
    change(petOf(store, requested), (pet) => rules.complete(pet, otherOpenOrders(store, pet, current)))
  }
  return { order: { ...requested, shipDate: rules.shipDate(requested, at) }, pets: pets.values() }
}

function otherOpenOrders(store: PetstoreCollections, pet: PetRecord, current: OrderRecord | undefined): number {
  const includesCurrent = current !== undefined && !current.complete && current.petId === pet.id
  return store.orders.countIn('openPetId', pet.id) - Number(includesCurrent)
}
