/**
 * Checks the built server and the packed package with third-party tools. Usage: `npm run judges` after `npm run build`;
 * names select some of the judges. The tools are installed in test/judges, with their own lockfile; `--install` does only
 * that.
 */
import { availableParallelism } from 'node:os'
import type { Judge } from '../test/judges/judge.js'
import { knip } from '../test/judges/knip.js'
import { licences } from '../test/judges/licences.js'
import { redocly, spectral } from '../test/judges/lint.js'
import { attw, publint } from '../test/judges/package.js'
import { portman } from '../test/judges/portman.js'
import { prism } from '../test/judges/prism.js'
import { prose } from '../test/judges/prose.js'
import { respect } from '../test/judges/respect.js'
import { HERE } from '../test/judges/tools.js'
import { installTools } from './install-tools.js'

const JUDGES: readonly Judge[] = [prism, respect, portman, redocly, spectral, publint, attw, knip, licences, prose]
/** In characters, because the output of some tools is very long. */
const MAX_PROBLEM_LENGTH = 2000

const names = process.argv.slice(2)
if (names.join() === '--install') {
  installTools(HERE)
  process.exit()
}
const unknown = names.filter((name) => !JUDGES.some((judge) => judge.name === name))
if (unknown.length > 0) {
  const available = JUDGES.map(({ name }) => name).join(', ')
  console.error(`Unknown judge: ${unknown.join(', ')}. Available: ${available}.`)
  process.exit(2)
}
installTools(HERE)
const queue = JUDGES.filter(({ name }) => names.length === 0 || names.includes(name)).values()
await Promise.all(Array.from({ length: availableParallelism() }, runJudges))

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
