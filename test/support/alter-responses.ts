import { parseJson, stringifyJson } from '../../src/lib/json.js'
import type { Fetch } from '../../src/tools/server/send-request.js'
import { operations } from './operations.js'

/** A response on its way to the client, to be altered. */
export interface ResponseInTransit {
  readonly method: string
  /** Undefined for OPTIONS, and if the OpenAPI document does not have the path or method. */
  readonly operation: string | undefined
  /** Relative to the base address. */
  readonly path: string
  status: number
  readonly headers: Headers
  /** Parsed JSON, or undefined if there is no body. A string is sent as it is. */
  body: unknown
}

export type Alteration = (response: ResponseInTransit) => void

/** A `fetch` that alters its responses. */
export function alterResponses(fetch: Fetch, alter: Alteration): Fetch {
  return async (url, init) => {
    const response = await fetch(url, init)
    const text = await response.text()
    const altered = alterResponse(init.method ?? 'GET', url, response, text, alter)
    return new Response(toBody(altered), { status: altered.status, headers: altered.headers })
  }
}

function alterResponse(
  method: string,
  url: string,
  { status, headers }: Pick<Response, 'status' | 'headers'>,
  text: string,
  alter: Alteration,
): ResponseInTransit {
  const path = new URL(url, 'http://localhost').pathname
  const copy = new Headers(headers)
  copy.delete('content-length')
  const response = {
    method,
    operation: status === 405 ? undefined : operationOf(method, path),
    path,
    status,
    headers: copy,
    body: text === '' ? undefined : parseJson(text),
  }
  alter(response)
  return response
}

function toBody({ status, body }: ResponseInTransit): string | null {
  if (status === 204 || body === undefined) return null
  return typeof body === 'string' ? body : (stringifyJson(body) ?? null)
}

const ROUTES = operations.map(({ id, method, path }) => ({
  id,
  method,
  pattern: new RegExp(`^${path.replace(/\{.*?\}/, '[^/]+')}$`),
}))

function operationOf(method: string, path: string): string | undefined {
  const wanted = method === 'HEAD' ? 'GET' : method
  return ROUTES.find((route) => route.method === wanted && route.pattern.test(path))?.id
}

export const all =
  (...alterations: Alteration[]): Alteration =>
  (response) => {
    for (const alter of alterations) alter(response)
  }

/** Replaces a status. */
export const status =
  (operation: string, from: number, to: number): Alteration =>
  (response) => {
    if (response.operation === operation && response.status === from) response.status = to
  }

/** Changes a field of every object in the body, or removes it. */
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

/** Sets a header of every response, or removes it. */
export const header =
  (operation: string, name: string, value?: string): Alteration =>
  (response) => {
    if (response.operation !== operation) return
    if (value === undefined) response.headers.delete(name)
    else response.headers.set(name, value)
  }
