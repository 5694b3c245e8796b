import { type AdminArguments, type AdminOperation, type SendAdmin, toAdminRequest } from '../../engine/admin/request.js'
import { findNameProblem } from '../../http/address.js'
import { describeUnknown, type ErrorCode, MockError, type MockErrorCode } from '../../http/errors.js'
import { SANDBOX_HEADER } from '../../http/sandbox-headers.js'
import { parseJson, stringifyJson } from '../../lib/json.js'
import { isBytes, isKind } from '../../lib/values.js'
import type { ConnectOptions } from './types.js'

export interface AdminSender {
  readonly baseUrl: string
  fetchApi(path: string, init?: RequestInit): Promise<Response>
  /** The body of the response. Throws a MockError for an error response. */
  readonly send: SendAdmin
  /** A page of a list, and the number of all its items. */
  sendForPage(given: AdminArguments): Promise<{ items: object[]; total: number }>
}

interface AdminResponse {
  readonly status: number
  readonly headers: Headers
  readonly body: unknown
}

/** Sends requests to the admin API of the mock at an address, and to the API itself. */
export function createAdminSender(url: string | URL, options: ConnectOptions): AdminSender {
  const unknown = Object.keys(options).find((name) => !OPTIONS.includes(name))
  if (unknown !== undefined) throw new MockError('INVALID_OPTION', describeUnknown('option', unknown, OPTIONS))
  const { sandbox, token, fetch = globalThis.fetch } = options
  const base = readBase(String(url))
  const problem = sandbox === undefined ? undefined : findNameProblem(sandbox, 'the name of a sandbox')
  if (problem !== undefined) throw new MockError('INVALID_OPTION', problem)
  const address = sandbox === undefined ? {} : { [SANDBOX_HEADER]: sandbox }
  const access = token === undefined ? {} : { Authorization: `Bearer ${token}` }

  async function request(operation: AdminOperation, given: AdminArguments = {}): Promise<AdminResponse> {
    const { method, target } = toAdminRequest(operation, given)
    const { body } = given
    const problem = findUnsendable(body)
    if (problem !== undefined) throw new MockError('INVALID_REQUEST', problem)
    const sent = body === undefined ? {} : { body: stringifyJson(body) as string }
    const type = body === undefined ? {} : { 'Content-Type': 'application/json' }
    const init = { method, ...sent, headers: { ...address, ...access, ...type } }
    const response = await fetch(base + target, init).catch((error: unknown) => {
      throw cannotConnect(base, 'could not be reached', error)
    })
    if (!response.headers.has('X-Petstore-Mock')) {
      throw cannotConnect(base, `is not a mock: it responded with status ${response.status}`)
    }
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: text === '' ? undefined : parseJson(text) }
  }

  function read({ status, body }: AdminResponse): unknown {
    if (status < 400) return body
    const { code, message } = body as { code: MockErrorCode; message: string }
    throw new MockError(code, message)
  }

  return {
    baseUrl: sandbox === undefined ? base : `${base}/sandbox/${sandbox}`,
    fetchApi: (path: string, init: RequestInit = {}): Promise<Response> => {
      const headers = new Headers(init.headers)
      for (const [name, value] of Object.entries(address)) headers.set(name, value)
      return fetch(base + path, { ...init, headers })
    },
    send: (async (operation, given) => read(await request(operation, given))) as SendAdmin,
    async sendForPage(given: AdminArguments): Promise<{ items: object[]; total: number }> {
      const response = await request('listRecords', given)
      return { items: read(response) as object[], total: Number(response.headers.get('X-Total-Count')) }
    },
  }
}

const OPTIONS = ['sandbox', 'token', 'fetch']

/** Undefined when the mock has no such thing. */
export async function unlessMissing<Result>(code: ErrorCode, sent: Promise<Result>): Promise<Result | undefined> {
  try {
    return await sent
  } catch (error) {
    if (error instanceof MockError && error.code === code) return undefined
    throw error
  }
}

/** Says what JSON would drop or change, so that a rule with it would match or do something else. */
function findUnsendable(value: unknown, pointer = ''): string | undefined {
  // A Buffer would become an object with a list of numbers. In Bun, a Headers object could be sent; no other runtime can.
  if (hasToJson(value) && !isBytes(value) && !isKind(value, 'Headers')) return undefined
  const kind = Object.prototype.toString.call(value).slice('[object '.length, -1)
  if (!SENDABLE.includes(kind)) return `${pointer || 'the body'} must be JSON, but is of the type ${kind}`
  if (typeof value !== 'object' || value === null) return undefined
  for (const [name, member] of Object.entries(value)) {
    const problem = findUnsendable(member, `${pointer}/${name}`)
    if (problem !== undefined) return problem
  }
  return undefined
}

const SENDABLE = ['Undefined', 'Null', 'Boolean', 'Number', 'BigInt', 'String', 'Object', 'Array']

/** Such as a Date. */
function hasToJson(value: unknown): boolean {
  return typeof (value as { toJSON?: unknown } | null | undefined)?.toJSON === 'function'
}

function readBase(url: string): string {
  if (URL.canParse(url) && /^https?:[^?#]*$/.test(url)) return url.replace(/\/+$/, '')
  throw new MockError(
    'INVALID_OPTION',
    `The address of a mock must be a URL such as http://127.0.0.1:4010, but is ${url}`,
  )
}

function cannotConnect(base: string, problem: string, cause?: unknown): MockError {
  const message = `${base} ${problem}. Start a mock with petstore-mock, or correct the address.`
  return Object.assign(new MockError('CANNOT_CONNECT', message), { cause })
}
