/**
 * From the spawn of a process to its first 200, against a bare node:http script. Each start of a server comes right
 * after one of the script, and its ratio is to that neighbour.
 */
import { printBars } from './chart.js'
import { type Contestant, createWorld, FLOOR } from './contestants.js'
import type { Mode, Outcome } from './outcome.js'
import { installPeers, reportMissing } from './peers/install.js'
import { builtCommand, type Command, start } from './processes.js'
import { median } from './statistics.js'
import { count, printTable, printTitle, ratio } from './table.js'

const SPAWNS = { quick: 15, full: 25, peers: 5 }
const FLOOR_COMMAND: Command = { args: [FLOOR, '{port}'] }

/** As a user starts it, in its default world. */
const ours: Pick<Contestant, 'name' | 'command'> = {
  name: 'petstore-mock',
  command: () => ({ args: [builtCommand, '--port', '{port}', '--quiet'] }),
}

interface Result {
  readonly name: string
  readonly spawns: number
  readonly ms: number
  readonly times: number
}

export async function measureStartUp({ quick }: Mode): Promise<Outcome> {
  const peers = quick ? [] : await installPeers(createWorld())
  const results = [await measure(ours, quick ? SPAWNS.quick : SPAWNS.full)]
  for (const peer of peers) {
    try {
      results.push(await measure(peer, SPAWNS.peers))
    } catch (error) {
      reportMissing(peer.name, error)
    }
  }
  printTitle('Start-up', 'From spawn to the first 200, medians; times the bare node:http script started right before.')
  printTable(
    ['', 'ms', 'times the floor', 'spawns'],
    results.map(({ name, ms, times, spawns }) => [name, count(ms), ratio(times), String(spawns)]),
  )
  printBars(results.map(({ name, times }) => ({ name, value: times, label: `${ratio(times)} times the floor` })))
  const [{ times }] = results as [Result]
  return { figures: results, targets: [{ name: 'spawn to first 200, times raw node:http', value: times, atMost: 1.6 }] }
}

async function measure({ name, command }: Pick<Contestant, 'name' | 'command'>, spawns: number): Promise<Result> {
  const pairs: { floor: number; own: number }[] = []
  // The first pair fills the caches of the disk.
  for (let round = 0; round <= spawns; round++) {
    const pair = { floor: await spawnOnce(FLOOR_COMMAND), own: await spawnOnce(command()) }
    if (round > 0) pairs.push(pair)
  }
  const ms = median(pairs.map(({ own }) => own))
  return { name, spawns, ms, times: median(pairs.map(({ own, floor }) => own / floor)) }
}

async function spawnOnce(command: Command): Promise<number> {
  const { startMs, stop } = await start(command)
  await stop()
  return startMs
}
