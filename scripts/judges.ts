/**
 * Lets tools of others judge the built server and the packed package. `npm run judges` after `npm run build`; names
 * behind it choose among the judges. The tools have a lockfile of their own in test/judges and are installed there.
 */
import type { Judge } from '../test/judges/judge.js'
import { knip } from '../test/judges/knip.js'
import { licences } from '../test/judges/licences.js'
import { redocly, spectral } from '../test/judges/lint.js'
import { attw, publint } from '../test/judges/package.js'
import { portman } from '../test/judges/portman.js'
import { prism } from '../test/judges/prism.js'
import { respect } from '../test/judges/respect.js'
import { HERE } from '../test/judges/tools.js'
import { installTools } from './install-tools.js'

const JUDGES: readonly Judge[] = [prism, respect, portman, redocly, spectral, publint, attw, knip, licences]
/** In characters: some tools print pages. */
const MAX_FAULT_MS = 2000

const names = process.argv.slice(2)
const unknown = names.filter((name) => !JUDGES.some((judge) => judge.name === name))
if (unknown.length > 0) {
  console.error(`no such judge: ${unknown.join(', ')}; there are ${JUDGES.map(({ name }) => name).join(', ')}`)
  process.exit(2)
}
installTools(HERE)
for (const judge of JUDGES.filter(({ name }) => names.length === 0 || names.includes(name))) await hear(judge)

async function hear({ name, judge }: Judge): Promise<void> {
  const began = performance.now()
  const { figures, faults } = await judge().catch((error) => ({ figures: 'broke down', faults: [String(error)] }))
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  console.log(`${faults.length === 0 ? 'ok  ' : 'FAIL'} ${name.padEnd(8)} ${figures} (${seconds} s)`)
  for (const fault of faults) console.log(`     ${fault.slice(0, MAX_FAULT_MS)}`)
  if (faults.length > 0) process.exitCode = 1
}
