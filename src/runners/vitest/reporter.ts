import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Reporter, TestModule, Vitest } from 'vitest/node'
import type { DeclaredOperation } from '../../document/contract/contract.js'
import { messageOf } from '../../engine/control/unreported-errors.js'
import { type Coverage, createCoverage, leaveOutStatuses, percentOf } from '../../engine/log/coverage.js'
import { applyOptions, BOOLEAN, type OptionRows, type Resolved, rejectUnknown } from '../../engine/options.js'
import { MockError } from '../../http/errors.js'
import { printable, printableLines } from '../../lib/text.js'
import { storeContract } from '../../petstore/contract.js'
import { formatCoverage, formatPercent } from '../terminal.js'
import { type RecordedCoverage, recordedOn } from './coverage-meta.js'

export interface CoverageReporterOptions {
  /** The percentage of operations that the tests must exercise. Default: 0. */
  operations?: number
  /** The percentage of documented response statuses that the tests must exercise. Default: 0. */
  statuses?: number
  /** Statuses that no client can provoke, such as 421: the threshold of `statuses` does not count them. Default: none. */
  ignoreStatuses?: readonly number[]
  /** Whether the run fails if a deprecated operation was used. Default: false. */
  failOnDeprecated?: boolean
  /** A file to write the coverage to as JSON, relative to vitest's root. Default: none. */
  json?: string
}

/** Prints how much of the OpenAPI document all tests together exercised, by service, and fails the run if that is too little. */
export default class CoverageReporter implements Reporter {
  readonly #options: ResolvedOptions
  #vitest: Vitest | undefined
  /** By module id: in watch mode, modules that did not run again still count. */
  readonly #modules = new Map<string, TestedModule>()
  /** What the documents declare, by the hash of the service. */
  readonly #operations = new Map<number, readonly DeclaredOperation[]>()

  constructor(options: CoverageReporterOptions = {}) {
    this.#options = resolveOptions(options)
  }

  onInit(vitest: Vitest): void {
    this.#vitest = vitest
  }

