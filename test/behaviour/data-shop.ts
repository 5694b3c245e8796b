import { shop } from '../support/client.js'

/** Pet 1 is in stock, 2 is sold, 3 is pending with an open order, 4 has no order; order 2 is complete. */
export const SHOP = shop(
  [
    { id: 1, stock: 5 },
    { id: 2, status: 'sold' },
    { id: 3, status: 'pending', stock: 0 },
    { id: 4, categoryId: 2 },
  ],
  [
    { id: 1, petId: 3, quantity: 1, complete: false },
    { id: 2, petId: 2, quantity: 1, shipDate: '2026-03-31T09:30:00.000Z', complete: true },
  ],
)
