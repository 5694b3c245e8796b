import { describe, expect, it } from 'vitest'
import type { TestModule, Vitest } from 'vitest/node'
import { createCoverage } from '../../src/engine/log/coverage.js'
import { createMock } from '../../src/engine/mock/create-mock.js'
import { storeContract } from '../../src/petstore/contract.js'
import { countsOf, recordCoverage } from '../../src/runners/vitest/coverage-meta.js'
import Reporter from '../../src/runners/vitest/reporter.js'
import { library as service } from '../support/library.js'

const start = () => createCoverage(storeContract().operations())

/** By test file: the requests of its tests, as operation and status. */
type Requests = Readonly<Record<string, readonly (readonly [operation: string, status: number])[]>>

const READS: Requests = {
  'pets.test.ts': [
    ['listPets', 200],
    ['getPet', 200],
    ['listPets', 400],
  ],
  'orders.test.ts': [
    ['getPet', 404],
    ['listOrders', 200],
  ],
}

// runs.test.ts runs vitest with the reporter.
describe('the reporter', () => {
  /** Reports a run of tests that sent these requests. */
  function report(options: object, requests: Requests, root = '') {
    return reportModules(options, Object.entries(requests).map(toModule), root)
  }

  async function reportModules(options: object, modules: readonly TestModule[], root = '') {
    let output = ''
    const print = (text: string) => {
      output += `${text}\n`
    }
    const reporter = new Reporter(options)
    reporter.onInit({ config: { root }, logger: { log: print, error: print } } as unknown as Vitest)
    const { exitCode: before } = process
    process.exitCode = undefined
    await reporter.onTestRunEnd(modules, [])
    const { exitCode } = process
    process.exitCode = before
    return { exitCode, output }
  }

  /** A file with one test for each request. */
  function toModule([name, requests]: [string, Requests[string] & object]): TestModule {
    const tests = requests.map(([operation, status]) => {
      const coverage = start()
      coverage.record(operation, status)
      const task = { meta: {} }
      recordCoverage(task, coverage.report())
      return task
    })
    return moduleOf(name, tests)
  }

  function moduleOf(name: string, tasks: readonly { meta: object }[]): TestModule {
    const tests = tasks.map(({ meta }) => ({ meta: () => meta }))
    return { id: name, relativeModuleId: name, children: { allTests: () => tests } } as unknown as TestModule
  }

  it('does not count ignored statuses in the threshold', async () => {
    const all = storeContract().operations()
    const unprovokable = [406, 421, 500]
    const requests = all.flatMap(({ operation, statuses }) =>
      statuses.filter((status) => !unprovokable.includes(status)).map((status) => [operation, status] as const),
    )
    const missed = await report({ statuses: 100 }, { 'all.test.ts': requests })
    expect(missed.output).toMatch(/Only \d+ of \d+ statuses were exercised/)
    const { exitCode, output } = await report(
      { statuses: 100, ignoreStatuses: unprovokable },
      { 'all.test.ts': requests },
    )
    expect([exitCode, output.includes('Only')]).toEqual([undefined, false])
    expect(() => new Reporter({ ignoreStatuses: [42] })).toThrow('"ignoreStatuses" must be a list of HTTP statuses')
  })

  it('fails a run for low coverage, a deprecated operation or a file that it cannot write', async () => {
    const unwritable = 'coverage.test.ts/coverage.json'
    const options = { operations: 80, statuses: 30, failOnDeprecated: true, json: unwritable }
    const { exitCode, output } = await report(options, READS, import.meta.dirname)
    expect(exitCode).toBe(1)
    expect(output).toContain(
      'petstore-mock: Only 3 of 18 operations were exercised (16.6 %). Required: 80 %.\n' +
        'petstore-mock: Only 5 of 127 statuses were exercised (3.9 %). Required: 30 %.\n' +
        'petstore-mock: getPet is deprecated and will be removed on 2030-12-05, but was used 2 times, in pets.test.ts, orders.test.ts.\n' +
        'petstore-mock: The coverage file could not be written: ',
    )
  })

  it('passes a run without deprecated operations', async () => {
    const { exitCode, output } = await report({ failOnDeprecated: true }, { 'orders.test.ts': [['listOrders', 200]] })
    expect(output).toContain('Operations 1 of 18')
    expect(output).not.toContain('is deprecated')
    expect(exitCode).toBeUndefined()
  })

  it('reports each service that tests have used, with the names that they have there', async () => {
    const library = createMock(service)
    await library.ready
    const found = await library.fetch('/books')
    expect(found.status).toBe(200)
    const [task, other] = [{ meta: {} }, { meta: {} }]
    recordCoverage(task, library.coverage(), 'library')
    const alone = await reportModules({ operations: 80 }, [moduleOf('books.test.ts', [task])])
    expect(alone.output).toContain('petstore-mock: Only 1 of 4 operations were exercised (25 %). Required: 80 %.')
    expect(alone.output).not.toContain('getPet')
    const pets = start()
    pets.record('getPet', 200)
    recordCoverage(other, pets.report(), 'petstore')
    const both = await reportModules({ operations: 80 }, [
      moduleOf('books.test.ts', [task]),
      moduleOf('pets.test.ts', [other]),
    ])
    expect(both.output).toContain('petstore-mock: Only 1 of 4 operations of library were exercised')
    expect(both.output).toContain('petstore-mock: Only 1 of 18 operations of petstore were exercised')
    expect(both.output).toMatch(/^library\noperation .*listBooks .*^petstore\noperation .*listPets /ms)
  })

  it('explains how coverage is recorded if there is none', async () => {
    const { exitCode, output } = await report({ operations: 1 }, { 'quiet.test.ts': [] })
    expect(output).toContain('petstore-mock: No test used an operation.')
    expect(output).toContain('recordCoverage')
    expect(output).toContain('Only 0 of 18 operations were exercised (0 %). Required: 1 %.')
    expect(exitCode).toBe(1)
  })

  it.each([
    [{ operation: 80 }, 'Unknown option "operation". Did you mean "operations"?'],
    [{ operations: 101 }, 'Option "operations" must be a percentage from 0 to 100. Received: 101.'],
    [{ statuses: '30' }, 'Option "statuses" must be a percentage from 0 to 100. Received: "30".'],
    [{ statuses: Number.NaN }, 'Option "statuses" must be a percentage from 0 to 100. Received: NaN.'],
    [{ failOnDeprecated: 1 }, 'Option "failOnDeprecated" must be true or false. Received: 1.'],
    [{ json: '' }, 'Option "json" must be the path of a file. Received: "".'],
  ])('rejects %j', (options, message) => {
    expect(() => new Reporter(options as object)).toThrow(message)
  })
})

