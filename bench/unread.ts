/**
 * Clients that send many requests and do not read the responses: how much memory the built server takes for them at most,
 * and how long another client waits meanwhile.
 */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { connect as connectPlain, type Socket } from 'node:net'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { createStartingData } from './candidates.js'
import { END_HEADERS, END_STREAM, frame, HEADERS, openStreams, SETTINGS, toHeaderBlock } from './load-streams.js'
import type { Mode, Outcome, Target } from './outcome.js'
import {
  builtCommand,
  forgetMostResident,
  mostResidentBytesOf,
  pause,
  type Running,
  residentBytesOf,
  start,
} from './processes.js'
import { count, megabytes, printTable, printTitle } from './table.js'

const CONNECTIONS = [1, 10, 60]
/** As many as the server accepts at a time on an HTTP/2 connection. */
const REQUESTS = 100
const PETS = 100_000
const OBSERVED_MS = 4000
const TICK_MS = 5

/** A path with a large response, and how the server is started and prepared for it. */
interface Resource {
  readonly name: string
  readonly path: string
  readonly flags?: readonly string[]
  prepare?(port: number): Promise<void>
}

const PAGE: Resource = { name: 'a file of the reference', path: '/docs/assets/swagger-ui.js' }
const HAR: Resource = {
  name: 'a full journal as HAR',
  path: '/__admin/journal.har',
  async prepare(port) {
    const agent = new Agent({ keepAlive: true })
    for (let sent = 0; sent < 1000; sent++) await get(port, '/pets?limit=50', agent)
    agent.destroy()
  },
}
const STATE: Resource = {
  name: `a state of ${count(PETS)} pets`,
  path: '/__admin/state',
  flags: ['--pets', String(PETS)],
}

/** Opens a connection that does not read. Returns a function that sends the requests. */
type Attack = (port: number, ca: string, path: string) => Promise<{ socket: Socket; send: () => void }>

const overPlainHttp: Attack = async (port, _ca, path) => {
  const socket = connectPlain({ port, host: '127.0.0.1' })
  await once(socket, 'connect')
  return { socket, send: () => void socket.write(pipelined(path)) }
}

const overHttps: Attack = async (port, ca, path) => {
  const socket = connect({ port, host: 'localhost', ca, ALPNProtocols: ['http/1.1'] })
  await once(socket, 'secureConnect')
  return { socket, send: () => void socket.write(pipelined(path)) }
}

const onStreams =
  (initialWindow: number): Attack =>
  async (port, ca, path) => {
    const socket = await openStreams(port, ca)
    const settings = Buffer.alloc(6)
    settings.writeUInt16BE(4, 0)
    settings.writeUInt32BE(initialWindow, 2)
    socket.write(frame(SETTINGS, 0, 0, settings))
    const block = toHeaderBlock({ target: path })
    const frames = Array.from({ length: REQUESTS }, (_, index) =>
      frame(HEADERS, END_HEADERS | END_STREAM, 2 * index + 1, block),
    )
    return { socket, send: () => void socket.write(Buffer.concat(frames)) }
  }

const ATTACKS: readonly (readonly [protocol: string, attack: Attack, resource: Resource])[] = [
  ['HTTP/1.1', overPlainHttp, PAGE],
  ['HTTPS/1.1', overHttps, PAGE],
  ['HTTP/2, windows of 0', onStreams(0), PAGE],
  ['HTTP/2, large windows', onStreams(2 ** 31 - 1), PAGE],
  ['HTTPS/1.1', overHttps, HAR],
  ['HTTP/2, windows of 0', onStreams(0), HAR],
  ['HTTPS/1.1', overHttps, STATE],
  ['HTTP/2, windows of 0', onStreams(0), STATE],
]

