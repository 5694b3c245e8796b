/**
 * Requests per second of the same build on Node, Bun and Deno. The samples of the three alternate, and each is divided by
 * the sample of Node in the same round; the median over the rounds counts.
 */
import { BUN, DENO, installRuntime } from '../scripts/install-runtimes.js'
import { createStartingData } from './candidates.js'
import { type CaseName, caseNames, cases } from './cases.js'
import { CONNECTIONS, type Load, startLoad } from './load.js'
import type { Mode, Outcome } from './outcome.js'
import { builtCommand, cpuMsOf, type Running, start } from './processes.js'
import { median } from './statistics.js'
import { count, printTable, printTitle, ratio } from './table.js'

interface Server {
  readonly name: string
  readonly running: Running
}

interface Sample {
  readonly perSecond: number
  /** For one request. Missing if the system does not report it. */
  readonly cpuMs?: number
}

/** The medians of one runtime in one case. */
interface Result {
  readonly runtime: string
  readonly caseName: CaseName
  readonly perSecond: number
  /** Requests per second divided by those of Node. */
  readonly share: number
  /** The processor time of Node for a request divided by that of the runtime. */
  readonly cpuShare?: number
}

const WARM_UP = { requests: 20_000, forMs: 4000 }

export async function measureRuntimes({ quick }: Mode): Promise<Outcome> {
  const settings = quick ? { rounds: 3, sampleMs: 400 } : { rounds: 7, sampleMs: 800 }
  const load = startLoad()
  const servers: Server[] = []
  try {
    servers.push(...(await startServers()))
    const results: Result[] = []
    for (const name of caseNames) results.push(...(await measureCase(name, servers, load, settings)))
    print(results, settings)
    return { targets: [], figures: results }
  } finally {
    load.stop()
    await Promise.all(servers.map(({ running }) => running.stop()))
  }
}

async function startServers(): Promise<Server[]> {
  const args = [builtCommand, '--port', '{port}', '--quiet', '--fixtures', createStartingData().file]
  const servers = [{ name: `Node ${process.versions.node}`, running: await start({ args }) }]
  for (const runtime of [BUN, DENO]) {
    const command = { node: await installRuntime(runtime), args: [...runtime.runArgs, ...args] }
    servers.push({ name: `${runtime.name} ${runtime.version}`, running: await start(command) })
  }
  return servers
}

async function measureCase(
  name: CaseName,
  servers: readonly Server[],
  load: Load,
  { rounds, sampleMs }: { rounds: number; sampleMs: number },
): Promise<Result[]> {
  for (const server of servers) await sample(server, name, load, WARM_UP)
  const samples: Sample[][] = servers.map(() => [])
  for (let round = 0; round < rounds; round++) {
    for (const [index, server] of servers.entries()) {
      if (cases[name].writes) await reset(server)
      samples[index]?.push(await sample(server, name, load, { forMs: sampleMs }))
    }
  }
  const onNode = samples[0] as Sample[]
  return servers.map(({ name: runtime }, index) => toResult(runtime, name, samples[index] as Sample[], onNode))
}

async function reset({ running }: Server): Promise<void> {
  await fetch(`http://127.0.0.1:${running.port}/__admin/reset`, { method: 'POST' })
}

async function sample({ running }: Server, name: CaseName, load: Load, until: object): Promise<Sample> {
  const before = cpuMsOf(running.pid)
  const order = { port: running.port, steps: [cases[name]], connections: CONNECTIONS, ...until }
  const { requests, ms } = await load.run(order)
  const after = cpuMsOf(running.pid)
  const perSecond = (requests / ms) * 1000
  return before === undefined || after === undefined ? { perSecond } : { perSecond, cpuMs: (after - before) / requests }
}

function toResult(runtime: string, caseName: CaseName, own: readonly Sample[], onNode: readonly Sample[]): Result {
  const pairs = own.map((one, round) => ({ one, node: onNode[round] as Sample }))
  const hasCpu = pairs.every(({ one, node }) => one.cpuMs && node.cpuMs)
  return {
    runtime,
    caseName,
    perSecond: median(own.map(({ perSecond }) => perSecond)),
    share: median(pairs.map(({ one, node }) => one.perSecond / node.perSecond)),
    ...(hasCpu && { cpuShare: median(pairs.map(({ one, node }) => (node.cpuMs ?? 0) / (one.cpuMs ?? 1))) }),
  }
}

function print(results: readonly Result[], { rounds, sampleMs }: { rounds: number; sampleMs: number }): void {
  printTitle(
    'Runtimes',
    `Requests per second of the same build, medians of ${rounds} rounds of ${sampleMs} ms, ${CONNECTIONS} connections. In brackets: as a share of Node, by requests and by processor time.`,
  )
  const runtimes = [...new Set(results.map(({ runtime }) => runtime))]
  const find = (runtime: string, name: CaseName) =>
    results.find((result) => result.runtime === runtime && result.caseName === name)
  printTable(
    ['', ...caseNames.map((name) => cases[name].name)],
    runtimes.map((runtime) => [runtime, ...caseNames.map((name) => describe(find(runtime, name)))]),
  )
}

function describe(result: Result | undefined): string {
  if (result === undefined) return '–'
  const shares = [result.share, result.cpuShare].flatMap((share) => (share === undefined ? [] : [ratio(share)]))
  return `${count(result.perSecond)} (${shares.join(', ')})`
}
