import type { OperationId } from '../types.js'
import * as categories from './categories.js'
import * as inventory from './inventory.js'
import type { Handler } from './operation.js'
import * as orders from './orders.js'
import * as pets from './pets.js'

/** The type makes the compiler reject a table that lacks an operation of the OpenAPI document. */
export const storeHandlers: { readonly [O in OperationId]: Handler<O> } = {
  ...pets,
  ...categories,
  ...orders,
  ...inventory,
}
