import { cp, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { beforeAll, expect, inject, it } from 'vitest'
import { WARNINGS } from '../support/examples.js'
import { isFullRun } from '../support/full-run.js'
import { npm, root } from '../support/packed.js'
import { type Output, runToEnd } from '../support/runtimes.js'
import { CANNOT_WORK, type Outcome } from './cannot-work.js'

/** The number of cases that the suite has in each set-up. */
const CASES = 47

/** For the ES modules of Jest, and the fake timers of Node. */
const NODE_OPTIONS = '--disable-warning=ExperimentalWarning'

/** More than the time limit of a case in the suite. */
const TEST_TIMEOUT_MS = '90000'

/** On a machine that is also busy with other tests. */
const ALL_TIMEOUT_MS = 1_800_000

const VITEST = ['threads', 'forks', 'isolate: false'].flatMap((mode) =>
  ['node', 'jsdom', 'happy-dom'].map((environment) => `vitest, ${mode}, ${environment}`),
)

const JEST = ['Jest 29', 'Jest 30'].flatMap((runner) =>
  ['babel-jest', 'ts-jest', 'ES modules'].flatMap((mode) =>
    ['node', 'jsdom', 'jest-fixed-jsdom', 'happy-dom'].map((environment) => `${runner}, ${mode}, ${environment}`),
  ),
)

const OTHERS = ['Jest 30, babel-jest, default fake timers, happy-dom', 'node:test, node', 'mocha, node']

/**
 * Outside of the full run: every runner, mode, environment and entry; of the pairs, both versions of Jest with every mode and
 * with most environments, and two or three environments with each mode of Jest; and everything that cannot work.
 */
const A_DOZEN = [
  'vitest, threads, jsdom',
  'vitest, forks, node',
  'vitest, isolate: false, happy-dom',
  'Jest 29, babel-jest, jsdom',
  'Jest 29, ts-jest, happy-dom',
  'Jest 29, ES modules, node',
  'Jest 30, babel-jest, jest-fixed-jsdom',
  'Jest 30, ts-jest, node',
  'Jest 30, ES modules, happy-dom',
  ...OTHERS,
]

/** Those of vitest are tested with both entries of the package. */
const SET_UPS = isFullRun ? [...VITEST, ...JEST, ...OTHERS] : A_DOZEN

let folder: string
let outcomes: readonly Outcome[]
const outputs: Record<string, Output> = {}

beforeAll(async () => {
  folder = join(dirname(inject('tarball')), 'set-ups')
  await cp(join(root, 'test/package/set-ups'), folder, {
    recursive: true,
    filter: (path) => !path.endsWith('/node_modules'),
  })
  const install = ['install', '--no-save', '--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts']
  await Promise.all([npm(folder, [...install, inject('tarball')]), npm(join(folder, 'jest-29'), install)])
  // Two at a time.
  await Promise.all([runVitestAndNode(), runJest()])
  outcomes = (await readFile(join(folder, 'outcomes.jsonl'), 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Outcome)
}, ALL_TIMEOUT_MS)

async function runVitestAndNode(): Promise<void> {
  await runIn('vitest', ['node_modules/vitest/vitest.mjs', 'run'])
  await runIn('node:test', ['--test', 'in-node-test.js'])
  await runIn('mocha', ['node_modules/mocha/bin/mocha.js', '--timeout', TEST_TIMEOUT_MS, 'in-mocha.js'])
}

async function runJest(): Promise<void> {
  for (const [runner, where] of [
    ['Jest 30', '.'],
    ['Jest 29', 'jest-29'],
  ] as const) {
    const jest = [join(where, 'node_modules/jest/bin/jest.js'), '--runInBand', `--testTimeout=${TEST_TIMEOUT_MS}`]
    await runIn(`${runner}, CommonJS`, jest, { JEST_FOLDER: where, JEST_MODULES: 'commonjs' })
    const variables = { JEST_FOLDER: where, JEST_MODULES: 'esm' }
    await runIn(`${runner}, ES modules`, ['--experimental-vm-modules', ...jest], variables)
  }
}

async function runIn(name: string, args: readonly string[], variables: NodeJS.ProcessEnv = {}): Promise<void> {
  const all = { OUTCOMES: join(folder, 'outcomes.jsonl'), SET_UPS: SET_UPS.join('\n'), NODE_OPTIONS, ...variables }
  outputs[name] = await runToEnd([process.execPath, ...args], folder, all)
}

const nameOf = ({ runner, mode, environment, entry }: Outcome) =>
  [runner, mode, environment, entry].filter(Boolean).join(', ')

const caseOf = ({ client, title }: Outcome) => `${client} ${title}`

it('runs the whole suite in every set-up', () => {
  const names = new Set(outcomes.map(nameOf))
  const entriesOf = (setUp: string) =>
    setUp.startsWith('vitest') ? [', petstore-mock/node', ', petstore-mock/vitest'] : ['']
  expect([...names].sort()).toEqual(SET_UPS.flatMap((each) => entriesOf(each).map((entry) => each + entry)).sort())
  const casesIn = (name: string) => outcomes.filter((outcome) => nameOf(outcome) === name).map(caseOf)
  const cases = casesIn('node:test, node').sort()
  expect(new Set(cases).size).toBe(CASES)
  const notLoaded = new Set(outcomes.filter(({ client }) => client === undefined).map(nameOf))
  for (const name of names) if (!notLoaded.has(name)) expect(casesIn(name).sort(), name).toEqual(cases)
})

it('works except where it is documented that it cannot', () => {
  const unexpected = outcomes.filter(
    (outcome) => outcome.errors.length > 0 && !CANNOT_WORK.some(({ applies }) => applies(outcome)),
  )
  expect(unexpected).toEqual([])
})

// What starts to work must be removed from the list and from docs/set-ups.md.
it.each(CANNOT_WORK)('cannot work: $row', ({ applies, error }) => {
  const affected = outcomes.filter(applies)
  expect(affected).not.toEqual([])
  for (const outcome of affected) expect(outcome.errors.join('\n'), nameOf(outcome)).toMatch(error)
})

it('leaves nothing behind that keeps a runner from ending, and causes no warnings', () => {
  const notLoaded = outcomes
    .filter(({ client }) => client === undefined)
    .map(({ runner, mode }) => `${runner}, ${mode === 'ES modules' ? mode : 'CommonJS'}`)
  for (const [name, { code, stdout, stderr }] of Object.entries(outputs)) {
    // Jest fails for the files that cannot be loaded.
    expect([name, code]).toEqual([name, notLoaded.includes(name) ? 1 : 0])
    expect(stdout + stderr, name).not.toMatch(WARNINGS)
  }
})

it.each([
  ['nock-13', ['node:http']],
  ['nock-14', ['fetch', 'node:http']],
])('works beside %s, which is named by a warning', async (nock, clients) => {
  const { stdout, stderr } = await runToEnd([process.execPath, 'beside-nock.js', nock], folder, {})
  expect(stderr).toMatch(/^petstore-mock: nock gets requests before the mock\..*\n$/)
  expect(
    stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual(
    ['fetch', 'node:http'].map((client) => {
      const stray = 'UNHANDLED_REQUEST'
      return clients.includes(client)
        ? { client, rate: '1.1', id: 1, stray, reported: ['GET http://stray.test/'] }
        : { client, rate: stray, id: 1, stray, reported: ['GET http://rates.test/eur', 'GET http://stray.test/'] }
    }),
  )
})

it('documents what cannot work', async () => {
  const page = await readFile(join(root, 'docs/set-ups.md'), 'utf8')
  const rows = page
    .slice(page.indexOf('## What cannot work'))
    .split('\n')
    .filter((line) => line.startsWith('| '))
  expect(rows.slice(1)).toEqual(CANNOT_WORK.map(({ row }) => `| ${row} |`))
})
