/**
 * Measures the installed size of the packed package and of comparable command-line tools, each installed into an empty
 * folder in the same way. Usage: `npm run install-size` after `npm run build`. Fails if ours is not the smallest.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packInto } from '../test/support/packed.js'

const PEERS = ['@stoplight/prism-cli@5.16.0', '@mockoon/cli@9.9.0']

interface Installed {
  readonly name: string
  readonly bytes: number
  readonly packages: number
  /** The number of packages with install scripts. */
  readonly scripts: number
  readonly seconds: number
}

const folder = mkdtempSync(join(tmpdir(), 'petstore-mock-size-'))
try {
  const [ours, ...peers] = [await packInto(folder), ...PEERS].map(install) as [Installed, ...Installed[]]
  report(ours, peers)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function install(spec: string, index: number): Installed {
  const project = join(folder, `project-${index}`)
  mkdirSync(project)
  writeFileSync(join(project, 'package.json'), '{ "private": true }')
  const start = performance.now()
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  execFileSync('npm', ['install', ...quiet, spec], { cwd: project, stdio: ['ignore', 'ignore', 'inherit'] })
  const seconds = (performance.now() - start) / 1000
  const entries = Object.values(readLock(project)).filter(({ link }) => !link)
  return {
    name: spec.startsWith('/') ? 'petstore-mock' : spec,
    bytes: sizeOf(join(project, 'node_modules')),
    packages: entries.length,
    scripts: entries.filter(({ hasInstallScript }) => hasInstallScript).length,
    seconds,
  }
}

/** npm's entry for each installed package. */
function readLock(project: string): Record<string, { hasInstallScript?: boolean; link?: boolean }> {
  return JSON.parse(readFileSync(join(project, 'node_modules/.package-lock.json'), 'utf8')).packages
}

function sizeOf(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return files.reduce((sum, file) => sum + statSync(join(file.parentPath, file.name)).size, 0)
}

function report(ours: Installed, peers: readonly Installed[]): void {
  const rows = [ours, ...peers].map(({ name, bytes, packages, scripts, seconds }) => [
    name,
    `${(bytes / 1e6).toFixed(1)} MB`,
    `${(bytes / ours.bytes).toFixed(1)} ×`,
    String(packages),
    String(scripts),
    `${seconds.toFixed(1)} s`,
  ])
  const table = [['', 'on disk', 'ratio', 'packages', 'install scripts', 'took'], ...rows]
  const widths = table[0]?.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0))) ?? []
  for (const [name = '', ...figures] of table) {
    const cells = figures.map((figure, index) => figure.padStart(widths[index + 1] ?? 0))
    console.log([name.padEnd(widths[0] ?? 0), ...cells].join('  '))
  }
  const smaller = peers.filter(({ bytes, packages }) => bytes <= ours.bytes || packages <= ours.packages)
  const problems = [
    ...smaller.map(({ name }) => `${name} is smaller than petstore-mock`),
    ...(ours.scripts > 0 ? ['petstore-mock runs an install script'] : []),
  ]
  for (const problem of problems) console.error(`FAIL ${problem}`)
  if (problems.length > 0) process.exitCode = 1
}
