import type { Id } from '../lib/int64.js'
import type { Context, Handler } from './handler.js'
import type { OrderRecord, PetRecord, PetstoreCollections } from './records.js'
import { rulesOf } from './rules.js'

export const createOrder: Handler<'createOrder', OrderRecord> = (context, standard) =>
  standard((order) => {
    checkQuantity(context)
    return placeOrder(context, undefined, { quantity: 1, complete: false, ...order })
  })

export const updateOrder: Handler<'updateOrder', OrderRecord> = (context, standard) => {
  const { record, options } = context
  return standard((order) => {
    if (isSame(record, order)) return record
    checkQuantity(context)
    rulesOf(options).checkOrderOpen(record)
    return placeOrder(context, record, order)
  })
}

export const deleteOrder: Handler<'deleteOrder', OrderRecord> = ({ store, options, record }, standard) => {
  const rules = rulesOf(options)
  rules.checkOrderOpen(record)
  const pet = petOf(store, record)
  const restored = pet && rules.cancel(pet, unitsOf(record))
  const response = standard()
  if (restored) store.pets.replace(restored)
  return response
}

function checkQuantity({ options, body }: Context<'createOrder' | 'updateOrder', unknown>): void {
  if (body.quantity !== undefined) rulesOf(options).requireOrderQuantity(body.quantity)
}

const FIELDS = ['petId', 'quantity', 'shipDate', 'complete'] as const

function isSame(a: OrderRecord, b: OrderRecord): boolean {
  return FIELDS.every((field) => a[field] === b[field])
}

const unitsOf = (order: OrderRecord): number => order.quantity ?? 1

function petOf(store: PetstoreCollections, { petId }: OrderRecord): PetRecord | undefined {
  return petId === undefined ? undefined : store.pets.get(petId)
}

/**
 * Changes the pets of an order that is created or changed, and returns the order as it is stored. A changed pet or quantity
 * cancels the old order and places a new one.
 */
function placeOrder(
  { store, options, at }: Pick<Context<'createOrder', OrderRecord>, 'store' | 'options' | 'at'>,
  current: OrderRecord | undefined,
  requested: OrderRecord,
): OrderRecord {
  const rules = rulesOf(options)
  const pets = new Map<string, PetRecord>()
  const change = (pet: PetRecord | undefined, by: (pet: PetRecord) => PetRecord): void => {
    if (pet) pets.set(pet.id, by(pets.get(pet.id) ?? pet))
  }
  const isUnchanged = current?.petId === requested.petId && current && unitsOf(current) === unitsOf(requested)
  if (!isUnchanged) {
    if (current) change(petOf(store, current), (pet) => rules.cancel(pet, unitsOf(current)))
    change(petOf(store, requested), (pet) => rules.place(pet, unitsOf(requested)))
  }
  if (requested.complete) {
    change(petOf(store, requested), (pet) => rules.complete(pet, otherOpenOrders(store, pet, current)))
  }
  for (const pet of pets.values()) store.pets.replace(pet)
  return { ...requested, shipDate: rules.shipDate(requested, at) }
}

/** Another version of the document may have no orders. */
export function countOpenOrders({ orders }: Partial<PetstoreCollections>, petId: Id): number {
  return orders?.countIn('openPetId', petId) ?? 0
}

function otherOpenOrders(store: PetstoreCollections, pet: PetRecord, current: OrderRecord | undefined): number {
  const includesCurrent = current !== undefined && !current.complete && current.petId === pet.id
  return countOpenOrders(store, pet.id) - Number(includesCurrent)
}
