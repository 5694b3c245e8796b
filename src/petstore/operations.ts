import type { OwnContext, OwnHandler } from '../engine/mock/own-handler.js'
import type { Id } from '../lib/int64.js'
import { storeError } from './errors.js'
import type { ResolvedOptions } from './options.js'
import type { OrderRecord, PetRecord, PetStatus, PetstoreCollections } from './records.js'
import type { BodyOf, OperationId } from './types.js'

/**
 * The rules of the store, which are our choice: the source specification does not say how the store behaves. No function
 * changes anything: each returns the changed record or throws the API error, so that a handler can check everything before
 * it writes.
 */
const enforcedRules = {
  requireOrderQuantity(quantity: number): void {
    if (quantity >= 1) return
    throw storeError('INVALID_QUANTITY', `/quantity must be 1 or more, but is ${quantity}.`)
  },

  requireStockQuantity(quantity: number): void {
    if (quantity >= 0) return
    throw storeError('INVALID_QUANTITY', `/quantity must be 0 or more, but is ${quantity}.`)
  },

  checkPetUnused(store: PetstoreCollections, petId: Id): void {
    const open = store.orders.countIn('openPetId', petId)
    if (open === 0) return
    throw storeError('PET_IN_USE', `Pet ${petId} still has open orders (${open}). Complete or delete them first.`)
  },

  checkOrderOpen(order: OrderRecord): void {
    if (!order.complete) return
    throw storeError('ORDER_COMPLETE', `Order ${order.id} is complete and can no longer be changed or deleted.`)
  },

  place(pet: PetRecord, quantity: number): PetRecord {
    if (pet.status !== 'available') {
      throw storeError('PET_NOT_AVAILABLE', `Pet ${pet.id} is ${pet.status}. Only an available pet can be ordered.`)
    }
    if (pet.stock < quantity) {
      throw storeError(
        'INSUFFICIENT_STOCK',
        `/quantity is ${quantity}, but pet ${pet.id} has only ${pet.stock} in stock.`,
      )
    }
    const stock = pet.stock - quantity
    return { ...pet, stock, status: stock === 0 ? 'pending' : 'available' }
  },

  cancel(pet: PetRecord, quantity: number): PetRecord {
    const stock = pet.stock + quantity
    if (!Number.isSafeInteger(stock)) {
      throw storeError(
        'INVALID_TRANSITION',
        `Adding ${quantity} to the stock of pet ${pet.id} would make it too large.`,
      )
    }
    return { ...pet, stock, status: pet.status === 'pending' ? 'available' : pet.status }
  },

  complete(pet: PetRecord, otherOpenOrders: number): PetRecord {
    return pet.stock === 0 && otherOpenOrders === 0 ? { ...pet, status: 'sold' } : pet
  },

  shipDate({ complete, shipDate }: OrderRecord, now: number): string | undefined {
    return complete && shipDate === undefined ? new Date(now).toISOString() : shipDate
  },

  restock(pet: PetRecord, quantity: number, openOrders: number): PetRecord {
    if (quantity > 0) return { ...pet, stock: quantity, status: 'available' }
    const emptied = openOrders > 0 ? 'pending' : 'sold'
    return { ...pet, stock: 0, status: pet.status === 'available' ? emptied : pet.status }
  },

  changeStatus(pet: PetRecord, status: PetStatus, openOrders: number): PetRecord {
    if (status === pet.status) return pet
    const move = `${pet.status} to ${status}`
    const invalid = (help: string) => storeError('INVALID_TRANSITION', `/status cannot change from ${move}. ${help}`)
    switch (move) {
      case 'available to pending':
        return { ...pet, status }
      case 'pending to available':
        if (pet.stock === 0) throw invalid('The pet has no stock. Restock it through its inventory first.')
        return { ...pet, status }
      case 'pending to sold':
        if (openOrders > 0) throw invalid(`The pet has open orders (${openOrders}). Complete or delete them first.`)
        return { ...pet, status, stock: 0 }
      case 'available to sold':
        throw invalid("Complete the pet's orders, or change its status to pending first.")
      default:
        throw invalid('Restock the pet through its inventory instead.')
    }
  },
}

type StoreRules = typeof enforcedRules

/** For `rules: 'off'`: stores data as it is given. */
const noRules: StoreRules = {
  requireOrderQuantity() {},
  requireStockQuantity() {},
  checkPetUnused() {},
  checkOrderOpen() {},
  place: (pet) => pet,
  cancel: (pet) => pet,
  complete: (pet) => pet,
  shipDate: ({ shipDate }) => shipDate,
  restock: (pet, stock) => ({ ...pet, stock }),
  changeStatus: (pet, status) => ({ ...pet, status }),
}

export function rulesOf({ rules }: { readonly rules: 'on' | 'off' }): StoreRules {
  return rules === 'on' ? enforcedRules : noRules
}

/** A valid request, and the store it reads and changes. */
export interface Context<O extends OperationId, R> extends Pick<OwnContext<R>, 'record' | 'at'> {
  readonly store: PetstoreCollections
  readonly options: ResolvedOptions
  readonly body: BodyOf<O>
}

/** Implements one operation. Throws an ApiError to reject the request, before it has changed anything. */
export type Handler<O extends OperationId, R> = OwnHandler<Context<O, R>, R>

const createOrder: Handler<'createOrder', OrderRecord> = (context, standard) =>
  standard((order) => {
    checkQuantity(context)
    return placeOrder(context, undefined, { quantity: 1, complete: false, ...order })
  })

const updateOrder: Handler<'updateOrder', OrderRecord> = (context, standard) => {
  const { record, options } = context
  if (record === undefined) return standard()
  return standard((order) => {
    if (isSame(record, order)) return record
    checkQuantity(context)
    rulesOf(options).checkOrderOpen(record)
    return placeOrder(context, record, order)
  })
}

const deleteOrder: Handler<'deleteOrder', OrderRecord> = ({ store, options, record }, standard) => {
  if (record === undefined) return standard()
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
function countOpenOrders({ orders }: Partial<PetstoreCollections>, petId: Id): number {
  return orders?.countIn('openPetId', petId) ?? 0
}

function otherOpenOrders(store: PetstoreCollections, pet: PetRecord, current: OrderRecord | undefined): number {
  const includesCurrent = current !== undefined && !current.complete && current.petId === pet.id
  return countOpenOrders(store, pet.id) - Number(includesCurrent)
}

const updatePet: Handler<'updatePet', PetRecord> = ({ store, options, record }, standard) => {
  if (record === undefined) return standard()
  return standard((next) => {
    const current = { ...next, status: record.status }
    return rulesOf(options).changeStatus(current, next.status, countOpenOrders(store, record.id))
  })
}

const deletePet: Handler<'deletePet', PetRecord> = ({ store, options, record }, standard) => {
  if (record) rulesOf(options).checkPetUnused(store, record.id)
  return standard()
}

const updateInventory: Handler<'updateInventory', PetRecord> = ({ store, options, record, body }, standard) => {
  if (record === undefined) return standard()
  const rules = rulesOf(options)
  rules.requireStockQuantity(body.quantity)
  return standard(() => rules.restock(record, body.quantity, countOpenOrders(store, record.id)))
}

/** The operations with rules. The others follow from the OpenAPI document. */
export const operations = { updatePet, deletePet, createOrder, updateOrder, deleteOrder, updateInventory }
