import { parseJson, stringifyJson } from '../lib/json.js'
import { splitBase } from './sandbox-address.js'
import type { Session } from './session.js'

/** An answer of the store that says yes. */
export interface Answer {
  readonly headers: Headers
  readonly body: unknown
}

/** An answer that says no, or none at all. The message is for people. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly code: string
  /** 0 where there was no answer. */
  readonly status: number

  constructor(code: string, message: string, status: number) {
    super(message)
    this.code = code
    this.status = status
  }

  /** Which field or parameter the message is about, where it names one. */
  get field(): string | undefined {
    const [, pointer, parameter] = /(?:^|: )\/(\w+)|query parameter (\w+)/.exec(this.message) ?? []
    return pointer ?? parameter ?? FIELD_BY_CODE[this.code]
  }
}

/** What is wrong is said without a pointer where the store's rules say no. */
const FIELD_BY_CODE: Readonly<Record<string, string>> = {
  INSUFFICIENT_STOCK: 'quantity',
  INVALID_TRANSITION: 'status',
  PET_NOT_AVAILABLE: 'petId',
  UNKNOWN_OPERATION: 'operation',
}

/** The public API and the control plane of one mock or sandbox. */
export interface Api {
  /** The base address, without a slash at its end. */
  readonly base: string
  /** Asks the control plane; the path is what follows `/__admin`. */
  control<T = undefined>(method: string, path: string, body?: unknown): Promise<T>
  /** Asks the control plane of the mock itself, also from inside a sandbox, which that does not count as used. */
  main<T = undefined>(method: string, path: string): Promise<T>
  /** The stream of events, as soon as it is open. */
  events(signal: AbortSignal): Promise<Response>
  /** Asks the store, as any client would. */
  store(method: string, path: string, body?: unknown): Promise<Answer>
  /** Reads from the store for a table of this page; the mark lets the list of requests leave it out. */
  read(path: string): Promise<Answer>
}

/** What this page's own reading is marked with. */
export const OWN_READING = ['x-petstore-client', 'dashboard'] as const

export function createApi(base: string, session: Session): Api {
  const authorization = (): Record<string, string> => {
    const token = session.token()
    return token === undefined ? {} : { Authorization: `Bearer ${token}` }
  }

  async function askControl(path: string, init: RequestInit, of = base): Promise<Response> {
    const headers = { ...(init.headers as Record<string, string>), ...authorization() }
    const response = await send(`${of}/__admin${path}`, { ...init, headers })
    if (response.status === 401) session.refuse()
    return response
  }

  return {
    base,
    async control<T>(method: string, path: string, body?: unknown) {
      return (await settle(await askControl(path, toInit(method, body)))).body as T
    },
    async main<T>(method: string, path: string) {
      return (await settle(await askControl(path, toInit(method, undefined), splitBase(base).root))).body as T
    },
    async events(signal) {
      // Not text/event-stream: the worker script of msw lets such requests through to the network.
      const response = await askControl('/events', { headers: { Accept: '*/*' }, signal })
      if (!response.ok) await settle(response)
      return response
    },
    async store(method, path, body) {
      return settle(await send(base + path, toInit(method, body)))
    },
    async read(path) {
      const { headers } = toInit('GET', undefined)
      return settle(await send(base + path, { headers: { ...headers, [OWN_READING[0]]: OWN_READING[1] } }))
    },
  }
}

interface Init {
  method: string
  headers: Record<string, string>
  body?: string
}

function toInit(method: string, body: unknown): Init {
  const text = stringifyJson(body)
  const headers = { Accept: 'application/json' }
  if (text === undefined) return { method, headers }
  return { method, headers: { ...headers, 'Content-Type': 'application/json' }, body: text }
}

async function send(address: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(address, { ...init, cache: 'no-store' })
  } catch (error) {
    if ((error as Error).name === 'AbortError') throw error
    throw new Refusal('NO_ANSWER', 'There was no answer. Either a fault was asked for, or the mock is not running.', 0)
  }
}

async function settle(response: Response): Promise<Answer> {
  const { headers, status } = response
  let body: unknown
  try {
    const text = await response.text()
    body = text === '' ? undefined : parseJson(text)
  } catch {
    throw new Refusal('UNREADABLE', `The answer (${status}) is broken: it was cut off, or it is not JSON.`, status)
  }
  if (response.ok) return { headers, body }
  const { code, message } = (body ?? {}) as { code?: unknown; message?: unknown }
  throw new Refusal(String(code ?? `HTTP_${status}`), String(message ?? `The mock answered ${status}.`), status)
}

/** What went wrong, in a sentence. */
export function explain(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