  async onTestRunEnd(testModules: readonly TestModule[], _errors: unknown, reason?: string): Promise<void> {
    for (const module of testModules) this.#modules.set(module.id, this.#read(module))
    if (reason === 'interrupted') return
    const modules = [...this.#modules.values()]
    const reports = createReports(modules, this.#operations)
    for (const report of reports) this.#print(report)
    const found = reports.flatMap((report) => findProblems(report, modules, this.#options))
    const problems = [...found, ...(await this.#write(reports))]
    for (const problem of problems) this.#vitest?.logger.error(`petstore-mock: ${printableLines(problem)}`)
    if (problems.length > 0) process.exitCode = 1
  }

  #read(module: TestModule): TestedModule {
    const recorded = [...module.children.allTests()].flatMap((test) => recordedOn(test.meta()))
    for (const { service, operations } of recorded) if (operations) this.#operations.set(service, operations)
    return { name: module.relativeModuleId, recorded }
  }

  #print({ name, report }: ServiceReport): void {
    const logger = this.#vitest?.logger
    const stream = logger?.outputStream
    const colour = stream !== undefined && 'hasColors' in stream && stream.hasColors()
    const isUsed = report.summary.operations.exercised > 0
    const title = name === undefined ? '' : `${printable(name)}\n`
    logger?.log(`\n${title}${isUsed ? formatCoverage(report, { colour }) : `petstore-mock: ${NOTHING_RECORDED}`}\n`)
  }

  /** Returns the problem, if any. */
  async #write(reports: readonly ServiceReport[]): Promise<string[]> {
    const { json } = this.#options
    if (json === undefined) return []
    const [only] = reports
    const content =
      reports.length > 1 ? Object.fromEntries(reports.map(({ name, report }) => [name, report])) : only?.report
    const file = resolve(this.#vitest?.config.root ?? '', json)
    try {
      await mkdir(dirname(file), { recursive: true })
      await writeFile(file, `${JSON.stringify(content, null, 2)}\n`)
      return []
    } catch (error) {
      return [`The coverage file could not be written: ${messageOf(error)}`]
    }
  }
}

const NOTHING_RECORDED =
  'No test used an operation. Coverage is recorded by the tests of petstore-mock/vitest, and by recordCoverage in an ' +
  'afterEach hook.'

interface ResolvedOptions extends Resolved<CoverageReporterOptions, 'json'> {}

const PERCENTAGE = [
  (value: unknown) => typeof value === 'number' && value >= 0 && value <= 100,
  'a percentage from 0 to 100',
] as const

const OPTIONS: OptionRows<ResolvedOptions> = {
  operations: [0, ...PERCENTAGE],
  statuses: [0, ...PERCENTAGE],
  ignoreStatuses: [[], (value) => Array.isArray(value) && value.every(isStatus), 'a list of HTTP statuses'],
  failOnDeprecated: [false, ...BOOLEAN],
  json: [
    undefined,
    (value) => value === undefined || (typeof value === 'string' && value !== ''),
    'the path of a file',
  ],
}

function isStatus(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 100 && (value as number) <= 599
}

function resolveOptions(options: CoverageReporterOptions): ResolvedOptions {
  try {
    rejectUnknown(options, Object.keys(OPTIONS))
    return applyOptions(options, OPTIONS)
  } catch (error) {
    if (!(error instanceof MockError)) throw error
    const named = new MockError(error.code, `petstore-mock/vitest/reporter: ${error.message}`)
    // vitest prints the stack, but the config file that contains the option is not in it.
    named.stack = String(named)
    throw named
  }
}

interface TestedModule {
  readonly name: string
  readonly recorded: readonly RecordedCoverage[]
}

/** Of one service. */
interface ServiceReport {
  readonly service?: number
  /** Missing if there is only one. */
  readonly name: string | undefined
  readonly report: Coverage
}

function createReports(
  modules: readonly TestedModule[],
  operations: ReadonlyMap<number, readonly DeclaredOperation[]>,
): ServiceReport[] {
  const recorded = modules.flatMap((module) => module.recorded)
  const used = [...new Set(recorded.map(({ service }) => service))]
  if (used.length === 0) return [{ name: undefined, report: createCoverage(storeContract().operations()).report() }]
  const names = new Set<string>()
  return used.map((service) => {
    const own = recorded.filter((each) => each.service === service)
    const coverage = createCoverage(operations.get(service) ?? [])
    for (const { operation, status, count } of own.flatMap(({ counts }) => counts)) {
      coverage.record(operation, status, count)
    }
    const name = findFreeName(own.find((each) => each.name !== undefined)?.name ?? 'service', names)
    return { service, name: used.length > 1 ? name : undefined, report: coverage.report() }
  })
}

/** Different services may have the same name in different files. */
function findFreeName(name: string, names: Set<string>): string {
  let free = name
  for (let number = 2; names.has(free); number += 1) free = `${name} ${number}`
  names.add(free)
  return free
}

function findProblems(
  { service, name, report }: ServiceReport,
  modules: readonly TestedModule[],
  options: ResolvedOptions,
): string[] {
  const of = name === undefined ? '' : ` of ${name}`
  const { operations } = report
  const { summary } = leaveOutStatuses(report, options.ignoreStatuses)
  const belowThreshold = (['operations', 'statuses'] as const)
    .filter((what) => percentOf(summary[what]) < options[what])
    .map((what) => {
      const { exercised, total } = summary[what]
      const percent = formatPercent(summary[what])
      return `Only ${exercised} of ${total} ${what}${of} were exercised (${percent}). Required: ${options[what]} %.`
    })
  const deprecated = operations
    .filter((each) => options.failOnDeprecated && each.deprecated && each.count > 0)
    .map(({ operation, count, sunset }) => {
      const until = sunset === undefined ? '' : ` and will be removed on ${sunset}`
      const times = count === 1 ? 'once' : `${count} times`
      const users = modules.filter(({ recorded }) =>
        recorded.some((each) => each.service === service && each.counts.some((used) => used.operation === operation)),
      )
      return `${operation} is deprecated${until}, but was used ${times}, in ${users.map(({ name }) => name).join(', ')}.`
    })
  return [...belowThreshold, ...deprecated]
}
