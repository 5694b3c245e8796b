/**
 * Shows that the same seed gives the same bytes everywhere: every scenario at two seeds and a large generated world,
 * read through the built package under two versions of Node, in several time zones and languages.
 * `npx tsx scripts/compare-seeds.ts`; with --this-node-only nothing is downloaded.
 */
import { execFile, execFileSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { PetstoreOptions } from '../src/index.js'
import { scenarioNames } from '../src/petstore/fixtures/scenarios.js'
import { installNode } from './other-node.js'

const OTHER_NODE = '24'
const SEEDS = [1, 7]
const SHOWN = 12

/** UTC, then half hours on both sides of it, in a language whose letter I has a lower case of its own. */
const SETTINGS = [
  { TZ: 'UTC', LANG: 'C', LC_ALL: 'C' },
  { TZ: 'Asia/Kolkata', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8' },
  { TZ: 'America/St_Johns', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8' },
] as const

interface Subject {
  readonly name: string
  readonly options: PetstoreOptions
}

/** What a child prints: where it believes to be, and a hash for each world in the order they were given. */
interface Report {
  readonly version: string
  readonly locale: string
  readonly timeZone: string
  readonly hashes: readonly string[]
}

const run = promisify(execFile)
const root = fileURLToPath(new URL('../', import.meta.url))

const subjects: Subject[] = [
  ...scenarioNames().flatMap((scenario) =>
    SEEDS.map((seed) => ({ name: `${scenario}, seed ${seed}`, options: { scenario, seed } })),
  ),
  ...SEEDS.map((seed) => ({ name: `1,000 pets, seed ${seed}`, options: { pets: 1000, seed } })),
]

prepareBuild()
const folder = await mkdtemp(join(tmpdir(), 'petstore-mock-worlds-'))
try {
  const nodes = [process.execPath]
  if (!process.argv.includes('--this-node-only')) nodes.push(await installNode(OTHER_NODE, folder))
  const reports: Report[] = []
  for (const node of nodes) {
    for (const setting of SETTINGS) reports.push(await hashWorlds(node, setting))
  }
  process.exitCode = print(reports)
} finally {
  await rm(folder, { recursive: true, force: true })
}

/** Builds what is missing. A package that is there may be in use, so an old one is only spoken of. */
function prepareBuild(): void {
  const built = join(root, 'dist/index.js')
  if (!existsSync(built)) {
    execFileSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: 'inherit' })
    return
  }
  const builtAt = statSync(built).mtimeMs
  const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  if (sources.some((file) => statSync(join(root, 'src', file)).mtimeMs > builtAt)) {
    console.warn('The source has changed since dist/ was built; this compares what is in dist/. See: npm run build\n')
  }
}

async function hashWorlds(node: string, setting: (typeof SETTINGS)[number]): Promise<Report> {
  const worlds = JSON.stringify(subjects.map(({ options }) => options))
  const { stdout } = await run(node, [join(root, 'scripts/hash-states.mjs'), worlds], {
    // Nothing else of the caller's environment, so that only the setting decides.
    env: { ...setting },
  })
  return JSON.parse(stdout)
}

/** Prints the table and returns the exit code. */
function print(reports: readonly Report[]): number {
  reports.forEach(({ version, locale, timeZone }, index) => {
    console.log(`[${index + 1}] Node ${version}, time zone ${timeZone}, language ${locale}`)
  })
  const width = Math.max(...subjects.map(({ name }) => name.length)) + 2
  const heads = reports.map((_, index) => `[${index + 1}]`.padEnd(SHOWN + 2)).join('')
  console.log(`\n${' '.repeat(width)}${heads.trimEnd()}`)
  const differing = subjects.filter(({ name }, row) => {
    const hashes = reports.map((report) => report.hashes[row] ?? 'missing')
    const differs = new Set(hashes).size > 1
    const shown = hashes.map((hash) => hash.slice(0, SHOWN).padEnd(SHOWN + 2)).join('')
    console.log(`${name.padEnd(width)}${shown}${differs ? '<- differs' : ''}`.trimEnd())
    return differs
  })
  if (differing.length > 0) {
    console.error(`\nNot the same bytes everywhere: ${differing.map(({ name }) => name).join('; ')}`)
    return 1
  }
  console.log(`\nThe same bytes everywhere: ${subjects.length} worlds, each in ${reports.length} places.`)
  return 0
}
