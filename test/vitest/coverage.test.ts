import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Coverage, createCoverage } from '../../src/engine/control/coverage.js'
import { storeContract } from '../../src/petstore/contract.js'
import { countsOf, recordCoverage } from '../../src/vitest/coverage-meta.js'
import Reporter from '../../src/vitest/reporter.js'

interface Run {
  readonly exitCode: number
  readonly output: string
}

/** Runs the tests of the folder `covered` in a process of their own, with these options for the reporter. */
function runCovered(options: object, ...args: string[]): Promise<Run> {
  const root = fileURLToPath(new URL('./covered/', import.meta.url))
  const vitest = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url))
  const env = { ...process.env, REPORTER_OPTIONS: JSON.stringify(options), NO_COLOR: '1' }
  const all = [vitest, 'run', '--root', root, '--config', 'vitest.config.ts', ...args]
  return new Promise((resolve) => {
    const child = execFile(process.execPath, all, { cwd: root, env }, (_, stdout, stderr) =>
      resolve({ exitCode: child.exitCode ?? -1, output: `${stdout}${stderr}` }),
    )
  })
}

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-mock-coverage-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

describe('the reporter', () => {
  it('shows what all test files together exercised', async () => {
    const file = join(await makeFolder(), 'deeper/coverage.json')
    const { exitCode, output } = await runCovered({ operations: 16, statuses: 3.9, json: file })
    expect(output).toMatch(/^listPets +GET \/pets +3 +beta +200 400 \(406 421 500\)$/m)
    expect(output).toMatch(/^getPet +GET \/pets\/\{petId\} +2 +deprecated +200 404 \(400 406 410 421 500\)$/m)
    expect(output).toMatch(/^listOrders +GET \/store\/orders +1 +200 \(400 406 421 500\)$/m)
    expect(output).toMatch(/^createPet +POST \/pets +0 /m)
    expect(output).toContain('Operations 3 of 18 exercised (16.6 %)\nStatuses   5 of 127 exercised (3.9 %)\n')
    expect(output).not.toContain('petstore-mock:')
    expect(exitCode).toBe(0)
    const written: Coverage = JSON.parse(await readFile(file, 'utf8'))
    expect(written.operations.filter(({ count }) => count > 0)).toMatchObject([
      { operation: 'listPets', count: 3 },
      { operation: 'getPet', count: 2 },
      { operation: 'listOrders', count: 1 },
    ])
    expect(written.summary.operations).toEqual({ total: 18, exercised: 3 })
  })

  it('fails a run that exercises too little or something deprecated, or that it cannot write down, and says why', async () => {
    const unwritable = 'pets.case.ts/coverage.json'
    const options = { operations: 80, statuses: 30, failOnDeprecated: true, json: unwritable }
    const { exitCode, output } = await runCovered(options)
    expect(exitCode).toBe(1)
    expect(output).toContain(
      'petstore-mock: 3 of 18 operations are exercised (16.6 %), but 80 % are asked for\n' +
        'petstore-mock: 5 of 127 statuses are exercised (3.9 %), but 30 % are asked for\n' +
        'petstore-mock: getPet is deprecated and gone from 2030-12-05, but was used 2 times, in pets.case.ts, shared.case.ts\n' +
        'petstore-mock: the coverage cannot be written: ',
    )
  })

  it('passes a run that uses nothing deprecated', async () => {
    const { exitCode, output } = await runCovered({ failOnDeprecated: true }, 'shared.case.ts', '-t', 'reads orders')
    expect(output).toContain('Operations 1 of 18')
    expect(output).not.toContain('is deprecated')
    expect(exitCode).toBe(0)
  })

  it('says where coverage comes from when there is none', async () => {
    const { exitCode, output } = await runCovered({ operations: 1 }, 'pets.case.ts', '-t', 'asks for nothing')
    expect(output).toContain('petstore-mock: no test used an operation.')
    expect(output).toContain('recordCoverage')
    expect(output).toContain('0 of 18 operations are exercised (0 %), but 1 % are asked for')
    expect(exitCode).toBe(1)
  })

  it('refuses an option that there is not, before anything runs', async () => {
    const { exitCode, output } = await runCovered({ operation: 80 })
    expect(output).toContain('Unknown option "operation". Did you mean "operations"?')
    expect(output).not.toContain('listPets')
    expect(exitCode).toBe(1)
  })

  it.each([
    [{ operations: 101 }, 'Option "operations" must be a percentage from 0 to 100. Received: 101.'],
    [{ statuses: '30' }, 'Option "statuses" must be a percentage from 0 to 100. Received: "30".'],
    [{ statuses: Number.NaN }, 'Option "statuses" must be a percentage from 0 to 100. Received: NaN.'],
    [{ failOnDeprecated: 1 }, 'Option "failOnDeprecated" must be true or false. Received: 1.'],
    [{ json: '' }, 'Option "json" must be the path of a file. Received: "".'],
  ])('refuses %j', (options, message) => {
    expect(() => new Reporter(options as object)).toThrow(message)
  })
})

describe('what a test carries', () => {
  const start = () => createCoverage(storeContract().operations())

  it('is how often it used what', () => {
    const coverage = start()
    coverage.record('getPet', 200, 2)
    coverage.record('getPet', 404)
    coverage.record('listPets', 0)
    const task = { meta: { own: 'kept' } }
    recordCoverage(task, coverage.report())
    expect(task.meta).toHaveProperty('own', 'kept')
    expect(countsOf(task.meta)).toEqual({ 'getPet 200': 2, 'getPet 404': 1, 'listPets 0': 1 })
  })

  it('is nothing where it used nothing', () => {
    const task = { meta: {} }
    recordCoverage(task, start().report())
    expect(task.meta).toEqual({})
  })

  it('is the sum of several pet stores', () => {
    const [one, other] = [start(), start()]
    one.record('getPet', 200)
    other.record('getPet', 200)
    other.record('listPets', 200)
    const task = { meta: {} }
    recordCoverage(task, one.report())
    recordCoverage(task, other.report())
    expect(countsOf(task.meta)).toEqual({ 'getPet 200': 2, 'listPets 200': 1 })
  })

  it('is not what an earlier test used of the same pet store', () => {
    const coverage = start()
    const [first, second] = [{ meta: {} }, { meta: {} }]
    coverage.record('getPet', 200)
    recordCoverage(first, coverage.report())
    coverage.record('getPet', 200)
    coverage.record('listPets', 400)
    recordCoverage(second, coverage.report())
    recordCoverage(second, coverage.report())
    expect(countsOf(first.meta)).toEqual({ 'getPet 200': 1 })
    expect(countsOf(second.meta)).toEqual({ 'getPet 200': 1, 'listPets 400': 1 })
  })

  it('is all of a report that comes from elsewhere', () => {
    const coverage = start()
    coverage.record('getPet', 200)
    const report = JSON.parse(JSON.stringify(coverage.report()))
    const task = { meta: {} }
    recordCoverage(task, report)
    expect(countsOf(task.meta)).toEqual({ 'getPet 200': 1 })
  })
})
