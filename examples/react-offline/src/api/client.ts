import createClient from 'openapi-fetch'
import type { components, paths } from './schema'

type Schemas = components['schemas']
export type Pet = Schemas['Pet']
export type PetStatus = Schemas['PetStatus']
export type Category = Schemas['Category']
export type Order = Schemas['Order']
export type InventoryItem = Schemas['InventoryItem']

export const api = createClient<paths>({ baseUrl: `${import.meta.env.BASE_URL}api` })

/** A request that was refused or never answered, with what the service said about it. */
export class ApiError extends Error {
  readonly code: string
  readonly status: number

  constructor({ code, message, status }: Schemas['Error']) {
    super(message)
    this.code = code
    this.status = status
  }

  static from(error: unknown): ApiError {
    if (error instanceof ApiError) return error
    return new ApiError({ code: 'NO_ANSWER', message: 'the service did not answer', status: 0 })
  }
}

interface Answer<T> {
  data?: T
  error?: Schemas['Error']
  response: Response
}

/** The body of a good answer; any other is thrown. */
export async function ask<T>(call: Promise<Answer<T>>): Promise<T> {
  const { data, error, response } = await call
  if (response.ok) return data as T
  const { status } = response
  // Something in front of the service, a proxy say, fails with a body of its own kind.
  throw new ApiError(error?.code ? error : { code: 'UNKNOWN', message: `the answer was ${status}`, status })
}

export interface Page<T> {
  items: T[]
  /** On all pages together. */
  total: number
  /** Which one this is, from 1 on. */
  page: number
  size: number
}

export async function askPage<T>(call: Promise<Answer<T[]>>, { page, size }: { page: number; size: number }) {
  const items = await ask(call)
  const { response } = await call
  return { items, total: Number(response.headers.get('X-Total-Count')), page, size } satisfies Page<T>
}
