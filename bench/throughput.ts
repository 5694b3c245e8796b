/**
 * Requests per second, as shares of raw node:http. Every sample of a server follows a sample of the baseline and is divided
 * by it, and the median over the rounds counts. The share by processor time is the processor time of the baseline for a
 * request divided by that of the server, which other processes hardly affect.
 */

import {
  type Candidate,
  createBaseline,
  createBuilds,
  createByHand,
  createStartingData,
  type StartingData,
} from './candidates.js'
import { type Case, type CaseName, caseNames, cases } from './cases.js'
import { CONNECTIONS, type Load, type LoadOrder, startLoad } from './load.js'
import type { Mode, Outcome } from './outcome.js'
import { installPeers, reportMissing } from './peers/install.js'
import { cpuMsOf, type Running, start } from './processes.js'
import { median } from './statistics.js'
import { printThroughput, toTargets } from './throughput-report.js'

interface Settings {
  readonly rounds: number
  readonly sampleMs: number
  /**
   * Before each sample, and not part of it. The baseline runs often, but each peer only every ten seconds or more, so its
   * memory is no longer in the caches.
   */
  readonly warmUpMs: number
  /** Until the code is compiled, limited by requests or time. */
  readonly warmUp: { readonly requests: number; readonly forMs: number }
}

const FULL: Settings = { rounds: 5, sampleMs: 800, warmUpMs: 300, warmUp: { requests: 30_000, forMs: 5000 } }
const QUICK: Settings = { rounds: 5, sampleMs: 400, warmUpMs: 100, warmUp: { requests: 20_000, forMs: 4000 } }

/** The result of one server in one case: medians over the rounds. */
export interface Result {
  readonly candidate: string
  readonly validates: boolean
  readonly caseName: CaseName
  readonly perSecond: number
  /** The share of the baseline's requests per second. */
  readonly share: number
  /** The share by processor time; undefined if the system does not report it. */
  readonly cpuShare?: number
  /** The load of server and client, as a fraction of one core. */
  readonly serverLoad?: number
  readonly clientLoad: number
  /** What a request took on average, and what the slowest hundredth took at least. */
  readonly meanMs: number
  readonly p99Ms: number
}

export async function measureThroughput(mode: Mode): Promise<Outcome> {
  const settings = mode.quick ? QUICK : FULL
  const startingData = createStartingData()
  const own = [...createBuilds(startingData, mode), createByHand(startingData)]
  const servers = await Promise.all(own.map(startCandidate))
  for (const peer of mode.quick ? [] : await installPeers(startingData)) {
    await startCandidate(peer).then(
      (server) => servers.push(server),
      (error) => reportMissing(peer.name, error),
    )
  }
  const load = startLoad()
  const results: Result[] = []
  try {
    for (const name of caseNames) results.push(...(await measureCase(name, servers, startingData, load, settings)))
  } finally {
    load.stop()
    await Promise.all(servers.map((server) => server.running.stop()))
  }
  printThroughput(results, settings)
  return { targets: toTargets(results), figures: results }
}

/** A candidate and its current process. */
interface RunningServer {
  readonly candidate: Candidate
  running: Running
}

async function startCandidate(candidate: Candidate): Promise<RunningServer> {
  return { candidate, running: await start(candidate.command()) }
}

type Until = Pick<LoadOrder, 'forMs' | 'requests'>

interface Sample extends Pick<Result, 'perSecond' | 'serverLoad' | 'clientLoad' | 'meanMs' | 'p99Ms'> {
  readonly cpuMs?: number
}

