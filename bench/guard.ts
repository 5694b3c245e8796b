/**
 * Fails if requests have become much slower: `npm run bench:guard`, in about 20 seconds, part of CI.
 *
 * Compares the processor time of a request with that of a server written by hand, in the same minute. Other processes on the
 * machine only ever add to it, so the cheapest of several samples counts on both sides, and a case over its limit is measured
 * twice more before it counts as a loss.
 */
import { type Candidate, createByHand, createOurs, createStartingData } from './candidates.js'
import { type CaseName, caseNames, cases } from './cases.js'
import { CONNECTIONS, startLoad } from './load.js'
import { cpuMsOf, type Running, start } from './processes.js'
import { micros, printTable, printTitle, ratio } from './table.js'

/** How many times the processor time of the server written by hand. About a third above what was measured. */
const LIMITS: Readonly<Record<CaseName, number>> = { get: 2.5, list: 1.8, create: 2.7, invalid: 2.7 }

const ROUNDS = 6
const ATTEMPTS = 3
const REQUESTS = { warmUp: 6000, sample: 1000 }

const startingData = createStartingData()
const servers = await Promise.all([createByHand(startingData), createOurs(startingData)].map(startServer))
const load = startLoad()
const results = []
for (const name of caseNames) results.push(await compare(name))
load.stop()
await Promise.all(servers.map(({ running }) => running.stop()))

printTitle(
  'Guard',
  'Microseconds of processor time a request, the cheapest samples; ratio to a server written by hand.',
)
printTable(
  ['', 'by hand', 'petstore-mock', 'ratio', 'limit'],
  results.map(({ name, costs: [hand, ours], times }) => [
    cases[name].name,
    micros(hand),
    micros(ours),
    ratio(times),
    ratio(LIMITS[name]),
  ]),
)
const losses = results.filter(({ name, times }) => times > LIMITS[name])
for (const { name } of losses) {
  console.error(`${cases[name].name} has become too slow. Find the cause with \`node --cpu-prof dist/cli.js\`.`)
}
process.exitCode = losses.length === 0 ? 0 : 1

interface Server {
  readonly reset: Candidate['reset']
  readonly running: Running
}

async function startServer({ command, reset }: Pick<Candidate, 'command' | 'reset'>): Promise<Server> {
  const running = await start(command())
  if (cpuMsOf(running.pid) === undefined) {
    console.log('Skipped: this system does not report the processor time of other processes.')
    process.exit()
  }
  return { running, reset }
}

async function compare(name: CaseName) {
  for (const server of servers) await sample(server, name, REQUESTS.warmUp)
  const costs: [hand: number, ours: number] = [Infinity, Infinity]
  const times = () => costs[1] / costs[0]
  for (let attempt = 0; attempt < ATTEMPTS && !(times() <= LIMITS[name]); attempt++) {
    for (let round = 0; round < ROUNDS; round++) {
      for (const [place, server] of servers.entries()) {
        costs[place] = Math.min(costs[place] as number, await sample(server, name, REQUESTS.sample))
      }
    }
  }
  return { name, costs, times: times() }
}

/** The processor time of a request, in microseconds. */
async function sample({ running: { pid, port }, reset }: Server, name: CaseName, requests: number): Promise<number> {
  if (cases[name].writes && typeof reset === 'object') {
    await fetch(`http://127.0.0.1:${port}${reset.target}`, { method: reset.method })
  }
  const before = cpuMsOf(pid) as number
  const result = await load.run({ port, steps: [cases[name]], connections: CONNECTIONS, requests })
  return (((cpuMsOf(pid) as number) - before) / result.requests) * 1000
}
