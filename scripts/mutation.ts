/**
 * Breaks the code in many small ways and looks whether the tests notice: `npm run mutation`. Arguments behind it go to
 * Stryker (`-- -m src/lib/int64.ts`). Fails when they notice fewer than test/mutation/stryker.config.json asks for.
 * What was tried before and has not changed is not tried again, unless with `-- --force`.
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installTools } from './install-tools.js'

const root = fileURLToPath(new URL('../', import.meta.url))
const home = join(root, 'test/mutation')

installTools(home)
const stryker = join(home, 'node_modules/@stryker-mutator/core/bin/stryker.js')
const args = [stryker, 'run', 'test/mutation/stryker.config.json', ...process.argv.slice(2)]
// Stryker mutates what lies where it is started.
const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' })
process.exitCode = status ?? 1
