/**
 * Requests a second, as shares of raw node:http. Every sample of a server is taken right after one of the floor, its
 * share is against that neighbour, and the median over the rounds counts. The share of processor time stands beside it:
 * what a server used for a request, against what the floor used, which noise from other processes hardly moves.
 */
import { type Case, type CaseName, caseNames, cases } from './cases.js'
import { type Contestant, createFloor, createOurs, createWorld, type World } from './contestants.js'
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
   * Before each sample, and not part of it. Where peers take turns, the floor's comes often and everybody else's every
   * ten seconds or more, and who has not run for so long starts with memory that is nowhere near.
   */
  readonly runInMs: number
  /** Until everything is compiled that is going to be, or for so long at most. */
  readonly warmUp: { readonly requests: number; readonly forMs: number }
}

const FULL: Settings = { rounds: 5, sampleMs: 800, runInMs: 300, warmUp: { requests: 30_000, forMs: 5000 } }
const QUICK: Settings = { rounds: 5, sampleMs: 400, runInMs: 100, warmUp: { requests: 20_000, forMs: 4000 } }

/** The result of one server in one case: medians over the rounds. */
export interface Result {
  readonly contestant: string
  readonly validates: boolean
  readonly caseName: CaseName
  readonly perSecond: number
  /** Of the requests a second of the floor. */
  readonly share: number
  /** Of what the floor would need of the processor; nothing where the system does not say. */
  readonly cpuShare?: number
  /** How busy server and client were, of one core. */
  readonly serverLoad?: number
  readonly clientLoad: number
}

export async function measureThroughput(mode: Mode): Promise<Outcome> {
  const settings = mode.quick ? QUICK : FULL
  const world = createWorld()
  const stands = [await openStand(createOurs(world))]
  for (const peer of mode.quick ? [] : await installPeers(world)) {
    await openStand(peer).then(
      (stand) => stands.push(stand),
      (error) => reportMissing(peer.name, error),
    )
  }
  const load = startLoad()
  const results: Result[] = []
  try {
    for (const name of caseNames) results.push(...(await measureCase(name, stands, world, load, settings)))
  } finally {
    load.stop()
    await Promise.all(stands.map((stand) => stand.running.stop()))
  }
  printThroughput(results, settings)
  return { targets: toTargets(results), figures: results }
}

/** A contestant and its process, which is another one after every start. */
interface Stand {
  readonly contestant: Contestant
  running: Running
}

async function openStand(contestant: Contestant): Promise<Stand> {
  return { contestant, running: await start(contestant.command()) }
}

type Until = Pick<LoadOrder, 'forMs' | 'requests'>

interface Sample {
  readonly perSecond: number
  readonly cpuMs?: number
  readonly serverLoad?: number
  readonly clientLoad: number
}

async function measureCase(name: CaseName, all: readonly Stand[], world: World, load: Load, settings: Settings) {
  const ours = all[0] as Stand
  const floor = await openStand(await createFloor(name, world, ours.running.port))
  const stands = all.filter(({ contestant }) => statusOf(contestant, name) !== undefined)
  const samples = new Map(stands.map((stand) => [stand, [] as { own: Sample; floor: Sample }[]]))
  const warmUp = (stand: Stand) => sample(stand, name, load, settings.warmUp)
  const take = async (stand: Stand) => {
    await sample(stand, name, load, { forMs: settings.runInMs })
    return sample(stand, name, load, { forMs: settings.sampleMs })
  }
  try {
    await warmUp(floor)
    // The first round warms up.
    for (let round = 0; round <= settings.rounds; round++) {
      for (const [stand, pairs] of samples) {
        try {
          await goBack(stand, cases[name], load, settings)
          if (round === 0) await warmUp(stand)
          else pairs.push({ floor: await take(floor), own: await take(stand) })
        } catch (error) {
          if (stand === ours) throw error
          samples.delete(stand)
          reportMissing(`${stand.contestant.name}, ${cases[name].name},`, error)
        }
      }
    }
  } finally {
    await floor.running.stop()
  }
  const results = [...samples].map(([stand, pairs]) => toResult(stand.contestant, name, pairs))
  const floors = [...samples.values()].flat().map((pair) => ({ floor: pair.floor, own: pair.floor }))
  return [toResult(floor.contestant, name, floors), ...results]
}

function statusOf({ statuses }: Contestant, name: CaseName): number | undefined {
  return statuses !== undefined && name in statuses ? statuses[name] : cases[name].status
}

/** Whoever keeps pets has those it started with again. */
async function goBack(stand: Stand, { writes }: Case, load: Load, { sampleMs }: Settings): Promise<void> {
  const { reset } = stand.contestant
  if (!writes || reset === 'none') return
  if (reset !== undefined) {
    const { ok } = await fetch(`http://127.0.0.1:${stand.running.port}${reset.target}`, { method: reset.method })
    if (!ok) throw new Error(`${stand.contestant.name} did not go back`)
    return
  }
  await stand.running.stop()
  stand.running = await start(stand.contestant.command())
  // Reading warms up as well, and leaves nothing behind.
  await sample(stand, 'get', load, { forMs: sampleMs })
}

async function sample({ contestant, running }: Stand, name: CaseName, load: Load, until: Until): Promise<Sample> {
  const { pid, port } = running
  const target = contestant.targets?.[name] ?? cases[name].target
  const step = { ...cases[name], target, status: statusOf(contestant, name) as number }
  const before = cpuMsOf(pid)
  const result = await load.run({ port, steps: [step], connections: CONNECTIONS, ...until }).catch((error: Error) => {
    throw new Error(`${contestant.name}: ${error.message}`)
  })
  const { requests, ms, cpuMs: clientMs } = result
  const used = before === undefined ? undefined : (cpuMsOf(pid) as number) - before
  return {
    perSecond: (requests / ms) * 1000,
    clientLoad: clientMs / ms,
    ...(used !== undefined && { cpuMs: used / requests, serverLoad: used / ms }),
  }
}

function toResult(
  contestant: Contestant,
  caseName: CaseName,
  pairs: readonly { own: Sample; floor: Sample }[],
): Result {
  const { name, validates } = contestant
  const middle = (pick: (pair: { own: Sample; floor: Sample }) => number) => median(pairs.map(pick))
  const hasCpu = pairs.every(({ own, floor }) => own.cpuMs && floor.cpuMs)
  return {
    contestant: name,
    validates,
    caseName,
    perSecond: middle(({ own }) => own.perSecond),
    share: middle(({ own, floor }) => own.perSecond / floor.perSecond),
    clientLoad: middle(({ own }) => own.clientLoad),
    ...(hasCpu && {
      cpuShare: middle(({ own, floor }) => (floor.cpuMs as number) / (own.cpuMs as number)),
      serverLoad: middle(({ own }) => own.serverLoad as number),
    }),
  }
}
