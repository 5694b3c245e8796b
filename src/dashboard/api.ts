import { type AdminArguments, type AdminOperation, type SendAdmin, toAdminRequest } from '../engine/admin/request.js'
import type { components } from '../generated/engine/admin/admin-types.js'
import { ROOT, SANDBOX_HEADER } from '../http/sandbox-headers.js'
import { parseJson, stringifyJson } from '../lib/json.js'

/** The types of the admin API. */
export type Admin = components['schemas']

/** A successful response. */
export interface ApiResponse {
  readonly headers: Headers
  readonly body: unknown
}

/** An error response, no response at all, or a file that cannot be sent. */
export class ApiFailure extends Error {
  /** `status` is 0 without a response. */
  constructor(
    readonly code: string,
    message: string,
    readonly status = 0,
  ) {
    super(message)
  }
}

/** Looking at a sandbox must neither create it nor keep it alive. */
const PEEK = { 'X-Petstore-Peek': 'true' }

export interface Api {
  /** The base URL, without a slash at the end. */
  readonly base: string
  /** Sends to the admin API. */
  readonly admin: SendAdmin
  /** Sends to the admin API of another instance. */
  adminAt(other: string): SendAdmin
  /** Reads a list of records. Faults do not apply, and nothing is recorded. */
  readList(collection: string, query: object): Promise<ApiResponse>
  /** Creates a sandbox, if it does not exist, by using it. */
  createSandbox(sandboxBase: string): Promise<void>
  events(signal: AbortSignal): Promise<Response>
  /** Sends to the service's API. */
  send(method: string, path: string, body?: unknown): Promise<ApiResponse>
}

/** The service's API and the admin API of the instance at `base`: the root or a sandbox. */
export function createApi(base: string, token: string | undefined, onUnauthorized: () => void): Api {
  async function sendAdmin(
    other: string,
    operation: AdminOperation,
    { body, ...given }: AdminArguments = {},
    { headers, ...init }: Init = { headers: PEEK },
  ): Promise<Response> {
    const authorization = token === undefined ? {} : { Authorization: `Bearer ${token}` }
    const { method, target } = toAdminRequest(operation, given)
    const response = await fetchJson(other + target, {
      ...init,
      method,
      body,
      headers: { ...headers, ...authorization },
    })
    if (response.status === 401) onUnauthorized()
    return response
  }

  const read = async (...sent: Parameters<typeof sendAdmin>) => parseResponse(await sendAdmin(...sent))
  const adminAt = (other: string) =>
    (async (operation, given) => (await read(other, operation, given)).body) as SendAdmin

  return {
    base,
    admin: adminAt(base),
    adminAt,
    readList: (collection: string, query: object): Promise<ApiResponse> =>
      read(base, 'listRecords', { path: { collection }, query }),
    async createSandbox(sandboxBase: string): Promise<void> {
      await read(sandboxBase, 'getHealth', {}, {})
    },
    async events(signal: AbortSignal): Promise<Response> {
      // Not text/event-stream: msw's worker script would send such a request to the network.
      const response = await sendAdmin(base, 'streamEvents', {}, { headers: { ...PEEK, Accept: '*/*' }, signal })
      // Throws an ApiFailure.
      if (!response.ok) await parseResponse(response)
      return response
    },
    async send(method: string, path: string, body?: unknown): Promise<ApiResponse> {
      return parseResponse(
        await fetchJson(base + path, { method, headers: instanceHeader(base), body, signal: timeLimit() }),
      )
    },
  }
}

interface Init {
  method?: string
  headers?: Record<string, string>
  body?: unknown
  signal?: AbortSignal
}

async function fetchJson(url: string, { headers, body, ...init }: Init): Promise<Response> {
  const contentType = body === undefined ? {} : { 'Content-Type': 'application/json' }
  return fetchOrFail(url, {
    ...init,
    headers: { Accept: 'application/json', ...contentType, ...headers },
    body: stringifyJson(body) ?? null,
  })
}

/** `fetch`, with an ApiFailure if there is no response. */
export async function fetchOrFail(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, { ...init, cache: 'no-store' })
  } catch (error) {
    const { name } = error as Error
    if (name === 'AbortError') throw error
    const isLate = name === 'TimeoutError'
    throw new ApiFailure('NO_RESPONSE', isLate ? NO_RESPONSE_IN_TIME : NO_RESPONSE)
  }
}

const NO_RESPONSE = 'No response. A fault rule prevented it, or the mock is not running.'

/** A fault may delay a response for ever, and a browser allows few connections to one server. */
const MAX_SECONDS = 10
const NO_RESPONSE_IN_TIME = `No response after ${MAX_SECONDS} seconds. A fault rule may delay or prevent it.`

/** The signal for a request to the service's API. */
export const timeLimit = () => AbortSignal.timeout(MAX_SECONDS * 1000)

async function parseResponse(response: Response): Promise<ApiResponse> {
  const { headers, status } = response
  let body: unknown
  try {
    const text = await response.text()
    body = text === '' ? undefined : parseJson(text)
  } catch {
    throw new ApiFailure('UNREADABLE', 'The response is incomplete or not JSON.', status)
  }
  if (response.ok) return { headers, body }
  const { code = 'UNKNOWN_ERROR' } = (body ?? {}) as { code?: unknown }
  throw new ApiFailure(String(code), findMessage(body) ?? 'The request failed.', status)
}

/** What an error says. Each service has a shape of its own, or problem details. */
export function findMessage(body: unknown): string | undefined {
  const { message, detail, error, title } = Object(body) as Readonly<Record<string, unknown>>
  const text = [message, detail, error, title].find((each) => typeof each === 'string' && each !== '')
  return text === undefined && error !== undefined ? findMessage(error) : (text as string | undefined)
}

/** Splits a base URL into the root's base URL and the name of the sandbox, if it has one. */
export function splitBase(base: string): { root: string; sandbox: string | undefined } {
  const [, root = base, sandbox] = /^(.*)\/sandbox\/([^/]+)$/.exec(base) ?? []
  return { root, sandbox }
}

/** The base URL of a sandbox, or of the root if the name is empty. */
export function toBase(root: string, sandbox: string): string {
  return sandbox === '' ? root : `${root}/sandbox/${sandbox}`
}

/** Names the instance at `base` in a request to the service's API, also the root: a cookie may name a sandbox. */
export function instanceHeader(base: string): Record<string, string> {
  return { [SANDBOX_HEADER]: splitBase(base).sandbox ?? ROOT }
}

export function toFailure(error: unknown): ApiFailure {
  return error instanceof ApiFailure ? error : new ApiFailure('UNEXPECTED', String(error))
}
