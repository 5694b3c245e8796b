export interface Pet {
  id: number
  name: string
  categoryId: number
  status?: 'available' | 'pending' | 'sold'
}

export interface Order {
  id: number
  petId?: number
  quantity?: number
  shipDate?: string
  complete?: boolean
}

/** An error response of the service. */
export class ShopError extends Error {
  readonly status: number
  readonly code: string

  constructor({ status, code, message }: { status: number; code: string; message: string }) {
    super(message)
    this.status = status
    this.code = code
  }
}

const MOST_ATTEMPTS = 3

export function createShopClient(baseUrl: string) {
  async function send(url: string | URL, init?: RequestInit): Promise<Response> {
    for (let attempt = 1; ; attempt += 1) {
      const response = await fetch(url, init)
      if (response.ok) return response
      if (response.status !== 503 || attempt === MOST_ATTEMPTS) throw new ShopError(await response.json())
      await pause(Number(response.headers.get('Retry-After') ?? 1))
    }
  }

  async function sendJson<T>(method: string, path: string, body: object): Promise<T> {
    const headers = { 'Content-Type': 'application/json' }
    const response = await send(baseUrl + path, { method, headers, body: JSON.stringify(body) })
    return (await response.json()) as T
  }

  return {
    /** All pets of a category, from all pages. */
    async pets(categoryId: number): Promise<Pet[]> {
      const pets: Pet[] = []
      let url: URL | undefined = new URL(`${baseUrl}/pets?categoryId=${categoryId}&limit=10`)
      while (url !== undefined) {
        const response = await send(url)
        pets.push(...((await response.json()) as Pet[]))
        url = nextPage(response)
      }
      return pets
    },

    order: (petId: number, quantity: number) => sendJson<Order>('POST', '/store/orders', { petId, quantity }),

    ship: (orderId: number) => sendJson<Order>('PATCH', `/store/orders/${orderId}`, { complete: true }),
  }
}

function nextPage(response: Response): URL | undefined {
  const target = /<([^>]*)>; rel="next"/.exec(response.headers.get('Link') ?? '')?.[1]
  return target === undefined ? undefined : new URL(target, response.url)
}

function pause(seconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1000))
}
