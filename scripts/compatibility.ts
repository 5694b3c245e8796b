/**
 * Runs the whole test suite where the next versions are: Node 24, msw 3 and vitest 5, in a copy of the project in a
 * temporary folder; then, where there is Chromium, the tests of the browser adapter. `npm run compatibility`; arguments
 * behind it go to vitest, which then runs once.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { hasChromium } from '../test/support/chromium.js'
import { installNode } from './other-node.js'

const NODE = '24'
const PACKAGES = {
  msw: '^3.0.0',
  vitest: '^5.0.0',
  '@vitest/browser-playwright': '^5.0.0',
  '@types/node': `^${NODE}.0.0`,
}

/** In a page msw has another half, the worker script, and these look at both. */
const DOOR = ['--config', 'vitest.browser.config.ts', '--project', 'pages driven from Node', 'test/browser/adapter']

const root = fileURLToPath(new URL('../', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'petstore-mock-compatibility-'))
try {
  const node = await installNode(NODE, mkdtempSync(join(folder, 'node-')))
  const copy = join(folder, 'project')
  copyProject(copy)
  usePackages(copy)
  const quiet = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error']
  execFileSync('npm', ['install', ...quiet], { cwd: copy, stdio: 'inherit' })
  const versions = Object.keys(PACKAGES).map((name) => `${name} ${versionOf(join(copy, 'node_modules', name))}`)
  console.log(`Node ${execFileSync(node, ['--version'], { encoding: 'utf8' }).trim()}, ${versions.join(', ')}`)
  const given = process.argv.slice(2)
  const runs = given.length === 0 && hasChromium() ? [[], DOOR] : [given]
  const statuses = runs.map((args) => runVitest(node, copy, args))
  process.exitCode = Math.max(...statuses)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** What git knows or would add; the examples have packages of their own. */
function copyProject(target: string): void {
  const list = execFileSync('git', ['ls-files', '-z', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  for (const file of list.split('\0').filter((name) => name !== '' && !name.startsWith('examples/'))) {
    mkdirSync(dirname(join(target, file)), { recursive: true })
    copyFileSync(join(root, file), join(target, file))
  }
}

function usePackages(project: string): void {
  const file = join(project, 'package.json')
  const manifest = JSON.parse(readFileSync(file, 'utf8'))
  Object.assign(manifest.devDependencies, PACKAGES)
  // @mswjs/data would bring an msw of its own along.
  manifest.overrides.msw = '$msw'
  writeFileSync(file, JSON.stringify(manifest))
  rmSync(join(project, 'package-lock.json'))
}

function runVitest(node: string, project: string, args: readonly string[]): number {
  const vitest = join(project, 'node_modules/vitest/vitest.mjs')
  return spawnSync(node, [vitest, 'run', ...args], { cwd: project, stdio: 'inherit' }).status ?? 1
}

function versionOf(installed: string): string {
  return JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')).version
}
