import type { StoreOperationId } from '../../engine/contract/types.js'
import * as categories from './categories.js'
import * as inventory from './inventory.js'
import type { Handler } from './operation.js'
import * as orders from './orders.js'
import * as pets from './pets.js'

/** What each operation of the store does. The compiler refuses the table when the document names one it lacks. */
export const storeHandlers: { readonly [O in StoreOperationId]: Handler<O> } = {
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
