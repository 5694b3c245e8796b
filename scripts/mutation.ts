/**
 * Runs mutation tests: `npm run mutation`. Arguments are passed to Stryker (`-- -m src/lib/int64.ts`). Fails if the score
 * is below the threshold in test/mutation/stryker.config.json. Unchanged mutants are not tested again, except with
 * `-- --force`.
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { generateIfNeeded } from './generate-if-needed.js'
import { installTools } from './install-tools.js'

const root = fileURLToPath(new URL('../', import.meta.url))
const home = join(root, 'test/mutation')

installTools(home)
// Here, because Stryker runs the tests in a copy whose sources are mutated.
await generateIfNeeded()
const stryker = join(home, 'node_modules/@stryker-mutator/core/bin/stryker.js')
const args = [stryker, 'run', 'test/mutation/stryker.config.json', ...process.argv.slice(2)]
// Stryker mutates the files in the folder where it is started.
const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' })
process.exitCode = status ?? 1