const pipelined = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`.repeat(REQUESTS)

interface Figures {
  /** The memory beyond that before the attack, at most. */
  readonly bytes: number
  readonly longestWaitMs: number
  /** The longest turn of the server's event loop, in processor time: the wait if the machine were idle. */
  readonly longestTurnMs: number
}

export async function measureUnread({ quick }: Mode): Promise<Outcome> {
  const { folder } = createStartingData()
  process.env.XDG_CACHE_HOME = folder
  const attacks = quick ? ATTACKS.filter(([, , { flags }]) => flags === undefined) : ATTACKS
  const rows: { name: string; figures: Figures[] }[] = []
  for (const [protocol, attack, resource] of attacks) {
    const figures: Figures[] = []
    for (const connections of CONNECTIONS) figures.push(await measure({ attack, resource, connections, folder }))
    rows.push({ name: `${resource.name}, ${protocol}`, figures })
  }
  print(rows)
  return { figures: rows, targets: rows.flatMap(toTargets) }
}

interface Case {
  readonly attack: Attack
  readonly resource: Resource
  readonly connections: number
  /** The folder of the certificate. */
  readonly folder: string
}

/** In two processes, because measuring turns takes memory. */
async function measure(attacked: Case): Promise<Figures> {
  const { bytes, longestWaitMs } = await run(attacked, false, observe)
  return { bytes, longestWaitMs, longestTurnMs: await run(attacked, true, observeTurns) }
}

async function run<T>(
  { attack, resource, connections, folder }: Case,
  reportsTurns: boolean,
  observeAttack: (server: Running, act: () => void) => Promise<T>,
): Promise<T> {
  const { path, flags = [], prepare } = resource
  const args = [builtCommand, '--port', '{port}', '--quiet', '--https', ...flags]
  const server = await start({ args, reportsTurns })
  const attackers: Awaited<ReturnType<Attack>>[] = []
  try {
    const ca = readFileSync(join(folder, 'petstore-mock', 'localhost.pem'), 'utf8')
    await prepare?.(server.port)
    // So that memory that is needed only once is there.
    await get(server.port, path)
    for (let opened = 0; opened < connections; opened++) {
      const attacker = await attack(server.port, ca, path)
      attacker.socket.pause().on('error', () => {})
      attackers.push(attacker)
    }
    return await observeAttack(server, () => {
      for (const { send } of attackers) send()
    })
  } finally {
    for (const { socket } of attackers) socket.destroy()
    await server.stop()
  }
}

async function observe({ pid, port }: Running, act: () => void): Promise<Pick<Figures, 'bytes' | 'longestWaitMs'>> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  for (let sent = 0; sent < 200; sent++) await get(port, '/pets/1', agent)
  const before = residentBytesOf(pid) ?? Number.NaN
  forgetMostResident(pid)
  let longestWaitMs = 0
  const end = performance.now() + OBSERVED_MS
  act()
  while (performance.now() < end) {
    const sentAt = performance.now()
    await get(port, '/pets/1', agent)
    longestWaitMs = Math.max(longestWaitMs, performance.now() - sentAt)
    await pause(TICK_MS)
  }
  agent.destroy()
  return { bytes: (mostResidentBytesOf(pid) ?? Number.NaN) - before, longestWaitMs }
}

function observeTurns({ longestTurn }: Running, act: () => void): Promise<number> {
  return longestTurn(async () => {
    act()
    await pause(OBSERVED_MS)
  })
}

function get(port: number, path: string, agent?: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    request({ port, host: '127.0.0.1', path, ...(agent && { agent }) }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${path} returned ${response.statusCode}.`))
      response.resume().on('end', resolve).on('error', reject)
    })
      .on('error', reject)
      .end()
  })
}

function print(rows: readonly { name: string; figures: readonly Figures[] }[]): void {
  printTitle(
    'Unread responses',
    `Clients that send ${REQUESTS} requests on each connection and do not read: the memory that the server takes for them within ${OBSERVED_MS} ms, the longest wait of another client for GET /pets/1, and the longest turn of the event loop in processor time.`,
  )
  printTable(
    ['', ...CONNECTIONS.flatMap((connections) => [`MB for ${connections}`, 'wait ms', 'turn ms'])],
    rows.map(({ name, figures }) => [
      name,
      ...figures.flatMap(({ bytes, longestWaitMs, longestTurnMs }) => [
        megabytes(bytes),
        count(longestWaitMs),
        count(longestTurnMs),
      ]),
    ]),
  )
}

function toTargets({ name, figures }: { name: string; figures: readonly Figures[] }): Target[] {
  return figures.map(({ longestTurnMs, longestWaitMs }, index) => ({
    name: `${name}: longest turn in ms of processor time, with ${CONNECTIONS[index]} connections`,
    value: longestTurnMs,
    atMost: 300,
    note: `another client waited ${count(longestWaitMs)} ms`,
  }))
}
