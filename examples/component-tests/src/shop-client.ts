export interface Pet {
  readonly id: number
  readonly name: string
}

/** An error response of the service. */
export class ShopError extends Error {
  readonly status: number

  constructor({ status, message }: { status: number; message: string }) {
    super(message)
    this.status = status
  }
}

export async function fetchPets(api: string, signal: AbortSignal): Promise<readonly Pet[]> {
  const response = await fetch(`${api}/pets?status=available&sort=name`, { signal })
  if (!response.ok) throw new ShopError(await response.json())
  return response.json()
}
