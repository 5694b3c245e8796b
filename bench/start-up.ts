/**
 * The time from spawning a process to its first response, compared with a raw node:http script. Each start of a server
 * follows a start of the script, and is divided by that one.
 */

import { BASELINE, type Candidate, createStartingData } from './candidates.js'
import type { Mode, Outcome } from './outcome.js'
import { installPeers, reportMissing } from './peers/install.js'
import { builtCommand, type Command, start } from './processes.js'
import { median } from './statistics.js'
import { count, printTable, printTitle, ratio } from './table.js'

const SPAWNS = { quick: 15, full: 25, peers: 5 }
const BASELINE_COMMAND: Command = { args: [BASELINE, '{port}'] }

/** As a user starts it, with the default data. */
const ours: Pick<Candidate, 'name' | 'command'> = {
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
  const peers = quick ? [] : await installPeers(createStartingData())
  const results = [await measure(ours, quick ? SPAWNS.quick : SPAWNS.full)]
  for (const peer of peers) {
    try {
      results.push(await measure(peer, SPAWNS.peers))
    } catch (error) {
      reportMissing(peer.name, error)
    }
  }
  printTitle(
    'Start-up',
    'From spawn to the first response, medians; ratio to the raw node:http script started just before.',
  )
  printTable(
    ['', 'ms', 'ratio to the baseline', 'spawns'],
    results.map(({ name, ms, times, spawns }) => [name, count(ms), ratio(times), String(spawns)]),
  )
  const [{ times }] = results as [Result]
  return { figures: results, targets: [{ name: 'spawn to first 200, times raw node:http', value: times, atMost: 1.6 }] }
}

async function measure({ name, command }: Pick<Candidate, 'name' | 'command'>, spawns: number): Promise<Result> {
  const pairs: { baseline: number; own: number }[] = []
  // The first pair fills the caches of the disk.
  for (let round = 0; round <= spawns; round++) {
    const pair = { baseline: await spawnOnce(BASELINE_COMMAND), own: await spawnOnce(command()) }
    if (round > 0) pairs.push(pair)
  }
  const ms = median(pairs.map(({ own }) => own))
  return { name, spawns, ms, times: median(pairs.map(({ own, baseline }) => own / baseline)) }
}

async function spawnOnce(command: Command): Promise<number> {
  const { startMs, stop } = await start(command)
  await stop()
  return startMs
}
