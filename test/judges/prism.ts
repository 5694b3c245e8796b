import { readOperations, SPEC } from './document.js'
import { count, expectFound, type Judge, type Verdict } from './judge.js'
import { createDrafts, type Draft, type Ids } from './prism-requests.js'
import { type Running, startListeningTool, startServer } from './tools.js'
import { startWrongServer } from './wrong-server.js'

const SEED = 20261115
const REQUESTS_PER_SCENARIO = 250
const AT_ONCE = 8
/**
 * Each round starts with the next of these scenarios, so that there is always something to find and to reject. `big-ids`
 * is not included: Prism reads ids as floating-point numbers and rejects those above 2^53.
 */
const SCENARIOS = ['default', 'busy', 'edge-cases', 'sold-out', 'single', 'empty']
/** An enforced sunset, a foreign Host (Prism sends its own), a bug of the mock. */
const OUT_OF_REACH = [410, 421, 500]
const REPORTED_FAULTS = 10

interface Answer {
  readonly status: number
  readonly violations: string | null
  /** Whether the response is from the server, not from the proxy. */
  readonly isOurs: boolean
}

/**
 * Prism is a proxy in front of the server, and validates every response against the document. Paths and methods that the
 * document does not have (404 `ROUTE_NOT_FOUND`, 405, HEAD, OPTIONS) are not sent: Prism responds to them itself.
 */
export const prism: Judge = {
  name: 'prism',
  async judge() {
    const running: Running[] = []
    const keep = async (starting: Promise<Running>): Promise<Running> => {
      const started = await starting
      running.push(started)
      return started
    }
    try {
      const server = await keep(startServer())
      const wrongServer = await keep(startWrongServer())
      const [proxy, wrongProxy] = await Promise.all([keep(startProxy(server)), keep(startProxy(wrongServer))])
      const { figures, faults } = await judgeServer(server.url, proxy.url)
      return { figures, faults: [...faults, ...(await judgeJudge(wrongProxy.url))] }
    } finally {
      await Promise.all(running.map((each) => each.stop()))
    }
  },
}

function startProxy(upstream: Running): Promise<Running> {
  return startListeningTool('prism', (port) => [
    ...['proxy', SPEC, upstream.url, '--port', String(port), '--verboseLevel', 'fatal'],
    ...['--errors', '--validate-request=false'],
  ])
}

async function judgeServer(server: string, proxy: string): Promise<Verdict> {
  const operations = readOperations()
  const faults: string[] = []
  const seen = new Set<string>()
  for (const [round, scenario] of SCENARIOS.entries()) {
    await fetch(`${server}/__admin/reset`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ scenario }),
    })
    const draw = createDrafts(operations, SEED + round, await readIds(server))
    const drafts = Array.from({ length: REQUESTS_PER_SCENARIO }, draw)
    await inTurns(drafts, async (draft) => {
      const response = await send(proxy, draft)
      seen.add(`${draft.operation.id} ${response.status}`)
      const fault = findFault(draft, response)
      if (fault) faults.push(`${draft.operation.method} ${draft.target.slice(0, 100)}: ${fault}`)
    })
  }
  const declared = operations.flatMap(({ id, statuses }) =>
    statuses.filter((status) => !OUT_OF_REACH.includes(status)).map((status) => `${id} ${status}`),
  )
  const met = declared.filter((pair) => seen.has(pair))
  const unmet = operations.filter(({ id }) => !/2\d\d,.*4\d\d/.test(statusesOf(id, met)))
  return {
    figures: `${count(SCENARIOS.length * REQUESTS_PER_SCENARIO, 'response')} of ${count(operations.length, 'operation')}, ${count(faults.length, 'violation')}, ${met.length} of ${declared.length} declared statuses met`,
    faults: [...faults.slice(0, REPORTED_FAULTS), ...unmet.map(({ id }) => `${id} returned no success or no error`)],
  }
}

function statusesOf(id: string, pairs: readonly string[]): string {
  return pairs.flatMap((pair) => (pair.startsWith(`${id} `) ? [pair.slice(id.length + 1)] : [])).join()
}

/** An undeclared status is a fault too. Prism only warns about it, and not if there is a `default`. */
function findFault({ operation, asked }: Draft, { status, violations, isOurs }: Answer): string | undefined {
  if (violations !== null) return `status ${status}, ${violations.slice(0, 500)}`
  if (!isOurs) return `Prism answered ${status} itself`
  if (operation.statuses.includes(status) || status === asked) return undefined
  return `status ${status} is not declared for ${operation.id}`
}

async function send(proxy: string, { operation, target, headers, body }: Draft): Promise<Answer> {
  // Prism parses and rewrites JSON, but passes strings on unchanged: that way invalid bodies and large ids arrive as they
  // were sent.
  const isRead = /json/i.test(headers['content-type'] ?? '')
  const text = body !== undefined && isRead ? JSON.stringify(body) : body
  const response = await fetch(proxy + target, {
    method: operation.method,
    headers,
    // Bytes, because fetch adds a content type to a string.
    ...(text === undefined ? {} : { body: new TextEncoder().encode(text) }),
  })
  await response.arrayBuffer()
  return {
    status: response.status,
    violations: response.headers.get('sl-violations'),
    isOurs: response.headers.has('x-petstore-mock'),
  }
}

async function readIds(server: string): Promise<Ids> {
  const read = async (path: string) => {
    const text = await (await fetch(`${server}${path}?limit=100`)).text()
    return [...text.matchAll(/"id":(-?\d+)/g)].map(([, id]) => id as string)
  }
  return { petId: await read('/pets'), categoryId: await read('/categories'), orderId: await read('/store/orders') }
}

/** Several at the same time, as clients do. */
async function inTurns<T>(list: readonly T[], use: (item: T) => Promise<void>): Promise<void> {
  const items = list.values()
  const worker = async (): Promise<void> => {
    for (const item of items) await use(item)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}

/** Deliberate mistakes: a pet without a name, a response without a header, an error without a message, an undeclared status. */
async function judgeJudge(proxy: string): Promise<readonly string[]> {
  const operation = readOperations().find(({ id }) => id === 'getPet')
  if (!operation) return ['The document has no getPet.']
  const isReported = async (id: number): Promise<boolean> => {
    const draft = { operation, target: `/pets/${id}`, headers: {}, body: undefined, asked: undefined }
    return findFault(draft, await send(proxy, draft)) !== undefined
  }
  return [
    ...expectFound('a pet without a name', await isReported(1)),
    ...expectFound('a response without its Sunset header', await isReported(2)),
    ...expectFound('an error without a message', await isReported(3)),
    ...expectFound('an undeclared status', await isReported(418)),
  ]
}
