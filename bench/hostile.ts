/**
 * How slow connections affect a well-behaved client of the built server: its response times alone, and beside 1,000
 * connections that send headers and 1,000 that send a body byte by byte, all of which must be closed in time. And how the
 * server stops on SIGTERM with a pending response and 1,000 idle connections. Server, connections and client are three
 * processes, so that they do not affect each other's measurements.
 */
import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent, get, type IncomingMessage, request } from 'node:http'
import { createInterface } from 'node:readline'
import type { Outcome } from './outcome.js'
import { builtCommand, here, pause } from './processes.js'
import { percentile } from './statistics.js'
import { printTable, printTitle, ratio } from './table.js'

export const CONNECTIONS = 1000
const QUIET_MS = 5000
const BUSY_MS = 15_000
const PACE_MS = 2
const DELAY_MS = 2000
/** The default timeouts of the server. */
const TIMEOUTS = { headers: 10_000, bodies: 15_000 }

export type Kind = 'headers' | 'bodies' | 'idle'

/** The outcome for one kind of connection. */
export interface Report {
  readonly kind: Kind
  readonly cut: number
  readonly notified: number
  readonly slowestMs: number
}

export async function measureHostile(): Promise<Outcome> {
  const server = await startBuilt()
  const connections = fork(here('hostile-connections.ts'), [String(server.port)])
  const client = createClient(server.port)
  // Warm up until the code is compiled.
  await client.sendFor(2000)
  const quiet = await client.sendFor(QUIET_MS)
  const reports = Promise.all([openAll(connections, 'headers'), openAll(connections, 'bodies')])
  const busy = await client.sendFor(BUSY_MS)
  printTitle('Hostile connections', `About one request every ${PACE_MS} ms; response times in milliseconds.`)
  printTable(
    ['', 'requests', 'errors', 'median', 'p99'],
    [toCells('alone', quiet), toCells(`beside ${2 * CONNECTIONS} slow connections`, busy)],
  )
  const growth = percentile(busy.times, 0.99) / percentile(quiet.times, 0.99)
  console.log(`p99, ratio of beside them to alone: ${ratio(growth)}`)
  for (const { kind, cut, notified, slowestMs } of await reports) {
    const limit = TIMEOUTS[kind as keyof typeof TIMEOUTS]
    const what = `slow ${kind}: ${cut} of ${CONNECTIONS} closed, ${notified} with a 408`
    console.log(`${what.padEnd(44)} the last one after ${(slowestMs / 1000).toFixed(1)} s of ${limit / 1000} s`)
  }
  await measureEnd(server, connections, client)
  connections.kill()
  return { figures: { p99Growth: growth }, targets: [] }
}

async function measureEnd(server: Built, connections: ChildProcess, client: Client): Promise<void> {
  await client.post('/__admin/faults', { operation: 'getPet', delayMs: DELAY_MS, times: 1 })
  const report = openAll(connections, 'idle')
  await once(connections, 'message')
  const pending = client.get('/pets/1')
  while (!(await client.text('/__admin/faults')).includes('"matched":1')) await pause(10)
  server.process.kill('SIGTERM')
  const ended = once(server.process, 'close')
  const status = (await pending).statusCode
  const respondedAt = performance.now()
  const [code] = await ended
  const took = performance.now() - respondedAt
  const { cut } = await report
  console.log(`\nSIGTERM with a pending response and ${CONNECTIONS} idle connections`)
  console.log(`  response ${status}, idle connections closed: ${cut}, exit code ${code} ${took.toFixed(0)} ms after it`)
}

interface Built {
  readonly process: ChildProcess
  readonly port: number
}

async function startBuilt(): Promise<Built> {
  const child = spawn(process.execPath, [builtCommand, '--port', '0', '--log-format', 'json', '--quiet'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  return { process: child, port: (JSON.parse(line) as { port: number }).port }
}

type Client = ReturnType<typeof createClient>

interface Timings {
  readonly times: readonly number[]
  readonly errors: number
}

function createClient(port: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const where = { port, host: '127.0.0.1' }
  const find = (path: string, own?: Agent): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      get({ ...where, path, agent: own ?? false }, (response) => {
        response.resume()
        response.once('end', () => resolve(response)).once('error', reject)
      }).once('error', reject)
    })
  return {
    get: (path: string) => find(path),
    async text(path: string): Promise<string> {
      return (await fetch(`http://127.0.0.1:${port}${path}`)).text()
    },
    post(path: string, body: object): Promise<unknown> {
      const headers = { 'content-type': 'application/json' }
      const sent = request({ ...where, path, method: 'POST', headers, agent: false })
      sent.end(JSON.stringify(body))
      return once(sent, 'response')
    },
    /** Sends requests one after the other for this time. */
    async sendFor(forMs: number): Promise<Timings> {
      const times: number[] = []
      let errors = 0
      for (const end = performance.now() + forMs; performance.now() < end; await pause(PACE_MS)) {
        const startedAt = performance.now()
        const ok = await find('/pets/1', agent).then(
          ({ statusCode }) => statusCode === 200,
          () => false,
        )
        if (!ok) errors += 1
        times.push(performance.now() - startedAt)
      }
      return { times, errors }
    },
  }
}

function toCells(name: string, { times, errors }: Timings): string[] {
  return [
    name,
    String(times.length),
    String(errors),
    percentile(times, 0.5).toFixed(2),
    percentile(times, 0.99).toFixed(2),
  ]
}

/** Opens connections of one kind; resolves when the last one is closed. */
function openAll(connections: ChildProcess, kind: Kind): Promise<Report> {
  return new Promise((resolve) => {
    const listener = (report: Report): void => {
      if (report.kind !== kind || report.cut === undefined) return
      connections.off('message', listener)
      resolve(report)
    }
    connections.on('message', listener)
    connections.send(kind)
  })
}