describe('recordCoverage', () => {
  it('records requests by operation and status', () => {
    const coverage = start()
    coverage.record('getPet', 200, 2)
    coverage.record('getPet', 404)
    coverage.record('listPets', 0)
    const task = { meta: { custom: 'value' } }
    recordCoverage(task, coverage.report())
    expect(task.meta).toHaveProperty('custom', 'value')
    expect(countsOf(task.meta)).toEqual([
      { operation: 'listPets', status: 0, count: 1 },
      { operation: 'getPet', status: 200, count: 2 },
      { operation: 'getPet', status: 404, count: 1 },
    ])
  })

  it('records nothing for a test without requests', () => {
    const task = { meta: {} }
    recordCoverage(task, start().report())
    expect(task.meta).toEqual({})
  })

  it('records the coverage of several mocks', () => {
    const [one, other] = [start(), start()]
    one.record('getPet', 200)
    other.record('getPet', 200)
    other.record('listPets', 200)
    const task = { meta: {} }
    recordCoverage(task, one.report())
    recordCoverage(task, other.report())
    expect(countsOf(task.meta)).toEqual([
      { operation: 'getPet', status: 200, count: 1 },
      { operation: 'listPets', status: 200, count: 1 },
      { operation: 'getPet', status: 200, count: 1 },
    ])
  })

  it('omits what an earlier test recorded of the same mock', () => {
    const coverage = start()
    const [first, second] = [{ meta: {} }, { meta: {} }]
    coverage.record('getPet', 200)
    recordCoverage(first, coverage.report())
    coverage.record('getPet', 200)
    coverage.record('listPets', 400)
    recordCoverage(second, coverage.report())
    recordCoverage(second, coverage.report())
    expect(countsOf(first.meta)).toEqual([{ operation: 'getPet', status: 200, count: 1 }])
    expect(countsOf(second.meta)).toEqual([
      { operation: 'listPets', status: 400, count: 1 },
      { operation: 'getPet', status: 200, count: 1 },
    ])
  })

  it('records a report from another process in full', () => {
    const coverage = start()
    coverage.record('getPet', 200)
    const report = JSON.parse(JSON.stringify(coverage.report()))
    const task = { meta: {} }
    recordCoverage(task, report)
    expect(countsOf(task.meta)).toEqual([{ operation: 'getPet', status: 200, count: 1 }])
  })
})
