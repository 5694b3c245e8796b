import type { Handler } from './handler.js'
import { countOpenOrders, createOrder, deleteOrder, updateOrder } from './orders.js'
import type { PetRecord } from './records.js'
import { rulesOf } from './rules.js'

const updatePet: Handler<'updatePet', PetRecord> = ({ store, options, record }, standard) =>
  standard((next) => {
    const current = { ...next, status: record.status }
    return rulesOf(options).changeStatus(current, next.status, countOpenOrders(store, record.id))
  })

const deletePet: Handler<'deletePet', PetRecord> = ({ store, options, record }, standard) => {
  rulesOf(options).checkPetUnused(store, record.id)
  return standard()
}

const updateInventory: Handler<'updateInventory', PetRecord> = ({ store, options, record, body }, standard) => {
  const rules = rulesOf(options)
  rules.requireStockQuantity(body.quantity)
  return standard(() => rules.restock(record, body.quantity, countOpenOrders(store, record.id)))
}

/** The operations with rules. The others follow from the OpenAPI document. */
export const operations = { updatePet, deletePet, createOrder, updateOrder, deleteOrder, updateInventory }
