/**
 * How the cost of a request to the server grows with the catalogue: the cases of the throughput, by id with pets from all
 * over. Two servers of each size take turns, since no two processes of the same server are equally fast.
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
const PLACES = 500

interface Stand {
  readonly size: number
  readonly running: Running
  readonly costs: number[]
}

export async function measureOnServer(sizes: readonly number[], quick: boolean): Promise<Row[]> {
  const load = startLoad()
  const stands: Stand[] = []
  try {
    for (const size of Array.from({ length: SERVERS }, () => sizes).flat()) {
      const args = [builtCommand, '--port', '{port}', '--quiet', '--pets', String(size)]
      stands.push({ size, running: await start({ args }), costs: [] })
    }
    const rows: Row[] = []
    for (const name of caseNames) {
      for (const stand of stands) stand.costs.length = 0
      for (const stand of stands) await sample(stand, name, load, WARM_UP_MS)
      for (let round = 0; round < (quick ? ROUNDS.quick : ROUNDS.full); round++) {
        for (const stand of stands) stand.costs.push(await sample(stand, name, load, SAMPLE_MS))
      }
      const costOf = (size: number) =>
        median(stands.filter((stand) => stand.size === size).map(({ costs }) => median(costs)))
      rows.push({ name: cases[name].name, costs: sizes.map(costOf) })
    }
    return rows
  } finally {
    load.stop()
    await Promise.all(stands.map(({ running }) => running.stop()))
  }
}

async function sample({ size, running }: Stand, name: CaseName, load: Load, forMs: number): Promise<number> {
  const { pid, port } = running
  if (cases[name].writes) await fetch(`http://127.0.0.1:${port}/__admin/reset`, { method: 'POST' })
  const before = cpuMsOf(pid)
  const { requests, ms } = await load.run({ port, steps: stepsOf(name, size), connections: CONNECTIONS, forMs })
  // Where the system does not say what it used, it was busy all the time.
  const used = before === undefined ? ms : (cpuMsOf(pid) as number) - before
  return (1000 * used) / requests
}

function stepsOf(name: CaseName, size: number): Step[] {
  if (name !== 'get') return [cases[name]]
  return Array.from({ length: PLACES }, (_, index) => ({
    ...cases.get,
    target: `/pets/${1 + ((index * 7919) % size)}`,
  }))
}
