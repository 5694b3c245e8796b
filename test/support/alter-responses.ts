import { parseJson, stringifyJson } from '../../src/lib/json.js'
import type { Fetch } from '../../src/verify/sender.js'
import { operations } from './operations.js'

/** An answer of the service on its way, to be changed before it arrives. */
export interface ResponseInTransit {
  readonly method: string
  /** The operation that gave it; undefined for OPTIONS, and where a path or a method is not in the document. */
  readonly operation: string | undefined
  /** Below the base address. */
  readonly path: string
  status: number
  readonly headers: Headers
  /** Read as JSON; undefined where there is none. A text is sent as it is. */
  body: unknown
}

export type Alteration = (response: ResponseInTransit) => void

/** A `fetch` whose answers are spoiled. */
export function alterResponses(fetch: Fetch, spoil: Alteration): Fetch {
  return async (url, init) => {
    const response = await fetch(url, init)
    const text = await response.text()
    const answer = alterResponse(init.method ?? 'GET', url, response, text, spoil)
    return new Response(toBody(answer), { status: answer.status, headers: answer.headers })
  }
}

export function alterResponse(
  method: string,
  url: string,
  { status, headers }: Pick<Response, 'status' | 'headers'>,
  text: string,
  spoil: Alteration,
): ResponseInTransit {
  const path = new URL(url, 'http://localhost').pathname
  const own = new Headers(headers)
  own.delete('content-length')
  const found = status === 405 ? undefined : operationOf(method, path)
  const response = {
    method,
    operation: found,
    path,
    status,
    headers: own,
    body: text === '' ? undefined : parseJson(text),
  }
  spoil(response)
  return response
}

export function toBody({ status, body }: ResponseInTransit): string | null {
  if (status === 204 || body === undefined) return null
  return typeof body === 'string' ? body : (stringifyJson(body) ?? null)
}

function operationOf(method: string, path: string): string | undefined {
  const wanted = method === 'HEAD' ? 'GET' : method
  return operations.find(
    (each) => each.method === wanted && new RegExp(`^${each.path.replace(/\{.*?\}/, '[^/]+')}$`).test(path),
  )?.id
}

// --- What can be spoiled ---

export const all =
  (...spoils: Alteration[]): Alteration =>
  (response) => {
    for (const spoil of spoils) spoil(response)
  }

/** One status instead of another. */
export const status =
  (operation: string, from: number, to: number): Alteration =>
  (response) => {
    if (response.operation === operation && response.status === from) response.status = to
  }

/** Another value in every object, or none. */
export const field =
  (operation: string, name: string, change: (value: unknown) => unknown = () => undefined): Alteration =>
  (response) => {
    if (response.operation !== operation || response.status >= 300 || response.body === undefined) return
    for (const object of [response.body].flat() as Record<string, unknown>[]) object[name] = change(object[name])
  }

export const errorField =
  (operation: string, name: string, value?: unknown): Alteration =>
  (response) => {
    if (response.operation === operation && response.status >= 400 && response.body !== undefined) {
      ;(response.body as Record<string, unknown>)[name] = value
    }
  }

/** Another header in every answer, or none. */
export const header =
  (operation: string, name: string, value?: string): Alteration =>
  (response) => {
    if (response.operation !== operation) return
    if (value === undefined) response.headers.delete(name)
    else response.headers.set(name, value)
  }