async function measureCase(
  name: CaseName,
  all: readonly RunningServer[],
  startingData: StartingData,
  load: Load,
  settings: Settings,
) {
  const ours = all[0] as RunningServer
  const baseline = await startCandidate(await createBaseline(name, startingData, ours.running.port))
  const servers = all.filter(({ candidate }) => statusOf(candidate, name) !== undefined)
  const samples = new Map(servers.map((server) => [server, [] as { own: Sample; baseline: Sample }[]]))
  const warmUp = (server: RunningServer) => sample(server, name, load, settings.warmUp)
  const take = async (server: RunningServer) => {
    await sample(server, name, load, { forMs: settings.warmUpMs })
    return sample(server, name, load, { forMs: settings.sampleMs })
  }
  try {
    await warmUp(baseline)
    // The first round warms up.
    for (let round = 0; round <= settings.rounds; round++) {
      for (const [server, pairs] of samples) {
        try {
          await resetServer(server, cases[name], load, settings)
          if (round === 0) await warmUp(server)
          else pairs.push({ baseline: await take(baseline), own: await take(server) })
        } catch (error) {
          if (server === ours) throw error
          samples.delete(server)
          reportMissing(`${server.candidate.name}, ${cases[name].name},`, error)
        }
      }
    }
  } finally {
    await baseline.running.stop()
  }
  const results = [...samples].map(([server, pairs]) => toResult(server.candidate, name, pairs))
  const baselines = [...samples.values()].flat().map((pair) => ({ baseline: pair.baseline, own: pair.baseline }))
  return [toResult(baseline.candidate, name, baselines), ...results]
}

function statusOf({ statuses }: Candidate, name: CaseName): number | undefined {
  return statuses !== undefined && name in statuses ? statuses[name] : cases[name].status
}

/** Returns a server that stores pets to its starting data. */
async function resetServer(server: RunningServer, { writes }: Case, load: Load, { sampleMs }: Settings): Promise<void> {
  const { reset } = server.candidate
  if (!writes || reset === 'none') return
  if (reset !== undefined) {
    const { ok } = await fetch(`http://127.0.0.1:${server.running.port}${reset.target}`, { method: reset.method })
    if (!ok) throw new Error(`${server.candidate.name} was not reset.`)
    return
  }
  await server.running.stop()
  server.running = await start(server.candidate.command())
  // Reads warm it up without changing data.
  await sample(server, 'get', load, { forMs: sampleMs })
}

async function sample(
  { candidate, running }: RunningServer,
  name: CaseName,
  load: Load,
  until: Until,
): Promise<Sample> {
  const { pid, port } = running
  const target = candidate.targets?.[name] ?? cases[name].target
  const step = { ...cases[name], target, status: statusOf(candidate, name) as number }
  const before = cpuMsOf(pid)
  const result = await load.run({ port, steps: [step], connections: CONNECTIONS, ...until }).catch((error: Error) => {
    throw new Error(`${candidate.name}: ${error.message}`)
  })
  const { requests, ms, cpuMs: clientMs, meanMs, p99Ms } = result
  const used = before === undefined ? undefined : (cpuMsOf(pid) as number) - before
  return {
    perSecond: (requests / ms) * 1000,
    clientLoad: clientMs / ms,
    meanMs,
    p99Ms,
    ...(used !== undefined && { cpuMs: used / requests, serverLoad: used / ms }),
  }
}

function toResult(
  candidate: Candidate,
  caseName: CaseName,
  pairs: readonly { own: Sample; baseline: Sample }[],
): Result {
  const { name, validates } = candidate
  const middle = (pick: (pair: { own: Sample; baseline: Sample }) => number) => median(pairs.map(pick))
  const hasCpu = pairs.every(({ own, baseline }) => own.cpuMs && baseline.cpuMs)
  return {
    candidate: name,
    validates,
    caseName,
    perSecond: middle(({ own }) => own.perSecond),
    share: middle(({ own, baseline }) => own.perSecond / baseline.perSecond),
    clientLoad: middle(({ own }) => own.clientLoad),
    meanMs: middle(({ own }) => own.meanMs),
    p99Ms: middle(({ own }) => own.p99Ms),
    ...(hasCpu && {
      cpuShare: middle(({ own, baseline }) => (baseline.cpuMs as number) / (own.cpuMs as number)),
      serverLoad: middle(({ own }) => own.serverLoad as number),
    }),
  }
}
