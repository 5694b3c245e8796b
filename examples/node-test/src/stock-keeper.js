import https from 'node:https'

const MAX_ATTEMPTS = 3
const PAGE = 50

/** Manages the stock and the open orders of a pet store. */
export function createStockKeeper(baseUrl) {
  async function send(method, path, body) {
    for (let attempt = 1; ; attempt += 1) {
      const response = await exchange(method, baseUrl + path, body)
      if (response.status < 400) return response
      if (response.status !== 503 || attempt === MAX_ATTEMPTS) throw Object.assign(new Error(), response.body)
      await pause(Number(response.headers['retry-after'] ?? 1))
    }
  }

  async function all(path) {
    const items = []
    for (;;) {
      const { headers, body } = await send('GET', `${path}&limit=${PAGE}&offset=${items.length}`)
      items.push(...body)
      if (body.length === 0 || items.length >= Number(headers['x-total-count'])) return items
    }
  }

  return {
    /** Restocks every pet that has fewer units than this. Returns the number of pets restocked. */
    async fillUp(units) {
      const short = await all(`/store/inventory?maxQuantity=${units - 1}`)
      for (const { petId } of short) await send('PUT', `/store/inventory/${petId}`, { quantity: units })
      return short.length
    },

    /** Completes the open orders for a pet, and returns their ship dates. */
    async ship(petId) {
      const open = await all(`/store/orders?petId=${petId}&complete=false`)
      const shipped = []
      for (const { id } of open) shipped.push(await send('PATCH', `/store/orders/${id}`, { complete: true }))
      return shipped.map(({ body }) => body.shipDate)
    },

    async cancel(orderId) {
      await send('DELETE', `/store/orders/${orderId}`)
    },
  }
}

function exchange(method, url, body) {
  return new Promise((resolve, reject) => {
    const headers = body === undefined ? {} : { 'Content-Type': 'application/json' }
    const outgoing = https.request(url, { method, headers }, async (incoming) => {
      const text = (await incoming.setEncoding('utf8').toArray()).join('')
      const { statusCode: status, headers: received } = incoming
      resolve({ status, headers: received, body: text === '' ? undefined : JSON.parse(text) })
    })
    outgoing.on('error', reject)
    outgoing.end(body && JSON.stringify(body))
  })
}

function pause(seconds) {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1000))
}
