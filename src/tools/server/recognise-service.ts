import type { ServiceDefinition, ServiceTypes } from '../../engine/service.js'
import { quote } from '../../lib/text.js'
import { NoResponse } from './cannot-check.js'
import type { Connection } from './connection.js'
import { shorten } from './differences.js'
import { createRequests } from './document-requests.js'
import { type ServiceOptions, toGet } from './send-request.js'
import {
  describeStatus,
  isObject,
  isRedirect,
  isSuccess,
  redirectTarget,
  type ServiceResponse,
} from './service-response.js'

/**
 * Nothing responds, or something other than the expected service, of which hundreds of differences would say no more. The
 * message is a sentence without a full stop.
 */
export class NotRecognised extends Error {}

/** Once may be chance: a connection that was reset, or a simulated fault. */
const MAX_SILENT = 2

export interface RecognisedService extends Pick<ServiceDefinition<ServiceTypes>, 'contract' | 'resources'> {
  /** As it reads after "does not look like": `a Lending Library API`. */
  readonly description: string
}

/** A service as other servers are compared with it. */
export function toRecognised({ contract, resources, title }: ServiceDefinition<ServiceTypes>): RecognisedService {
  return { contract, resources, description: `the service of ${quote(title)}` }
}

/**
 * Requests the lists of a service, or whatever it can read if it has none, until a response looks like one of its. Returns that
 * response. A service that has nothing to read is not recognised, and gets the benefit of the doubt.
 */
export async function recogniseService(
  { contract, resources, description }: RecognisedService,
  { send }: Connection,
  { baseUrl, headers }: Pick<ServiceOptions, 'baseUrl' | 'headers'>,
): Promise<ServiceResponse> {
  const seen: [path: string, response: ServiceResponse][] = []
  let silent = 0
  const readable = contract.operations().filter(({ method, path }) => method === 'GET' && !path.includes('{'))
  const { toRequest } = createRequests(contract, headers, baseUrl)
  const listOf = (id: string) => resources.find(({ operations }) => operations.list?.operationId === id)?.list
  const lists = readable.filter(({ operation }) => listOf(operation) !== undefined)
  for (const { operation: id, method, path } of lists.length > 0 ? lists : readable) {
    const size = listOf(id)?.paging?.size
    try {
      const response = await send(id, toRequest({ id, method, path }, { query: size === undefined ? '' : `${size}=1` }))
      if (looksLikeList(response) || (lists.length === 0 && isSuccess(response))) return response
      seen.push([path, response])
    } catch (error) {
      if (!(error instanceof NoResponse)) throw error
      silent += 1
      if (silent >= MAX_SILENT) throw new NotRecognised(`${baseUrl} does not respond: ${error.message}`)
    }
  }
  if (readable.length === 0) return send(undefined, toGet('/'))
  const hint = hintFor(seen.map(([, response]) => response))
  throw new NotRecognised(`${baseUrl} does not look like ${description}: ${summarise(seen)}${hint}`)
}

function summarise(seen: readonly (readonly [path: string, response: ServiceResponse])[]): string {
  const responses = new Set(seen.map(([, response]) => describe(response)))
  if (responses.size === 1) return `GET ${seen.map(([path]) => path).join(', ')} returned ${[...responses][0]}`
  return seen.map(([path, response]) => `GET ${path} returned ${describe(response)}`).join(', ')
}

/** Any server may return these. */
const INCONCLUSIVE_STATUSES = [401, 403, 404, 421]

/** A list returns JSON, whatever its shape or content type, or an error of the contract's shape. */
function looksLikeList(response: ServiceResponse): boolean {
  const { value, status } = response
  if (!isObject(value)) return false
  if (isSuccess(response)) return true
  const { code, message } = value
  return !INCONCLUSIVE_STATUSES.includes(status) && typeof code === 'string' && typeof message === 'string'
}

function describe(response: ServiceResponse): string {
  if (isRedirect(response)) return `${response.status}, a redirect`
  const type = shorten((response.headers.get('content-type') ?? '').split(';', 1)[0] ?? '')
  return type === '' ? describeStatus(response) : `${describeStatus(response)} with ${type}`
}

export const REDIRECT_HINT = '; redirects are not followed'

const CREDENTIALS_HINT = "; if it needs credentials, send them with --header 'Authorization: …'"

/** What may help, by status. */
export const HINTS: Readonly<Record<number, string>> = {
  401: CREDENTIALS_HINT,
  403: CREDENTIALS_HINT,
  421: '; it does not accept this host name; a petstore-mock does with --allow-host',
}

/** The hint that fits all responses. */
function hintFor(responses: readonly ServiceResponse[]): string {
  const [first] = responses
  if (first && responses.every(isRedirect)) return `${redirectTarget(first, '; the first leads to ')}${REDIRECT_HINT}`
  if (responses.every(({ status }) => status === 404)) return '; is the base address right, including its path?'
  const hints = new Set(responses.map(({ status }) => HINTS[status] ?? ''))
  return hints.size === 1 ? ([...hints][0] as string) : ''
}

/** A mock of ours on this machine, where no data of others can be lost. */
export function isLocalMock(baseUrl: string, { headers }: Pick<ServiceResponse, 'headers'>): boolean {
  const { hostname } = new URL(baseUrl)
  const isLoopback = /^(?:(?:.+\.)?localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname)
  return isLoopback && headers.has('X-Petstore-Mock')
}
