import type { OperationId } from '../types.js'
import * as categories from './categories.js'
import * as inventory from './inventory.js'
import type { Handler } from './operation.js'
import * as orders from './orders.js'
import * as pets from './pets.js'

/** The type makes the compiler reject a table that lacks an operation of the OpenAPI document. */
export const storeHandlers: { readonly [O in OperationId]: Handler<O> } = {
  listPets: pets.listPets,
  createPet: pets.createPet,
  getPet: pets.getPet,
  updatePet: pets.updatePet,
  deletePet: pets.deletePet,
  listCategories: categories.listCategories,
  createCategory: categories.createCategory,
  getCategory: categories.getCategory,
  updateCategory: categories.updateCategory,
  deleteCategory: categories.deleteCategory,
  listOrders: orders.listOrders,
  createOrder: orders.createOrder,
  getOrder: orders.getOrder,
  updateOrder: orders.updateOrder,
  deleteOrder: orders.deleteOrder,
  listInventory: inventory.listInventory,
  getInventory: inventory.getInventory,
  updateInventory: inventory.updateInventory,
}
