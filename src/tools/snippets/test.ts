import { readAdminRequest } from '../../engine/admin/request.js'
import type { ClockState } from '../../engine/control/clock.js'
import type { RecordedControl, RecordedExchange, Reproduction } from '../../engine/log/reproduction.js'
import { isSafeMethod } from '../../http/methods.js'
import { stringifyJson } from '../../lib/json.js'
import { createControlWriter, type Runner } from './control.js'
import { findObstacle, leftOut, readExactJson, remarksOn, titleOf } from './exchange.js'
import { INDENT, type MockName, quoteText, toComment, toLiteral, toObjectCode } from './literal.js'
import { toOverrideLines } from './override.js'
import { toFetchArguments } from './request.js'
import { toHead } from './test-head.js'

/** What a test is written from. */
export type TestedRun = Pick<Reproduction, 'specHash' | 'document' | 'options' | 'start' | 'missing' | 'steps'>

/** Paths from the working directory, as code has them. */
export interface TestFiles {
  /** The reproduction, for tests that read large data from it. Without it, all data is in the test. */
  readonly file?: string
  /** The document or service file of a service that is not built in. Without it, the test has a place for it. */
  readonly source?: string | undefined
}

/** Longer data is read from the file of the reproduction. */
const MAX_INLINE = 10_000

/** Options that say when a test fails, how long it takes, or how it is addressed. */
const LEFT_OUT = ['failOn', 'failOnUnused', 'delay', 'requireSandbox']

/**
 * A test that repeats some requests of a reproduction, and what came before them, and expects the recorded responses.
 * `selected` are steps of the reproduction.
 */
export function toTest(
  runner: Runner,
  mock: MockName,
  reproduction: TestedRun,
  selected: readonly RecordedExchange[],
  { file = '', source }: TestFiles,
): string {
  const steps = reproduction.steps.slice(0, reproduction.steps.indexOf(selected.at(-1) as RecordedExchange) + 1)
  let readsFile = false

  function toData(value: object, place: string): string {
    const text = stringifyJson(value) as string
    if (file === '' || text.length <= MAX_INLINE) return toLiteral(value, INDENT)
    readsFile = true
    return `reproduction.${place}`
  }

  const settings = { runner, mock, selected, toData }
  const { options, lines: startLines } = toStart(reproduction, settings)
  const body = [...startLines, ...toBody({ ...reproduction, steps }, settings)]
  const { imports, lines } = toHead(runner, mock, { options, source })
  return [
    ...(readsFile ? [`import { readFileSync } from 'node:fs'`] : []),
    ...imports,
    '',
    ...(readsFile
      ? [
          '// Data that is too long for this file is read from the reproduction.',
          `const reproduction = JSON.parse(readFileSync(${quoteText(file)}, 'utf8'))`,
          '',
        ]
      : []),
    ...lines,
    `test(${quoteText(toTitle(selected))}, async ({ ${mock} }) => {`,
    ...body.map((line) => (line === '' ? '' : INDENT + line)),
    '})',
  ].join('\n')
}

function toTitle(selected: readonly RecordedExchange[]): string {
  const [first, last] = [selected[0], selected.at(-1)] as [RecordedExchange, RecordedExchange]
  if (selected.length > 1) return `${selected.length} requests, from ${titleOf(first)} to ${titleOf(last)}`
  return first.response?.status ? `${titleOf(first)} returns ${first.response.status}` : `${titleOf(first)} fails`
}

/** The options of the mock as code, and the first statements. */
function toStart({ options, start }: TestedRun, { runner, mock, toData }: BodySettings) {
  const { state, ...generated } = start
  const given = Object.entries({ ...options, ...generated }).filter(([, value]) => value !== undefined)
  const kept = given.filter(([name]) => !LEFT_OUT.includes(name))
  const fixtures = state && toData(state, 'start.state')
  const code = toObjectCode({
    ...Object.fromEntries(kept.map(([name, value]) => [name, toLiteral(value, INDENT)])),
    fixtures,
  })
  const hasDelay = given.some(([name]) => name === 'delay')
  const lines = hasDelay ? [toComment('Without the delay of the mock, so that the test is quick.')] : []
  // A running mock can be reset to another seed and scenario, but it has its own options.
  const canReset = kept.every(([name]) => name === 'seed' || name === 'scenario')
  if (runner === 'vitest' || !canReset) return { options: code, lines }
  lines.push(`await ${mock}.reset(${toLiteral(Object.fromEntries(kept))})`)
  if (fixtures !== undefined) lines.push(`await ${mock}.importState(${fixtures})`)
  return { lines }
}

interface BodySettings {
  readonly runner: Runner
  readonly mock: MockName
  readonly selected: readonly RecordedExchange[]
  toData(value: object, place: string): string
}

