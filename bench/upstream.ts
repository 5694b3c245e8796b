/**
 * The time that a mock in front of a service adds to a request. One request is in flight at a time. Each sample of a proxy
 * follows one of the service itself, which is subtracted from it; the median over the rounds counts.
 */
import { createOurs, createStartingData } from './candidates.js'
import { type Case, cases } from './cases.js'
import { type Load, startLoad } from './load.js'
import type { Mode, Outcome } from './outcome.js'
import { installPeers } from './peers/install.js'
import { prismProxy } from './peers/list.js'
import { builtCommand, type Command, cpuMsOf, type Running, start } from './processes.js'
import { median } from './statistics.js'
import { micros, printTable, printTitle } from './table.js'

interface Proxy {
  readonly name: string
  readonly running: Running
}

/** All for one request, in microseconds. */
interface Figure {
  readonly name: string
  readonly case: string
  readonly direct: number
  readonly added: number
  /** The processor time of the proxy. Missing if the system does not report it. */
  readonly cpu?: number
}

const MEASURED: readonly Case[] = [cases.get, cases.list]

const WARM_UP_REQUESTS = 2000

export async function measureUpstream({ quick }: Mode): Promise<Outcome> {
  const settings = quick ? { rounds: 5, sampleMs: 300 } : { rounds: 9, sampleMs: 600 }
  const load = startLoad()
  const processes: Running[] = []
  async function run(command: Command): Promise<Running> {
    const running = await start(command)
    processes.push(running)
    return running
  }
  try {
    const data = createStartingData()
    const service = await run(createOurs(data).command())
    const url = `http://127.0.0.1:${service.port}`
    const ours = [builtCommand, '--port', '{port}', '--quiet', '--upstream', url, '--pass', '*']
    const proxies: Proxy[] = [{ name: 'petstore-mock --upstream', running: await run({ args: ours }) }]
    for (const { name, command } of quick ? [] : await installPeers(data, [prismProxy(url)])) {
      proxies.push({ name, running: await run(command()) })
    }
    const figures: Figure[] = []
    for (const measured of MEASURED) {
      for (const { running } of [{ running: service }, ...proxies])
        await send(running, measured, load, { requests: WARM_UP_REQUESTS })
      figures.push(...(await measureCase(measured, service, proxies, load, settings)))
    }
    print(figures, settings)
    return { targets: [], figures }
  } finally {
    load.stop()
    await Promise.all(processes.map((running) => running.stop()))
  }
}

async function measureCase(
  measured: Case,
  service: Running,
  proxies: readonly Proxy[],
  load: Load,
  { rounds, sampleMs: forMs }: { readonly rounds: number; readonly sampleMs: number },
): Promise<Figure[]> {
  const samples = proxies.map((proxy) => ({
    proxy,
    direct: [] as number[],
    added: [] as number[],
    cpu: [] as number[],
  }))
  for (let round = 0; round < rounds; round++) {
    for (const { proxy, direct, added, cpu } of samples) {
      const reference = await send(service, measured, load, { forMs })
      const passed = await send(proxy.running, measured, load, { forMs })
      direct.push(reference.micros)
      added.push(passed.micros - reference.micros)
      if (passed.cpu !== undefined) cpu.push(passed.cpu)
    }
  }
  return samples.map(({ proxy, direct, added, cpu }) => ({
    name: proxy.name,
    case: measured.name,
    direct: median(direct),
    added: median(added),
    ...(cpu.length > 0 && { cpu: median(cpu) }),
  }))
}

async function send({ port, pid }: Running, step: Case, load: Load, until: { forMs: number } | { requests: number }) {
  const before = cpuMsOf(pid)
  const { requests, ms } = await load.run({ port, steps: [step], connections: 1, ...until })
  const after = cpuMsOf(pid)
  const cpu = before === undefined || after === undefined ? undefined : ((after - before) / requests) * 1000
  return { micros: (ms / requests) * 1000, cpu }
}

function print(figures: readonly Figure[], { rounds, sampleMs }: { rounds: number; sampleMs: number }): void {
  printTitle('In front of a service', `Medians of ${rounds} rounds of ${sampleMs} ms, one request at a time.`)
  printTable(
    ['', 'request', 'direct', 'added by the proxy', 'processor time of the proxy'],
    figures.map(({ name, case: request, direct, added, cpu }) => [
      name,
      request,
      micros(direct),
      micros(added),
      cpu === undefined ? '–' : micros(cpu),
    ]),
  )
}
