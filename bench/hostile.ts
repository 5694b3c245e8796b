/**
 * What bad company costs a well-behaved client of the built server: its answers when it is alone, and beside 1,000
 * connections that send a header and 1,000 that send a body byte by byte, which all must be cut in time. And how the
 * server ends on SIGTERM while an answer is pending and 1,000 connections are idle. Server, crowd and client are three
 * processes, so that none is measured with another.
 */
import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent, get, type IncomingMessage, request } from 'node:http'
import { createInterface } from 'node:readline'
import type { Outcome } from './outcome.js'
import { builtCommand, here, pause } from './processes.js'
import { at } from './statistics.js'
import { printTable, printTitle, ratio } from './table.js'

export const MANY = 1000
const QUIET_MS = 5000
const CROWDED_MS = 15_000
const PACE_MS = 2
const DELAY_MS = 2000
/** The defaults of the server, and how much later than that a connection may be gone. */
const TIMEOUTS = { headers: 10_000, bodies: 15_000 }

export type Kind = 'headers' | 'bodies' | 'idle'

/** What became of one kind of connection. */
export interface Fate {
  readonly kind: Kind
  readonly cut: number
  readonly told: number
  readonly slowestMs: number
}

export async function measureHostile(): Promise<Outcome> {
  const server = await startBuilt()
  const crowd = fork(here('hostile-crowd.ts'), [String(server.port)])
  const client = createClient(server.port)
  // Until everything is compiled that is going to be.
  await client.ask(2000)
  const quiet = await client.ask(QUIET_MS)
  const fates = Promise.all([join(crowd, 'headers'), join(crowd, 'bodies')])
  const crowded = await client.ask(CROWDED_MS)
  printTitle('Bad company', `A request every ${PACE_MS} ms or so, milliseconds until its answer.`)
  printTable(
    ['', 'requests', 'errors', 'median', 'p99'],
    [toCells('alone', quiet), toCells(`beside ${2 * MANY} slow connections`, crowded)],
  )
  const growth = at(crowded.times, 0.99) / at(quiet.times, 0.99)
  console.log(`p99, beside them to alone: ${ratio(growth)}`)
  for (const { kind, cut, told, slowestMs } of await fates) {
    const limit = TIMEOUTS[kind as keyof typeof TIMEOUTS]
    const what = `slow ${kind}: cut ${cut} of ${MANY}, ${told} told why`
    console.log(`${what.padEnd(44)} the last after ${(slowestMs / 1000).toFixed(1)} s of ${limit / 1000} s`)
  }
  await measureEnd(server, crowd, client)
  crowd.kill()
  return { figures: { p99Growth: growth }, targets: [] }
}

async function measureEnd(server: Built, crowd: ChildProcess, client: Client): Promise<void> {
  await client.post('/__admin/faults', { operation: 'getPet', delayMs: DELAY_MS, times: 1 })
  const fate = join(crowd, 'idle')
  await once(crowd, 'message')
  const pending = client.get('/pets/1')
  while (!(await client.text('/__admin/faults')).includes('"matched":1')) await pause(10)
  server.process.kill('SIGTERM')
  const ended = once(server.process, 'close')
  const status = (await pending).statusCode
  const answeredAt = performance.now()
  const [code] = await ended
  const took = performance.now() - answeredAt
  const { cut } = await fate
  console.log(`\nSIGTERM while an answer is pending and ${MANY} connections are idle`)
  console.log(
    `  the answer is ${status}, idle connections gone: ${cut}, exit code ${code} ${took.toFixed(0)} ms after it`,
  )
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

interface Answers {
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
    /** Asks one after the other for so long. */
    async ask(forMs: number): Promise<Answers> {
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

function toCells(name: string, { times, errors }: Answers): string[] {
  return [name, String(times.length), String(errors), at(times, 0.5).toFixed(2), at(times, 0.99).toFixed(2)]
}

/** Sends the crowd, and hears from it when its last connection is gone. */
function join(crowd: ChildProcess, kind: Kind): Promise<Fate> {
  return new Promise((resolve) => {
    const hear = (fate: Fate): void => {
      if (fate.kind !== kind || fate.cut === undefined) return
      crowd.off('message', hear)
      resolve(fate)
    }
    crowd.on('message', hear)
    crowd.send(kind)
  })
}
