/**
 * How the cost of a request to the server grows with the number of pets: the throughput cases, with ids from the whole
 * range. Two servers of each size alternate, because two processes of the same server are never equally fast.
 */
import { type CaseName, caseNames, cases, type Step } from './cases.js'
import type { Row } from './growth-operations.js'
import { CONNECTIONS, type Load, startLoad } from './load.js'
import { builtCommand, cpuMsOf, type Running, start } from './processes.js'
import { median } from './statistics.js'

const SERVERS = 2
const ROUNDS = { quick: 3, full: 7 }
const SAMPLE_MS = 600
const WARM_UP_MS = 1500
const IDS = 500

interface RunningServer {
  readonly size: number
  readonly running: Running
  readonly costs: number[]
}

export async function measureOnServer(sizes: readonly number[], quick: boolean): Promise<Row[]> {
  const load = startLoad()
  const servers: RunningServer[] = []
  try {
    for (const size of Array.from({ length: SERVERS }, () => sizes).flat()) {
      const args = [builtCommand, '--port', '{port}', '--quiet', '--pets', String(size)]
      servers.push({ size, running: await start({ args }), costs: [] })
    }
    const rows: Row[] = []
    for (const name of caseNames) {
      for (const server of servers) server.costs.length = 0
      for (const server of servers) await sample(server, name, load, WARM_UP_MS)
      for (let round = 0; round < (quick ? ROUNDS.quick : ROUNDS.full); round++) {
        for (const server of servers) server.costs.push(await sample(server, name, load, SAMPLE_MS))
      }
      const costOf = (size: number) =>
        median(servers.filter((server) => server.size === size).map(({ costs }) => median(costs)))
      rows.push({ name: cases[name].name, costs: sizes.map(costOf) })
    }
    return rows
  } finally {
    load.stop()
    await Promise.all(servers.map(({ running }) => running.stop()))
  }
}

async function sample({ size, running }: RunningServer, name: CaseName, load: Load, forMs: number): Promise<number> {
  const { pid, port } = running
  if (cases[name].writes) await fetch(`http://127.0.0.1:${port}/__admin/reset`, { method: 'POST' })
  const before = cpuMsOf(pid)
  const { requests, ms } = await load.run({ port, steps: stepsOf(name, size), connections: CONNECTIONS, forMs })
  // If the system does not report the processor time, assume that it was busy all the time.
  const used = before === undefined ? ms : (cpuMsOf(pid) as number) - before
  return (1000 * used) / requests
}

function stepsOf(name: CaseName, size: number): Step[] {
  if (name !== 'get') return [cases[name]]
  return Array.from({ length: IDS }, (_, index) => ({
    ...cases.get,
    target: `/pets/${1 + ((index * 7919) % size)}`,
  }))
}
