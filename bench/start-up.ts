/**
 * The time from spawning a process to its first response, compared with a raw node:http script. Each start of a server
 * follows a start of the script, and is divided by that one.
 */

import { join } from 'node:path'
import {
  BASELINE,
  type Candidate,
  createStartingData,
  OF_DOCUMENT,
  OTHER_BUILD,
  OURS,
  PETSTORE_DOCUMENT,
} from './candidates.js'
import { PETS } from './cases.js'
import type { Mode, Outcome } from './outcome.js'
import { installPeers, reportMissing } from './peers/install.js'
import { builtCommand, type Command, cpuMsOf, start } from './processes.js'
import { median } from './statistics.js'
import { count, printTable, printTitle, ratio } from './table.js'

const SPAWNS = { quick: 15, full: 25, peers: 5 }
const BASELINE_COMMAND: Command = { args: [BASELINE, '{port}'] }

/** As a user starts it: with the default data, and with generated pets. */
function startsOf(name: string, command: string): Pick<Candidate, 'name' | 'command'>[] {
  const args = [command, '--port', '{port}', '--quiet']
  return [
    { name, command: () => ({ args }) },
    { name: `${name}, ${PETS} generated pets`, command: () => ({ args: [...args, '--pets', String(PETS)] }) },
  ]
}

interface Result {
  readonly name: string
  readonly spawns: number
  readonly ms: number
  readonly times: number
  /** The ratio by processor time; undefined if the system does not report it. */
  readonly cpuTimes?: number
}

interface Started {
  readonly ms: number
  readonly cpuMs: number | undefined
}

export async function measureStartUp({ quick, against }: Mode): Promise<Outcome> {
  const peers = quick ? [] : await installPeers(createStartingData())
  const others = against === undefined ? [] : startsOf(OTHER_BUILD, join(against, 'cli.js'))
  const results: Result[] = []
  const ofDocument = {
    name: OF_DOCUMENT,
    command: () => ({ args: [builtCommand, '--port', '{port}', '--quiet', '--document', PETSTORE_DOCUMENT] }),
  }
  for (const start of [...startsOf(OURS, builtCommand), ofDocument, ...others]) {
    results.push(await measure(start, quick ? SPAWNS.quick : SPAWNS.full))
  }
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
    ['', 'ms', 'ratio to the baseline', 'by processor time', 'spawns'],
    results.map(({ name, ms, times, cpuTimes, spawns }) => [
      ...[name, count(ms), ratio(times), cpuTimes === undefined ? '–' : ratio(cpuTimes), String(spawns)],
    ]),
  )
  const [{ times }, generated] = results as [Result, Result]
  return {
    figures: results,
    targets: [
      { name: 'spawn to first 200, times raw node:http', value: times, atMost: 1.6 },
      { name: `the same with ${PETS} generated pets`, value: generated.times, atMost: 2.5 },
    ],
  }
}

async function measure({ name, command }: Pick<Candidate, 'name' | 'command'>, spawns: number): Promise<Result> {
  const pairs: { baseline: Started; own: Started }[] = []
  // The first pair fills the caches of the disk.
  for (let round = 0; round <= spawns; round++) {
    const pair = { baseline: await spawnOnce(BASELINE_COMMAND), own: await spawnOnce(command()) }
    if (round > 0) pairs.push(pair)
  }
  const ms = median(pairs.map(({ own }) => own.ms))
  const times = median(pairs.map(({ own, baseline }) => own.ms / baseline.ms))
  const cpuTimes = pairs.flatMap(({ own, baseline }) => (own.cpuMs && baseline.cpuMs ? own.cpuMs / baseline.cpuMs : []))
  return { name, spawns, ms, times, ...(cpuTimes.length > 0 && { cpuTimes: median(cpuTimes) }) }
}

async function spawnOnce(command: Command): Promise<Started> {
  const { pid, startMs, stop } = await start(command)
  const cpuMs = cpuMsOf(pid)
  await stop()
  return { ms: startMs, cpuMs }
}
