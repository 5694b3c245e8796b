import { ApiError } from '../../engine/contract/errors.js'
import type { TimeSource } from '../../lib/clock.js'
import type { Id } from '../../lib/int64.js'
import type { OrderRecord, PetRecord, PetStatus } from '../records.js'
import type { World } from '../world.js'

/**
 * What the store does beyond storing. Every function either returns the record as it will be, and changes nothing, or
 * throws the refusal: so an operation can ask for all it needs before it writes anything.
 */
export interface StoreRules {
  requireCategory(world: World, categoryId: Id): void
  requirePet(world: World, petId: Id): void
  requireOrderQuantity(quantity: number): void
  requireStockQuantity(quantity: number): void
  /** A category that pets belong to stays. */
  checkCategoryUnused(world: World, categoryId: Id): void
  /** A pet with open orders stays. */
  checkPetUnused(world: World, petId: Id): void
  /** A complete order is final. */
  checkOrderOpen(order: OrderRecord): void
  /** An order takes its units from the pet. */
  place(pet: PetRecord, quantity: number): PetRecord
  /** An order that ends unfulfilled puts its units back. */
  cancel(pet: PetRecord, quantity: number): PetRecord
  /** An order was fulfilled; `otherOpenOrders` counts those of the same pet that were not. */
  complete(pet: PetRecord, otherOpenOrders: number): PetRecord
  shipDate(order: Pick<OrderRecord, 'complete' | 'shipDate'>, clock: TimeSource): string | null
  restock(pet: PetRecord, quantity: number, openOrders: number): PetRecord
  changeStatus(pet: PetRecord, status: PetStatus, openOrders: number): PetRecord
}

/** The store as a store: our invention, since the service's specification says nothing of its behaviour. */
export const enforcedRules: StoreRules = {
  requireCategory(world, categoryId) {
    if (world.categories.get(categoryId)) return
    throw new ApiError('UNKNOWN_CATEGORY', `/categoryId must name a category, but there is none with id ${categoryId}`)
  },

  requirePet(world, petId) {
    if (world.pets.get(petId)) return
    throw new ApiError('UNKNOWN_PET', `/petId must name a pet, but there is none with id ${petId}`)
  },

  requireOrderQuantity(quantity) {
    if (quantity >= 1) return
    throw new ApiError('INVALID_QUANTITY', `/quantity of an order must be 1 or more, but is ${quantity}`)
  },

  requireStockQuantity(quantity) {
    if (quantity >= 0) return
    throw new ApiError('INVALID_QUANTITY', `/quantity in stock must be 0 or more, but is ${quantity}`)
  },

  checkCategoryUnused(world, categoryId) {
    const pets = world.pets.countIn('categoryId', categoryId)
    if (pets === 0) return
    throw new ApiError(
      'CATEGORY_IN_USE',
      `category ${categoryId} still has pets (${pets}): delete them or move them to another category first`,
    )
  },

  checkPetUnused(world, petId) {
    const open = world.orders.countIn('openPetId', petId)
    if (open === 0) return
    throw new ApiError('PET_IN_USE', `pet ${petId} still has open orders (${open}): complete or delete them first`)
  },

  checkOrderOpen(order) {
    if (!order.complete) return
    throw new ApiError('ORDER_COMPLETE', `order ${order.id} is complete and can no longer be changed or deleted`)
  },

  place(pet, quantity) {
    if (pet.status !== 'available') {
      throw new ApiError('PET_NOT_AVAILABLE', `pet ${pet.id} is ${pet.status}: only an available pet can be ordered`)
    }
    if (pet.stock < quantity) {
      throw new ApiError(
        'INSUFFICIENT_STOCK',
        `/quantity asks for ${quantity} of pet ${pet.id}, but only ${pet.stock} left in stock`,
      )
    }
    const stock = pet.stock - quantity
    return { ...pet, stock, status: stock === 0 ? 'pending' : 'available' }
  },

  cancel(pet, quantity) {
    const stock = pet.stock + quantity
    if (!Number.isSafeInteger(stock)) {
      throw new ApiError(
        'INVALID_TRANSITION',
        `putting ${quantity} back would make the stock of pet ${pet.id} too large`,
      )
    }
    return { ...pet, stock, status: pet.status === 'pending' ? 'available' : pet.status }
  },

  complete(pet, otherOpenOrders) {
    return pet.stock === 0 && otherOpenOrders === 0 ? { ...pet, status: 'sold' } : pet
  },

  shipDate({ complete, shipDate }, clock) {
    return complete && shipDate === null ? new Date(clock.now()).toISOString() : shipDate
  },

  restock(pet, quantity, openOrders) {
    if (quantity > 0) return { ...pet, stock: quantity, status: 'available' }
    const emptied = openOrders > 0 ? 'pending' : 'sold'
    return { ...pet, stock: 0, status: pet.status === 'available' ? emptied : pet.status }
  },

  changeStatus(pet, status, openOrders) {
    if (status === pet.status) return pet
    const move = `${pet.status} to ${status}`
    const refuse = (why: string) => new ApiError('INVALID_TRANSITION', `/status cannot go from ${move}: ${why}`)
    switch (move) {
      case 'available to pending':
        return { ...pet, status }
      case 'pending to available':
        if (pet.stock === 0) throw refuse('the pet has no stock, restock it through its inventory')
        return { ...pet, status }
      case 'pending to sold':
        if (openOrders > 0) throw refuse(`the pet has open orders (${openOrders}), complete or delete them first`)
        return { ...pet, status, stock: 0 }
      case 'available to sold':
        throw refuse('a pet is sold by completing its orders, or by way of pending')
      default:
        throw refuse('a sold pet comes back by restocking it through its inventory')
    }
  },
}

/** The store as a shelf: it keeps what it is given. */
export const noRules: StoreRules = {
  requireCategory() {},
  requirePet() {},
  requireOrderQuantity() {},
  requireStockQuantity() {},
  checkCategoryUnused() {},
  checkPetUnused() {},
  checkOrderOpen() {},
  place: (pet) => pet,
  cancel: (pet) => pet,
  complete: (pet) => pet,
  shipDate: ({ shipDate }) => shipDate,
  restock: (pet, stock) => ({ ...pet, stock }),
  changeStatus: (pet, status) => ({ ...pet, status }),
}
