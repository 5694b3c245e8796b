import type { Order, Product } from '../shop.service.js'

const listProducts = async (api: string): Promise<Product[]> => (await fetch(`${api}/products`)).json()

/** What can be bought, by name. */
export async function listAvailable(api: string): Promise<Product[]> {
  const available = (await listProducts(api)).filter(({ stock }) => stock > 0)
  return available.sort((one, other) => one.name.localeCompare(other.name))
}

/** Undefined if it is sold out. */
export async function buy(api: string, productId: number): Promise<Order | undefined> {
  const response = await fetch(`${api}/orders`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ productId, units: 1 }),
  })
  return response.status === 409 ? undefined : response.json()
}