/** The statements for the steps. */
function toBody({ missing, options, steps }: TestedRun, { runner, mock, selected, toData }: BodySettings): string[] {
  const paths = new Set(steps.map((step) => ('control' in step ? step.control.path : undefined)))
  const controls = createControlWriter({ runner, mock, toData, isNamedLater: (path) => paths.has(path) })
  const selection = new Set(selected)
  const lines: string[] = []
  let { sunset = 'announce' } = options as { sunset?: string }
  let hasRules = false
  let hasExpiry = false
  let time: string | undefined
  let number = 0
  let wasSelected = false

  function separate(): void {
    if (lines.length > 0) lines.push('')
  }

  function addCall(call: string): void {
    lines.push(runner === 'playwright' ? `await ${call}` : call)
  }

  function moveClock(to: string): void {
    if (to === time) return
    // Frozen first, so that it shows exactly this time.
    if (time === undefined) addCall(`${mock}.clock.freeze()`)
    addCall(`${mock}.clock.set(${quoteText(to)})`)
    time = to
  }

  function addControl(step: RecordedControl, index: number): void {
    const { body } = step.control
    if (wasSelected) separate()
    wasSelected = false
    const { operation = '', path } = readAdminRequest(step.control) ?? {}
    if (operation === 'setClock') {
      const state = (body ?? {}) as Partial<ClockState>
      moveClock(String(state.now))
      if (state.sunset !== undefined && state.sunset !== sunset) {
        sunset = state.sunset
        addCall(`${mock}.clock.setSunset(${quoteText(sunset)})`)
      }
      return
    }
    hasRules ||= /Faults?$|Overrides?$/.test(operation)
    hasExpiry ||= body !== undefined && 'expiresAfterMs' in body
    if (hasExpiry || path?.collection !== undefined) moveClock(step.at)
    lines.push(...controls.toLines(step, index))
  }

  function addExchange(step: RecordedExchange): void {
    const { method } = step.request
    const isSelected = selection.has(step)
    // The handlers of your own service may do anything, and single records are created when they are first read.
    const isWrite = mock === 'mock' || !isSafeMethod(method)
    // A read of the built-in service changes nothing but the counts of rules.
    if (!isSelected && !isWrite && !hasRules) return
    if (isSelected || wasSelected) separate()
    wasSelected = isSelected
    const obstacle = findObstacle(step, 'fetch')
    if (obstacle !== undefined) {
      lines.push(leftOut(step, obstacle))
      return
    }
    if (isWrite || sunset === 'enforce' || hasExpiry) moveClock(step.at)
    if (controls.isFunction(step.override)) {
      for (const line of toOverrideLines(mock, step, { times: 1 }, INDENT)) {
        if (line.startsWith('//')) lines.push(line)
        else addCall(line)
      }
    }
    if (isSelected) number += 1
    lines.push(...remarksOn(step))
    lines.push(
      ...(isSelected
        ? toExpectations(mock, step, selected.length > 1 ? `response${number}` : 'response')
        : [toSetUp(mock, step)]),
    )
  }

  if (missing > 0)
    lines.push(toComment(`Steps missing at the start of the recording: ${missing}. The test may fail without them.`))
  for (const [index, step] of steps.entries()) {
    if ('control' in step) addControl(step, index)
    else addExchange(step)
  }
  return lines
}

/** A request that never gets a response needs a time limit. */
function toCall(mock: MockName, { request, fault }: RecordedExchange): string {
  const limit = fault?.kind === 'timeout' ? { signal: 'AbortSignal.timeout(100)' } : undefined
  return `${mock}.fetch(${toFetchArguments('', request, INDENT, limit)})`
}

const failsToRespond = ({ fault }: RecordedExchange) => fault?.kind === 'reset' || fault?.kind === 'timeout'

/** A request whose response does not matter. */
function toSetUp(mock: MockName, step: RecordedExchange): string {
  const call = `await ${toCall(mock, step)}`
  return failsToRespond(step) ? `${call}.catch(() => {})` : call
}

/** A request, and what is expected of its response. `name` is the variable for it. */
function toExpectations(mock: MockName, step: RecordedExchange, name: string): string[] {
  if (failsToRespond(step)) return [`await expect(${toCall(mock, step)}).rejects.toThrow()`]
  const { response } = step
  if (!response?.status) return [toComment('It had no response.'), toSetUp(mock, step)]
  return [
    `const ${name} = await ${toCall(mock, step)}`,
    `expect(${name}.status).toBe(${response.status})`,
    ...toBodyExpectations(step, name),
  ]
}

function toBodyExpectations({ request, response, fault }: RecordedExchange, name: string): string[] {
  const { body = '', cut, isBase64 } = response ?? {}
  if (request.method === 'HEAD') return []
  if (fault?.kind === 'truncate' && body !== '') return [`await expect(${name}.text()).rejects.toThrow()`]
  if (cut) return [toComment('The body was too long to record.')]
  if (isBase64) {
    return [`expect(Buffer.from(await ${name}.arrayBuffer()).toString('base64')).toBe(${quoteText(body)})`]
  }
  const value = readExactJson(body)
  if (value === undefined) return [`expect(await ${name}.text()).toBe(${quoteText(body)})`]
  return [`expect(await ${name}.json()).toEqual(${toLiteral(value, INDENT)})`]
}
