import { defineService, loadDocument } from 'petstore-mock'

export default defineService({
  document: await loadDocument(new URL('shop.json', import.meta.url)),
  operations: {
    // Every order is billed by the other service.
    order({ services }, standard) {
      const response = standard()
      const { id, total } = response.body
      // In the store, ids are text.
      services.billing.data.invoices.create({ orderId: Number(id), total })
      return response
    },
  },
})
