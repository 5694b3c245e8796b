import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Reporter, TestModule, Vitest } from 'vitest/node'
import { MockError } from '../engine/contract/errors.js'
import { type Coverage, createCoverage, formatCoverage, formatPercent, percentOf } from '../engine/control/coverage.js'
import { storeContract } from '../petstore/contract.js'
import { applyOptions, type Expectations, refuseUnknown } from '../petstore/options.js'
import { addCounts, type CoverageCounts, countsOf, listCounts } from './coverage-meta.js'

export interface CoverageReporterOptions {
  /** How many percent of the document's operations the tests must exercise. Default: any number will do. */
  operations?: number
  /** How many percent of the statuses that the document declares. Default: any number will do. */
  statuses?: number
  /** Fails the run where a deprecated operation was used. Default: false. */
  failOnDeprecated?: boolean
  /** A file to write the coverage to as JSON, relative to vitest's root. Default: none. */
  json?: string
}

/**
 * Shows at the end of a run what of the document all its tests together exercised, and fails the run where that is not
 * enough.
 */
export default class CoverageReporter implements Reporter {
  readonly #options: ResolvedOptions
  #vitest: Vitest | undefined
  /** By the module's id: when tests run again on a change, those that do not still count. */
  readonly #modules = new Map<string, TestedModule>()

  constructor(options: CoverageReporterOptions = {}) {
    this.#options = resolveOptions(options)
  }

  onInit(vitest: Vitest): void {
    this.#vitest = vitest
  }

  async onTestRunEnd(testModules: readonly TestModule[], _errors: unknown, reason?: string): Promise<void> {
    for (const module of testModules) this.#modules.set(module.id, readModule(module))
    // What was not run says nothing of what there is.
    if (reason === 'interrupted') return
    const modules = [...this.#modules.values()]
    const report = toReport(modules)
    this.#show(report)
    const problems = [...findProblems(report, modules, this.#options), ...(await this.#write(report))]
    for (const problem of problems) this.#vitest?.logger.error(`petstore-mock: ${problem}`)
    if (problems.length > 0) process.exitCode = 1
  }

  #show(report: Coverage): void {
    const logger = this.#vitest?.logger
    const stream = logger?.outputStream
    const colour = stream !== undefined && 'hasColors' in stream && stream.hasColors()
    const isUsed = report.summary.operations.exercised > 0
    logger?.log(`\n${isUsed ? formatCoverage(report, { colour }) : `petstore-mock: ${NOTHING}`}\n`)
  }

  /** Returns what went wrong. */
  async #write(report: Coverage): Promise<string[]> {
    const { json } = this.#options
    if (json === undefined) return []
    const file = resolve(this.#vitest?.config.root ?? '', json)
    try {
      await mkdir(dirname(file), { recursive: true })
      await writeFile(file, `${JSON.stringify(report, null, 2)}\n`)
      return []
    } catch (error) {
      return [`the coverage cannot be written: ${error instanceof Error ? error.message : String(error)}`]
    }
  }
}

const NOTHING =
  'no test used an operation. Coverage comes from tests with the fixture of petstore-mock/vitest, and from those whose' +
  ' afterEach calls recordCoverage.'

interface ResolvedOptions {
  readonly operations: number | undefined
  readonly statuses: number | undefined
  readonly failOnDeprecated: boolean
  readonly json: string | undefined
}

const DEFAULTS: ResolvedOptions = {
  operations: undefined,
  statuses: undefined,
  failOnDeprecated: false,
  json: undefined,
}

const EXPECTATIONS: Expectations<ResolvedOptions> = {
  operations: [isOptionalPercentage, 'a percentage from 0 to 100'],
  statuses: [isOptionalPercentage, 'a percentage from 0 to 100'],
  failOnDeprecated: [(value) => typeof value === 'boolean', 'true or false'],
  json: [(value) => value === undefined || (typeof value === 'string' && value !== ''), 'the path of a file'],
}

function resolveOptions(options: CoverageReporterOptions): ResolvedOptions {
  try {
    refuseUnknown(options, Object.keys(DEFAULTS))
    return applyOptions(options, DEFAULTS, EXPECTATIONS)
  } catch (error) {
    if (!(error instanceof MockError)) throw error
    const refusal = new MockError(error.code, `petstore-mock/vitest/reporter: ${error.message}`)
    // Vitest shows it, and nothing in it is of the file where the option stands.
    refusal.stack = String(refusal)
    throw refusal
  }
}

function isOptionalPercentage(value: unknown): boolean {
  return value === undefined || (typeof value === 'number' && value >= 0 && value <= 100)
}

/** What the tests of a file exercised. */
interface TestedModule {
  readonly name: string
  readonly counts: CoverageCounts
}

function readModule(module: TestModule): TestedModule {
  const tests = Array.from(module.children.allTests(), (test) => countsOf(test.meta()))
  return { name: module.relativeModuleId, counts: tests.reduce(addCounts, {}) }
}

function toReport(modules: readonly TestedModule[]): Coverage {
  const coverage = createCoverage(storeContract().operations())
  for (const { operation, status, count } of modules.flatMap(({ counts }) => listCounts(counts))) {
    coverage.record(operation, status, count)
  }
  return coverage.report()
}

/** Why the run is to fail, each in a sentence. */
function findProblems(report: Coverage, modules: readonly TestedModule[], options: ResolvedOptions): string[] {
  const low = (['operations', 'statuses'] as const).flatMap((what) => {
    const [share, asked = 0] = [report.summary[what], options[what]]
    if (percentOf(share) >= asked) return []
    const { exercised, total } = share
    return `${exercised} of ${total} ${what} are exercised (${formatPercent(share)}), but ${asked} % are asked for`
  })
  const used = report.operations.filter(({ deprecated, count }) => options.failOnDeprecated && deprecated && count > 0)
  return [
    ...low,
    ...used.map(({ operation, count, sunset }) => {
      const until = sunset === undefined ? '' : ` and gone from ${sunset}`
      const times = count === 1 ? 'once' : `${count} times`
      return `${operation} is deprecated${until}, but was used ${times}, in ${usersOf(operation, modules).join(', ')}`
    }),
  ]
}

function usersOf(operation: string, modules: readonly TestedModule[]): string[] {
  const users = modules.filter(({ counts }) => listCounts(counts).some((each) => each.operation === operation))
  return users.map(({ name }) => name)
}
