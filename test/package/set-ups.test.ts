import { cp, readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { WARNINGS } from '../support/examples.js'
import { isFullRun } from '../support/full-run.js'
import { npm, root } from '../support/packed.js'
import { type Output, runToEnd } from '../support/runtimes.js'
import { CANNOT_WORK, type Outcome } from './cannot-work.js'

/** The number of cases that the suite has in each set-up. */
const CASES = 53

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

/** Outside of the full run: every runner, mode, environment and entry, and everything that cannot work, without Jest 29. */
const SOME = [
  'vitest, threads, jsdom',
  'vitest, forks, node',
  'vitest, isolate: false, happy-dom',
  'Jest 30, babel-jest, jsdom',
  'Jest 30, babel-jest, jest-fixed-jsdom',
  'Jest 30, ts-jest, node',
  'Jest 30, ES modules, node',
  'Jest 30, ES modules, happy-dom',
  ...OTHERS,
]

/** The versions of Jest, and the folder that each is installed in. Installing one takes longer than its tests. */
const JESTS: readonly [string, string][] = [
  ['Jest 30', '.'],
  ...(isFullRun ? [['Jest 29', 'jest-29'] as [string, string]] : []),
]

/** Those of vitest are tested with both entries of the package. */
const SET_UPS = isFullRun ? [...VITEST, ...JEST, ...OTHERS] : SOME

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
  await npm(folder, [...install, inject('tarball')])
  if (isFullRun) await npm(join(folder, 'jest-29'), install)
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
  for (const [runner, where] of JESTS) {
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

// What starts to work must be removed from the list and from docs/unit-tests.md.
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

interface JestReport {
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    readonly message: string
    readonly assertionResults: readonly { title: string; status: string; failureMessages: readonly string[] }[]
  }[]
}

describe.each(JESTS)('the test files of one process in %s', (_, where) => {
  let report: JestReport

  beforeAll(async () => {
    const jest = join(where, 'node_modules/jest/bin/jest.js')
    const args = ['--config', 'jest-files/jest.config.cjs', '--runInBand', '--json', '--outputFile=report.json']
    const { stderr } = await runToEnd([process.execPath, jest, ...args], folder, { JEST_FOLDER: where })
    expect(stderr).not.toMatch(WARNINGS)
    report = JSON.parse(await readFile(join(folder, 'report.json'), 'utf8'))
  })

  /** The result of the file whose name starts with a number. */
  function resultOf(number: number) {
    const result = report.testResults.find(({ name }) => basename(name).startsWith(`${number}-`))
    return result ?? expect.fail(`There is no result of file ${number}.`)
  }

  it('all run', () => {
    expect(report.testResults.map(({ status }) => status)).toHaveLength(6)
  })

  it('fail if they do not close a mock, and do not affect the next file', () => {
    const { status, message, assertionResults } = resultOf(1)
    expect(assertionResults).toMatchObject([{ status: 'passed' }])
    expect(status).toBe('failed')
    expect(message).toMatch(/A mock was not closed\..* at .*1-forgets-close\.case\.cjs:4:/)
    expect(resultOf(2)).toMatchObject({ status: 'passed', message: '' })
  })

  it('are told when they fail because they did not call listen()', () => {
    const { message } = resultOf(3)
    expect(message).toMatch(/The mock was never listening.* at .*3-forgets-listen\.case\.cjs:3:/)
    expect(message).not.toContain('dispatcher')
  })

  it('may close a mock in their last hook', () => {
    expect(resultOf(4)).toMatchObject({ status: 'passed', message: '' })
  })

  it('need one call to have a mock that listens, is reset, checked and closed', () => {
    const { message, assertionResults } = resultOf(5)
    expect(assertionResults.map(({ status }) => status)).toEqual(['passed', 'passed', 'failed', 'failed', 'passed'])
    expect(assertionResults.map(({ failureMessages }) => failureMessages.length)).toEqual([0, 0, 1, 1, 0])
    expect(message).not.toContain('was not closed')
  })

  it('survive every fault and a client that gives up', () => {
    const failures = resultOf(6).assertionResults.flatMap(({ failureMessages }) => failureMessages)
    expect(failures).toEqual([])
    expect(resultOf(6).assertionResults).toHaveLength(20)
  })
})

it("has the matchers' types for @jest/globals and for @types/jest", async () => {
  const compiler = ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.types.json']
  expect(await runToEnd([process.execPath, ...compiler], folder, {})).toMatchObject({ code: 0, stdout: '' })
})

it('documents what cannot work', async () => {
  const page = await readFile(join(root, 'docs/unit-tests.md'), 'utf8')
  const [section = ''] = page.slice(page.indexOf('### What cannot work')).split('\n### Matchers')
  const rows = section.split('\n').filter((line) => line.startsWith('| '))
  expect(rows.slice(1)).toEqual(CANNOT_WORK.map(({ row }) => `| ${row} |`))
})
