/**
 * Checks the built server, the packed package, the sources and the pages. Usage, after `npm run build`: `npm run judges` for
 * the judges of a change, `npm run judges -- --all` for those of a release too, or the names of some. The tools are installed
 * in test/judges, with their own lockfile.
 */
import { availableParallelism } from 'node:os'
import type { Judge } from '../test/judges/judge.js'
import { knip } from '../test/judges/knip.js'
import { licences } from '../test/judges/licences.js'
import { attw, publint } from '../test/judges/package.js'
import { prism } from '../test/judges/prism.js'
import { prose } from '../test/judges/prose.js'
import { HERE } from '../test/judges/tools.js'
import { installTools } from './install-tools.js'

const OF_A_CHANGE: readonly Judge[] = [prism, knip, licences, prose]
const ALL: readonly Judge[] = [...OF_A_CHANGE, publint, attw]
/** In characters, because the output of some tools is very long. */
const MAX_PROBLEM_LENGTH = 2000

const names = process.argv.slice(2)
const chosen = choose()
installTools(HERE, { withDev: chosen.some((judge) => !OF_A_CHANGE.includes(judge)) })
const queue = chosen.values()
await Promise.all(Array.from({ length: availableParallelism() }, runJudges))

function choose(): readonly Judge[] {
  if (names.length === 0) return OF_A_CHANGE
  if (names.join() === '--all') return ALL
  const unknown = names.filter((name) => !ALL.some((judge) => judge.name === name))
  if (unknown.length === 0) return ALL.filter(({ name }) => names.includes(name))
  const available = ALL.map(({ name }) => name).join(', ')
  console.error(`Unknown judge: ${unknown.join(', ')}. Available: --all, ${available}.`)
  process.exit(2)
}

/** Each tool uses one core most of the time, so several run side by side. */
async function runJudges(): Promise<void> {
  for (const judge of queue) await runJudge(judge)
}

async function runJudge({ name, judge }: Judge): Promise<void> {
  const start = performance.now()
  const { figures, faults } = await judge().catch((error) => ({ figures: 'failed to run', faults: [String(error)] }))
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  console.log(`${faults.length === 0 ? 'ok  ' : 'FAIL'} ${name.padEnd(8)} ${figures} (${seconds} s)`)
  for (const fault of faults) console.log(`     ${fault.slice(0, MAX_PROBLEM_LENGTH)}`)
  if (faults.length > 0) process.exitCode = 1
}
