/**
 * Checks that the same seed gives the same bytes everywhere: compares every scenario with two seeds, and large generated
 * data, read through the built package with two versions of Node, in several time zones and languages.
 * Usage: `npm run compare-seeds`, which builds first. With `-- --this-node-only` nothing is downloaded.
 */
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { PetstoreOptions } from '../src/index.js'
import { scenarioNames } from '../src/petstore/fixtures/scenarios.js'
import { installNode } from './install-node.js'

const OTHER_NODE = '24'
const SEEDS = [1, 7]
const SHOWN = 12

/** UTC, then half-hour offsets on both sides of it, in Turkish, where the lower case of I differs. */
const SETTINGS = [
  { TZ: 'UTC', LANG: 'C', LC_ALL: 'C' },
  { TZ: 'Asia/Kolkata', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8' },
  { TZ: 'America/St_Johns', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8' },
] as const

interface Subject {
  readonly name: string
  readonly options: PetstoreOptions
}

/** The output of a child process: its settings, and a hash for each of the subjects, in order. */
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

const folder = await mkdtemp(join(tmpdir(), 'petstore-mock-seeds-'))
try {
  const nodes = [process.execPath]
  if (!process.argv.includes('--this-node-only')) nodes.push(await installNode(OTHER_NODE, folder))
  const reports: Report[] = []
  for (const node of nodes) {
    for (const setting of SETTINGS) reports.push(await hashStates(node, setting))
  }
  process.exitCode = print(reports)
} finally {
  await rm(folder, { recursive: true, force: true })
}

async function hashStates(node: string, setting: (typeof SETTINGS)[number]): Promise<Report> {
  const optionsOfAll = JSON.stringify(subjects.map(({ options }) => options))
  const { stdout } = await run(node, [join(root, 'scripts/hash-states.mjs'), optionsOfAll], {
    // Without the caller's environment, so that only the setting matters.
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
  console.log(`\nThe same bytes everywhere: ${subjects.length} states, each in ${reports.length} environments.`)
  return 0
}
