import type { RecordedExchange, Reproduction } from '../../engine/log/reproduction.js'
import { findObstacle, hiddenInQuery, splitHeaders, targetOf, toBytes } from '../../tools/snippets/exchange.js'
import { type SnippetKind, toSnippet } from '../../tools/snippets/index.js'
import { type Admin, type Api, ApiFailure, fetchOrFail, instanceHeader, timeLimit } from '../api.js'
import { download } from '../components/display.js'
import { prettyJson } from '../format.js'

/** Ids restart when the journal is cleared, so that only the time tells whether it is the same request. */
export type RequestIdentity = Pick<Admin['JournalEntry'], 'id' | 'at'>

/** A request, and those after it up to the id `last`. */
interface RequestRange {
  readonly first: RequestIdentity
  readonly last: number
}

/** Downloads the reproduction of the chosen instance. */
export async function saveReproduction(api: Api): Promise<void> {
  const reproduction = await load(api, api.base)
  download(fileNameOf(reproduction), prettyJson(reproduction))
}

/** Writes requests as code. `base` is that of the instance that received them. */
export async function copyRequests(api: Api, base: string, kind: SnippetKind, range: RequestRange): Promise<string> {
  const { reproduction, found } = await findRequests(api, base, range)
  return toSnippet(kind, reproduction, found, { base })
}

/** A request as it was sent, and its response. The journal has both parsed. */
export async function findExchange(api: Api, base: string, request: RequestIdentity): Promise<RecordedExchange> {
  const { found } = await findRequests(api, base, { first: request, last: request.id })
  return found[0] as RecordedExchange
}

/** At least one request, or an ApiFailure. */
async function findRequests(api: Api, base: string, { first: { id, at }, last }: RequestRange) {
  const current = await api.adminAt(base)('getJournalEntry', { path: { id } })
  const reproduction = await load(api, base)
  const exchanges = reproduction.steps.filter((step) => 'request' in step)
  // Of several with the same id, only the last one is in the journal.
  const recorded = new Map(exchanges.map((exchange) => [exchange.id, exchange]))
  const found = exchanges.filter(
    (each) => each.id !== undefined && each.id >= id && each.id <= last && recorded.get(each.id) === each,
  )
  if (current.at !== at || found.length === 0) throw notRecorded()
  return { reproduction, found }
}

export function notRecorded(): ApiFailure {
  return new ApiFailure('NOT_RECORDED', 'The mock no longer has this request.')
}

const load = (api: Api, base: string): Promise<Reproduction> => api.adminAt(base)('getReproduction')

function fileNameOf({ sandbox = 'petstore', createdAt }: Reproduction): string {
  return `${sandbox}-${createdAt.slice(0, 19).replaceAll(':', '-')}.petstore.json`
}

/** Sends a recorded request once more, and resolves with a sentence about the response. */
export async function resend(base: string, exchange: RecordedExchange): Promise<string> {
  const obstacle = findObstacle(exchange, 'fetch')
  if (obstacle !== undefined) throw new ApiFailure('NOT_SENT', `Not sent, because ${obstacle}.`)
  const { request } = exchange
  const { known: headers, hidden } = splitHeaders(request.headers)
  // As bytes, because with a string `fetch` adds a content type.
  const body = toBytes(request)
  const { status } = await fetchOrFail(base + targetOf(request), {
    method: request.method,
    headers: [...headers, ...Object.entries(instanceHeader(base))],
    ...(body && { body }),
    signal: timeLimit(),
  })
  return `Sent it again${describeHidden([...hidden, ...hiddenInQuery(request)])}. Status: ${status}.`
}

/** The end of a sentence about headers that are left out. */
export function describeHidden(names: readonly string[]): string {
  return names.length === 0 ? '' : `, without the secret ${names.join(' and ')}`
}
