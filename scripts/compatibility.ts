/**
 * Runs all tests with the next versions, Node 24, msw 3 and vitest 5, in a copy of the project in a temporary folder;
 * then, if Chromium is installed, the tests of the browser adapter. Usage: `npm run compatibility`. Arguments are passed
 * to vitest, which then runs only once.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { hasChromium } from '../test/support/chromium.js'
import { installNode } from './install-node.js'

const NODE = '24'
const PACKAGES = {
  msw: '^3.0.0',
  vitest: '^5.0.0',
  '@vitest/browser-playwright': '^5.0.0',
  '@types/node': `^${NODE}.0.0`,
}

/** In a browser msw has a second part, the worker script; these tests cover both. */
const BROWSER_ADAPTER = [
  '--config',
  'vitest.browser.config.ts',
  '--project',
  'pages driven from Node',
  'test/browser/adapter',
]

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
  const runs = given.length === 0 && hasChromium() ? [[], BROWSER_ADAPTER] : [given]
  const statuses = runs.map((args) => runVitest(node, copy, args))
  process.exitCode = Math.max(...statuses)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** Copies the files that git tracks or would add, except the examples, which have their own packages. */
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
  // Otherwise @mswjs/data would install its own version of msw.
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
