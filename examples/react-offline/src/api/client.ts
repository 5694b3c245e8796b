import createClient from 'openapi-fetch'
import type { components, paths } from './schema'

type Schemas = components['schemas']
export type Pet = Schemas['Pet']
export type PetStatus = Schemas['PetStatus']
export type Category = Schemas['Category']
export type Order = Schemas['Order']
export type InventoryItem = Schemas['InventoryItem']

export const api = createClient<paths>({ baseUrl: `${import.meta.env.BASE_URL}api` })

/** A request that failed or got no response, with the message of the service. */
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

/** The body of a successful response. Throws for any other. */
export async function ask<T>(call: Promise<Answer<T>>): Promise<T> {
  const { data, error, response } = await call
  if (response.ok) return data as T
  const { status } = response
  // A proxy in front of the service may fail with another kind of body.
  throw new ApiError(error?.code ? error : { code: 'UNKNOWN', message: `the answer was ${status}`, status })
}

export interface Page<T> {
  items: T[]
  /** The number of items on all pages. */
  total: number
  /** The number of this page, from 1. */
  page: number
  size: number
}

export async function askPage<T>(call: Promise<Answer<T[]>>, { page, size }: { page: number; size: number }) {
  const items = await ask(call)
  const { response } = await call
  return { items, total: Number(response.headers.get('X-Total-Count')), page, size } satisfies Page<T>
}
