import { defineService, type ServiceOf } from 'petstore-mock'
import document from './shop.json' with { type: 'json' }

export interface Product {
  id: number
  name: string
  stock: number
}

export interface Order {
  id: number
  productId: number
  units: number
}

/** In a project of your own, `openapi-typescript` writes them. */
interface operations {
  listProducts: {
    parameters: object
    responses: { 200: { content: { 'application/json': Product[] } } }
  }
  listOrders: {
    parameters: object
    responses: { 200: { content: { 'application/json': Order[] } } }
  }
  order: {
    parameters: object
    requestBody: { content: { 'application/json': Omit<Order, 'id'> } }
    responses: { 201: { content: { 'application/json': Order } } }
  }
}

export default defineService<ServiceOf<operations, { products: Product; orders: Order }>>({
  document,
  errors: { SOLD_OUT: 409 },
  operations: {
    // What the document cannot say: an order takes its units from the stock.
    order({ store, fail }, standard) {
      return standard((order) => {
        // In the store, ids are text.
        const product = store.products?.get(order.productId as never)
        const units = Number(order.units)
        if (product === undefined || Number(product.stock) < units) throw fail('SOLD_OUT', 'Sold out.')
        store.products?.replace({ ...product, stock: Number(product.stock) - units })
        return order
      })
    },
  },
  scenarios: {
    default: {
      products: [
        { id: 1, name: 'Kettle', stock: 2 },
        { id: 2, name: 'Lamp', stock: 0 },
      ],
    },
  },
})
