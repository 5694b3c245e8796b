/**
 * Runs the quick tests many times while every core is kept busy, to find tests that depend on time. Usage:
 * `npm run test:repeat`; `-- --times 5` for fewer runs. Other arguments are passed to vitest. Prints a line for each run, and
 * the output of those that fail.
 */
import { spawn, spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const root = fileURLToPath(new URL('../', import.meta.url))
const MAX_OUTPUT_BYTES = 64 * 1_048_576

const { values, positionals } = parseArgs({
  options: { times: { type: 'string', default: '20' } },
  allowPositionals: true,
})

const busy = Array.from({ length: availableParallelism() }, () => spawn(process.execPath, ['-e', 'for (;;);']))
process.once('exit', () => {
  for (const child of busy) child.kill('SIGKILL')
})
// Otherwise the default action would end this process without the handler above.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

const times = Number(values.times)
let passed = 0
for (let run = 1; run <= times; run++) if (runTests(run)) passed += 1
console.log(`${passed} of ${times} runs passed`)
process.exit(passed === times ? 0 : 1)

function runTests(run: number): boolean {
  const start = performance.now()
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', ...positionals]
  const options = { cwd: root, encoding: 'utf8', maxBuffer: MAX_OUTPUT_BYTES } as const
  const { status, stdout, stderr } = spawnSync(process.execPath, vitest, options)
  if (status !== 0) console.log(stdout + stderr)
  const seconds = Math.round((performance.now() - start) / 1000)
  console.log(`run ${run}: ${status === 0 ? 'passed' : 'FAILED'} in ${seconds} s`)
  return status === 0
}
