import { factory, primaryKey } from '@mswjs/data'
import type { FixturePet } from '../src/fixtures/format.js'
import type { Petstore, PlainRequest, PlainResponse } from '../src/index.js'

/** A request as a door hands it to the core. */
export function toPlain(method: string, target: string, body?: string): PlainRequest {
  const [path = '', query = ''] = target.split('?')
  const request = { method, path, query, base: '', headers: { 'content-type': 'application/json' } }
  return body === undefined ? request : { ...request, body: new TextEncoder().encode(body) }
}

/** The answer to a request that no override delays. */
export function answer(petstore: Petstore, request: PlainRequest): PlainResponse {
  const response = petstore.handle(request)
  if (response instanceof Promise) throw new Error('the answer should be there at once')
  return response
}

/** A database of pets as @mswjs/data comes, for comparison. */
export function createStockDatabase() {
  return factory({ pet: { id: primaryKey(String), name: String, status: String } })
}

export function seedStockDatabase(database: ReturnType<typeof createStockDatabase>, pets: readonly FixturePet[]): void {
  for (const { id, name, status = '' } of pets) database.pet.create({ id: String(id), name, status })
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number
}
