/**
 * The cost of the adapters in process: `petstore.fetch` compared with a function that returns a constant `Response`, an
 * intercepted fetch compared with one msw handler with a constant response, and the import of each adapter.
 */
import { execFileSync } from 'node:child_process'
import { createPetstore } from './built.js'
import { cases } from './cases.js'
import { interceptions } from './interceptions.js'
import type { Mode, Outcome } from './outcome.js'
import { builtCommand, here } from './processes.js'
import { median, timeAsync } from './statistics.js'
import { micros, printTable, printTitle, ratio } from './table.js'

const ROUNDS = { quick: 9, full: 25 }
const WARM_UP = 3
const FETCHES = { inMemory: 500, intercepted: 300 }
const IMPORTS = { quick: 7, full: 15 }
const BASE = 'https://petstore.test'

type Fetch = (input: string | Request, init?: RequestInit) => Promise<Response>

export async function measureInProcess({ quick }: Mode): Promise<Outcome> {
  const rounds = quick ? ROUNDS.quick : ROUNDS.full
  printTitle('In process', `Microseconds of processor time a call, one after the other; medians of ${rounds} rounds.`)
  const inMemory = await measureInMemory(rounds)
  const intercepted = await measureIntercepted(rounds)
  const imports = measureImports(quick ? IMPORTS.quick : IMPORTS.full)
  const [plain] = inMemory as [(typeof inMemory)[number]]
  const worst = inMemory.reduce((most, each) => (each.times > most.times ? each : most))
  const [, ours] = intercepted as [Row, Row]
  return {
    figures: { inMemory, intercepted, imports },
    targets: [
      {
        ...{ name: `petstore.fetch, ${plain.name}, times a constant function`, value: plain.times, atMost: 2.5 },
        note: `worst: ${worst.name} ${ratio(worst.times)}`,
      },
      { name: 'intercepted fetch, times a bare msw handler', value: ours.times, atMost: 1.1 },
    ],
  }
}

interface Row {
  readonly name: string
  readonly cost: number
  readonly times: number
}

async function measureInMemory(rounds: number) {
  const petstore = createPetstore()
  await petstore.ready
  const { get, list, create, invalid } = cases
  const kinds = [
    { name: get.name, step: get, withRequest: false },
    { name: list.name, step: list, withRequest: false },
    { name: create.name, step: create, withRequest: false },
    { name: invalid.name, step: invalid, withRequest: false },
    { name: `${get.name}, with a Request`, step: get, withRequest: true },
    { name: `${create.name}, with a Request`, step: create, withRequest: true },
  ]
  const rows = []
  for (const { name, step, withRequest } of kinds) {
    const send = (fetch: Fetch) => async () => {
      const { method, target, body, status } = step
      const init = { method, ...(body && { body, headers: { 'content-type': 'application/json' } }) }
      for (let count = 0; count < FETCHES.inMemory; count++) {
        const url = BASE + target
        const response = withRequest ? await fetch(new Request(url, init)) : await fetch(url, init)
        if (response.status !== status) throw new Error(`${name} returned ${response.status}.`)
        await response.text()
      }
    }
    const constant = await toConstant(petstore.fetch as Fetch, BASE + step.target, step)
    const samples: { baseline: number; own: number }[] = []
    for (let round = -WARM_UP; round < rounds; round++) {
      const baseline = (await timeAsync(send(constant))) / FETCHES.inMemory
      const own = (await timeAsync(send(petstore.fetch as Fetch))) / FETCHES.inMemory
      petstore.reset()
      if (round >= 0) samples.push({ baseline, own })
    }
    const [baseline, cost] = [median(samples.map((each) => each.baseline)), median(samples.map((each) => each.own))]
    rows.push({ name, baseline, cost, times: median(samples.map((each) => each.own / each.baseline)) })
  }
  printTable(
    ['petstore.fetch', 'constant function', 'petstore.fetch', 'ratio'],
    rows.map(({ name, baseline, cost, times }) => [name, micros(baseline), micros(cost), ratio(times)]),
  )
  return rows
}

/** A function that always returns the same response. */
async function toConstant(
  fetch: Fetch,
  url: string,
  { method, body }: { method: string; body?: string },
): Promise<Fetch> {
  const init = { method, ...(body && { body, headers: { 'content-type': 'application/json' } }) }
  const response = await fetch(url, init)
  const { status } = response
  const headers = Object.fromEntries(response.headers)
  const text = await response.text()
  return async () => new Response(text, { status, headers })
}

async function measureIntercepted(rounds: number): Promise<Row[]> {
  const samples = new Map(interceptions.map((each) => [each, [] as number[]]))
  for (let round = -WARM_UP; round < rounds; round++) {
    for (const [interception, costs] of samples) {
      const { fetch, stop } = interception.start(BASE)
      const cost = await timeAsync(async () => {
        for (let count = 0; count < FETCHES.intercepted; count++) {
          const response = await fetch(`${BASE}/pets/1`)
          const pet = (await response.json()) as { id: number }
          if (pet.id !== 1) throw new Error(`${interception.name} returned ${response.status}.`)
        }
      })
      stop()
      if (round >= 0) costs.push(cost / FETCHES.intercepted)
    }
  }
  const [baseline = []] = samples.values()
  const rows = [...samples].map(([{ name }, costs]) => ({
    ...{ name, cost: median(costs) },
    times: median(costs.map((cost, round) => cost / (baseline[round] as number))),
  }))
  printTable(
    ['GET /pets/1', 'µs', 'ratio to the first'],
    rows.map(({ name, cost, times }) => [name, micros(cost), ratio(times)]),
  )
  return rows
}

/** Uses a new process each time, and subtracts the time of an empty script. */
function measureImports(spawns: number) {
  const evaluate = (script: string) => ['--input-type=module', '-e', script]
  const load = (file: string) => `await import(${JSON.stringify(here(`../dist/${file}`))})`
  const adapters: Record<string, string[]> = {
    'an empty script': evaluate(''),
    'petstore-mock': evaluate(load('index.js')),
    'petstore-mock/server': evaluate(load('server.js')),
    'petstore-mock/node': evaluate(load('node.js')),
    'msw/node alone': evaluate("await import('msw/node')"),
    // The import fails outside a test, after everything is loaded.
    'petstore-mock/vitest': evaluate(`${load('vitest.js')}.catch(() => {})`),
    'vitest alone': evaluate("await import('vitest')"),
    'petstore-mock --version': [builtCommand, '--version'],
  }
  const samples = new Map(Object.keys(adapters).map((name) => [name, [] as number[]]))
  for (let round = 0; round <= spawns; round++) {
    for (const [name, args] of Object.entries(adapters)) {
      const startedAt = performance.now()
      execFileSync(process.execPath, args, { cwd: here('..'), stdio: ['ignore', 'ignore', 'inherit'] })
      if (round > 0) samples.get(name)?.push(performance.now() - startedAt)
    }
  }
  const [empty = []] = samples.values()
  const rows = [...samples].map(([name, times]) => ({
    ...{ name, ms: median(times), more: median(times.map((ms, round) => ms - (empty[round] as number))) },
    times: median(times.map((ms, round) => ms / (empty[round] as number))),
  }))
  printTable(
    ['import, in a new process', 'ms', 'ms more than an empty script', 'ratio'],
    rows.map(({ name, ms, more, times }) => [name, ms.toFixed(0), more.toFixed(0), ratio(times)]),
  )
  return rows
}
