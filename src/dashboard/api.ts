import { parseJson, stringifyJson } from '../lib/json.js'
import type { Session } from './session.js'

/** A successful response. */
export interface ApiResponse {
  readonly headers: Headers
  readonly body: unknown
}

/** An error response, or no response at all. */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure'
  readonly code: string
  /** 0 without a response. */
  readonly status: number

  constructor(code: string, message: string, status = 0) {
    super(message)
    this.code = code
    this.status = status
  }

  /** The form field that has to change, where the error code implies one. */
  get field(): string | undefined {
    return FIELD_BY_CODE[this.code]
  }
}

const FIELD_BY_CODE: Readonly<Record<string, string>> = {
  INSUFFICIENT_STOCK: 'quantity',
  INVALID_QUANTITY: 'quantity',
  INVALID_TRANSITION: 'status',
  PET_NOT_AVAILABLE: 'petId',
  UNAUTHORIZED: 'token',
  UNKNOWN_CATEGORY: 'categoryId',
  UNKNOWN_OPERATION: 'operation',
  UNKNOWN_PET: 'petId',
  UNKNOWN_SCENARIO: 'scenario',
}

/** The Pet Store API and the admin API of one instance: the root or a sandbox. */
export interface Api {
  /** The base URL, without a slash at the end. */
  readonly base: string
  /** Sends to the admin API; `path` is the part after `/__admin`. */
  admin<T = undefined>(method: string, path: string, body?: unknown): Promise<T>
  /** Sends to the root's admin API. Unlike `admin`, this does not create a sandbox or extend its life. */
  rootAdmin<T = undefined>(method: string, path: string): Promise<T>
  /** Opens the event stream. */
  events(signal: AbortSignal): Promise<Response>
  /** Sends to the Pet Store API. */
  send(method: string, path: string, body?: unknown): Promise<ApiResponse>
  /** Reads from the Pet Store API, with a header that hides the request from the list of requests. */
  read(path: string): Promise<ApiResponse>
}

/** The header that marks this dashboard's own reads. */
export const OWN_READ = ['x-petstore-client', 'dashboard'] as const

export function createApi(base: string, session: Session): Api {
  async function sendAdmin(url: string, init: Init): Promise<Response> {
    const token = session.token()
    const headers = { ...init.headers, ...(token !== undefined && { Authorization: `Bearer ${token}` }) }
    const response = await send(url, { ...init, headers })
    if (response.status === 401) session.rejectToken()
    return response
  }

  return {
    base,
    async admin<T>(method: string, path: string, body?: unknown) {
      return (await read(await sendAdmin(`${base}/__admin${path}`, toInit(method, body)))).body as T
    },
    async rootAdmin<T>(method: string, path: string) {
      return (await read(await sendAdmin(`${splitBase(base).root}/__admin${path}`, toInit(method)))).body as T
    },
    async events(signal) {
      // Accepts anything: msw's worker script passes requests for text/event-stream through to the network.
      const response = await sendAdmin(`${base}/__admin/events`, { headers: { Accept: '*/*' }, signal })
      if (!response.ok) await read(response)
      return response
    },
    async send(method, path, body) {
      return read(await send(base + path, toInit(method, body)))
    },
    async read(path) {
      const { headers } = toInit('GET')
      return read(await send(base + path, { headers: { ...headers, [OWN_READ[0]]: OWN_READ[1] } }))
    },
  }
}

interface Init extends RequestInit {
  headers: Record<string, string>
}

function toInit(method: string, body?: unknown): Init {
  const text = stringifyJson(body)
  const headers = { Accept: 'application/json' }
  if (text === undefined) return { method, headers }
  return { method, headers: { ...headers, 'Content-Type': 'application/json' }, body: text }
}

async function send(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, { ...init, cache: 'no-store' })
  } catch (error) {
    if ((error as Error).name === 'AbortError') throw error
    throw new ApiFailure('NO_RESPONSE', 'No response. A fault rule prevented it, or the mock is not running.')
  }
}

async function read(response: Response): Promise<ApiResponse> {
  const { headers, status } = response
  let body: unknown
  try {
    const text = await response.text()
    body = text === '' ? undefined : parseJson(text)
  } catch {
    throw new ApiFailure('UNREADABLE', 'The response is incomplete or not JSON.', status)
  }
  if (response.ok) return { headers, body }
  const { code, message } = (body ?? {}) as { code?: unknown; message?: unknown }
  throw new ApiFailure(String(code ?? 'UNKNOWN_ERROR'), String(message ?? 'The request failed.'), status)
}

const SANDBOX_BASE = /^(.*)\/sandbox\/([^/]+)$/

/** Splits a base URL into the root's base URL and the name of the sandbox, if it is one's. */
export function splitBase(base: string): { root: string; sandbox: string | undefined } {
  const [, root = base, sandbox] = SANDBOX_BASE.exec(base) ?? []
  return { root, sandbox }
}

/** The base URL of a sandbox, or of the root without a name. */
export function toBase(root: string, sandbox: string | undefined): string {
  return sandbox === undefined ? root : `${root}/sandbox/${sandbox}`
}
