const axios = require('axios')

const MAX_ATTEMPTS = 3

/** Adoptions at a pet store: an adoption is an order of one unit. */
function createAdoptionDesk(baseURL) {
  const http = axios.create({ baseURL })

  http.interceptors.response.use(undefined, async (error) => {
    const { config, response } = error
    config.attempt = (config.attempt ?? 1) + 1
    if (response?.status !== 503 || config.attempt > MAX_ATTEMPTS) throw error
    await pause(Number(response.headers['retry-after'] ?? 1))
    return http.request(config)
  })

  return {
    /** The pets of a category that can be adopted, sorted by name. */
    async waiting(categoryName) {
      const categories = await http.get('/categories', { params: { name: categoryName } })
      const categoryId = categories.data.find(({ name }) => name === categoryName)?.id
      if (categoryId === undefined) return []
      const pets = await http.get('/pets', { params: { categoryId, status: 'available', sort: 'name' } })
      return pets.data
    },

    /** The order, or undefined if another customer was faster. */
    async adopt(petId) {
      try {
        const order = await http.post('/store/orders', { petId, quantity: 1 })
        return order.data
      } catch (error) {
        if (error.response?.data.code === 'PET_NOT_AVAILABLE') return undefined
        throw error
      }
    },

    async handOver(orderId) {
      const order = await http.patch(`/store/orders/${orderId}`, { complete: true })
      return order.data
    },
  }
}

function pause(seconds) {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1000))
}

module.exports = { createAdoptionDesk }
