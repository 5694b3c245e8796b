/**
 * Runs the benchmarks: `npm run bench`, or `npm run bench -- --quick` for only petstore-mock and the baseline. Every part
 * runs in a separate process and prints its tables; the targets are printed at the end.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { arch, cpus, loadavg, platform, release } from 'node:os'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { isMet, type Mode, type Outcome, type Target } from './outcome.js'
import { parts } from './parts.js'
import { here } from './processes.js'
import { printTable, printTitle, ratio } from './table.js'

const { values } = readFlags()
if (values.help) printHelp()
else await run()

function readFlags() {
  try {
    return parseArgs({
      options: {
        quick: { type: 'boolean', default: false },
        only: { type: 'string' },
        against: { type: 'string' },
        json: { type: 'string' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    })
  } catch (error) {
    exitWith((error as Error).message)
  }
}

async function run(): Promise<void> {
  const all = Object.keys(parts).filter((name) => !(values.quick && parts[name]?.long))
  const names = values.only?.split(',') ?? all
  const unknown = names.find((name) => parts[name] === undefined)
  if (unknown !== undefined) exitWith(`Unknown part "${unknown}". Available: ${Object.keys(parts).join(', ')}.`)
  const mode: Mode = { quick: values.quick, against: values.against && resolve(values.against) }
  console.log(describeMachine())
  const outcomes = new Map<string, Outcome>()
  for (const name of names) outcomes.set(name, await runPart(name, mode))
  printTargets([...outcomes.values()].flatMap(({ targets }) => targets))
  if (values.json !== undefined) {
    writeFileSync(values.json, JSON.stringify({ machine: describeMachine(), mode, ...Object.fromEntries(outcomes) }))
  }
}

async function runPart(name: string, mode: Mode): Promise<Outcome> {
  const child = fork(here('part-process.ts'), [name, JSON.stringify(mode)], {
    execArgv: [...process.execArgv, '--expose-gc'],
  })
  const ended = once(child, 'exit')
  const [outcome] = (await Promise.race([once(child, 'message'), ended])) as [Outcome | number | null]
  if (outcome === null || typeof outcome === 'number') exitWith(`The part "${name}" failed.`)
  await ended
  return outcome
}

function describeMachine(): string {
  const { model = 'unknown processor' } = cpus()[0] ?? {}
  const load = loadavg().map((value) => value.toFixed(1))
  return `${model}, ${cpus().length} cores, ${platform()} ${release()} ${arch()}, Node ${process.version}, load ${load.join(' ')}`
}

function printTargets(targets: readonly Target[]): void {
  if (targets.length === 0) return
  printTitle('Targets')
  printTable(
    ['', 'target', 'reached', '', ''],
    targets.map((target) => [
      target.name,
      target.atLeast === undefined ? `at most ${target.atMost}` : `at least ${target.atLeast}`,
      ratio(target.value),
      isMet(target) ? 'met' : 'NOT MET',
      target.note ?? '',
    ]),
  )
}

function printHelp(): void {
  console.log('npm run bench -- [--quick] [--only part,part] [--against folder] [--json file]\n')
  console.log('  --quick   only petstore-mock and the baseline, with shorter samples; downloads nothing')
  console.log('  --only    only these parts:')
  for (const [name, { description, long }] of Object.entries(parts))
    console.log(`              ${name.padEnd(12)} ${description}${long ? ' (not with --quick)' : ''}`)
  console.log('  --against also measures another build: its dist folder (throughput, start-up)')
  console.log('  --json    also writes the figures to a file')
}

function exitWith(message: string): never {
  console.error(message)
  process.exit(2)
}
