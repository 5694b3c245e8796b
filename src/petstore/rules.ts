import type { Id } from '../lib/int64.js'
import { storeError } from './errors.js'
import type { OrderRecord, PetRecord, PetStatus, PetstoreCollections } from './records.js'

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
