/**
 * GET /pets/1 over HTTPS/1.1 and HTTP/2, and over plain HTTP on the port they share. Each sample of a server follows one of
 * its reference and is divided by it; the median over the rounds counts.
 */
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createBaseline, createStartingData } from './candidates.js'
import { cases } from './cases.js'
import { CONNECTIONS, type Load, type LoadOrder, startLoad } from './load.js'
import type { Mode, Outcome, Target } from './outcome.js'
import { builtCommand, cpuMsOf, here, type Running, start } from './processes.js'
import { median } from './statistics.js'
import { count, micros, printTable, printTitle, ratio } from './table.js'

/** How many requests are in flight on an HTTP/2 connection. */
const STREAMS = 4

interface Server {
  readonly running: Running
  readonly order: Pick<LoadOrder, 'connections' | 'tls'>
}

interface Pair {
  readonly name: string
  readonly reference: Server
  readonly own: Server
  readonly atLeast?: number
}

interface Sample {
  readonly perSecond: number
  /** For one request. Missing if the system does not report it. */
  readonly cpuMs?: number
}

interface Result extends Pick<Pair, 'name' | 'atLeast'>, Sample {
  /** Requests per second divided by those of the reference. */
  readonly share: number
  /** The processor time of the reference for a request divided by our own. */
  readonly cpuShare?: number
}

const WARM_UP = { requests: 30_000, forMs: 5000 }

export async function measureHttps({ quick }: Mode): Promise<Outcome> {
  const settings = quick ? { rounds: 5, sampleMs: 400 } : { rounds: 9, sampleMs: 800 }
  const load = startLoad()
  const processes: Running[] = []
  try {
    const pairs = await startPairs(processes)
    for (const { reference, own } of pairs) for (const server of [reference, own]) await sample(server, load, WARM_UP)
    const results = pairs.map((pair) => ({ pair, samples: [] as [Sample, Sample][] }))
    for (let round = 0; round < settings.rounds; round++) {
      for (const { pair, samples } of results) {
        const take = (server: Server) => sample(server, load, { forMs: settings.sampleMs })
        samples.push([await take(pair.reference), await take(pair.own)])
      }
    }
    const medians = results.map(({ pair, samples }) => toResult(pair, samples))
    print(medians, settings)
    return { targets: medians.flatMap(toTarget), figures: medians }
  } finally {
    load.stop()
    await Promise.all(processes.map((running) => running.stop()))
  }
}

/** Each of our servers gets requests of one protocol only, so that none is slowed down by code compiled for another. */
async function startPairs(processes: Running[]): Promise<Pair[]> {
  const data = createStartingData()
  process.env.XDG_CACHE_HOME = data.folder
  const certificates = join(data.folder, 'petstore-mock')
  mkdirSync(certificates, { recursive: true })

  async function run(args: readonly string[], isReadyWhenItAccepts = false): Promise<Running> {
    const running = await start({ args, isReadyWhenItAccepts })
    processes.push(running)
    return running
  }
  const startOurs = (...flags: string[]) =>
    run([builtCommand, '--port', '{port}', '--quiet', '--fixtures', data.file, ...flags])

  const [withoutHttps, shared, https, http2] = [
    await startOurs(),
    await startOurs('--https'),
    await startOurs('--https'),
    await startOurs('--https'),
  ]
  await createBaseline('get', data, withoutHttps.port)
  const ca = readFileSync(join(certificates, 'localhost.pem'), 'utf8')
  const startBaseline = (kind: string) =>
    run([here('servers/baseline-tls.mjs'), '{port}', join(data.folder, 'get.json'), kind, certificates], true)

  const overHttp = { connections: CONNECTIONS }
  const overHttps = { connections: CONNECTIONS, tls: { ca } }
  const overHttp2 = { connections: CONNECTIONS / STREAMS, tls: { ca, streams: STREAMS } }
  const rawHttp2 = { running: await startBaseline('http2'), order: overHttp2 }
  const rawCompat = { running: await startBaseline('http2-compat'), order: overHttp2 }
  const ownHttp2 = { running: http2, order: overHttp2 }
  const rawHttps = { running: await startBaseline('https'), order: overHttps }
  return [
    {
      name: 'HTTP on the shared port, share of HTTP without --https',
      reference: { running: withoutHttps, order: overHttp },
      own: { running: shared, order: overHttp },
      atLeast: 0.95,
    },
    {
      name: 'HTTPS/1.1, share of raw node:https',
      reference: rawHttps,
      own: { running: https, order: overHttps },
      atLeast: 0.65,
    },
    { name: 'HTTP/2, share of raw node:http2', reference: rawHttp2, own: ownHttp2, atLeast: 0.65 },
    // What our server could reach if it did nothing but call the mock.
    {
      name: 'raw node:https that calls the mock, share of raw node:https',
      reference: rawHttps,
      own: { running: await startBaseline('https-mock'), order: overHttps },
    },
    {
      name: 'raw node:http2 that calls the mock, share of raw node:http2',
      reference: rawHttp2,
      own: { running: await startBaseline('http2-mock'), order: overHttp2 },
    },
    { name: 'HTTP/2, share of node:http2 with its compatibility API', reference: rawCompat, own: ownHttp2 },
  ]
}

async function sample({ running, order }: Server, load: Load, until: Partial<LoadOrder>): Promise<Sample> {
  const before = cpuMsOf(running.pid)
  const { requests, ms } = await load.run({ port: running.port, steps: [cases.get], ...order, ...until })
  const after = cpuMsOf(running.pid)
  const perSecond = (requests / ms) * 1000
  return before === undefined || after === undefined ? { perSecond } : { perSecond, cpuMs: (after - before) / requests }
}

function toResult({ name, atLeast }: Pair, samples: readonly [Sample, Sample][]): Result {
  const hasCpu = samples.every((pair) => pair.every(({ cpuMs }) => cpuMs))
  return {
    name,
    ...(atLeast !== undefined && { atLeast }),
    perSecond: median(samples.map(([, own]) => own.perSecond)),
    share: median(samples.map(([reference, own]) => own.perSecond / reference.perSecond)),
    ...(hasCpu && {
      cpuMs: median(samples.map(([, own]) => own.cpuMs ?? 0)),
      cpuShare: median(samples.map(([reference, own]) => (reference.cpuMs ?? 0) / (own.cpuMs ?? 1))),
    }),
  }
}

function print(results: readonly Result[], { rounds, sampleMs }: { rounds: number; sampleMs: number }): void {
  printTitle(
    'HTTPS and HTTP/2',
    `${cases.get.name}, medians of ${rounds} rounds of ${sampleMs} ms, ${CONNECTIONS} requests in flight (HTTP/2: ${STREAMS} on each connection).`,
  )
  printTable(
    ['', 'share', 'by processor time', 'requests per second', 'processor µs per request'],
    results.map(({ name, share, cpuShare, perSecond, cpuMs }) => [
      name,
      ratio(share),
      cpuShare === undefined ? '–' : ratio(cpuShare),
      count(perSecond),
      cpuMs === undefined ? '–' : micros(cpuMs * 1000),
    ]),
  )
}

function toTarget({ name, share, cpuShare, atLeast }: Result): Target[] {
  if (atLeast === undefined) return []
  const note = cpuShare === undefined ? '' : `${ratio(cpuShare)} by processor time`
  return [{ name, value: share, atLeast, note }]
}
