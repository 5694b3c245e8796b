import type { ClockState } from '../engine/control/clock.js'
import type {
  Reproduction as CompleteReproduction,
  RecordedControl,
  RecordedExchange,
} from '../engine/reproduction/reproduction.js'
import { stringifyJson } from '../lib/json.js'
import { isSafeMethod } from '../lib/safe-method.js'
import { createControlWriter, INDENT, type Runner } from './control.js'
import { findObstacle, remarksOn, titleOf } from './exchange.js'
import { toExpectations, toSetUp } from './expectations.js'
import { toComment } from './fetch.js'
import { quoteText, toLiteral, toObjectCode } from './literal.js'
import { toOverrideLines } from './override.js'

type Reproduction = Pick<CompleteReproduction, 'options' | 'start' | 'missing' | 'steps'>

/** Longer data is read from the file of the reproduction. */
const MAX_INLINE = 10_000

/** Options that say when a test fails, how long it takes, or how it is addressed. */
const LEFT_OUT = ['failOn', 'failOnUnused', 'delay', 'requireSandbox']

/**
 * A test that repeats some requests of a reproduction, and what came before them, and expects the recorded responses.
 * `selected` are steps of the reproduction, and `file` is its path, if it is in a file.
 */
export function toTest(
  runner: Runner,
  reproduction: Reproduction,
  selected: readonly RecordedExchange[],
  file = '',
): string {
  const steps = reproduction.steps.slice(0, reproduction.steps.indexOf(selected.at(-1) as RecordedExchange) + 1)
  let readsFile = false

  function toData(value: object, place: string): string {
    const text = stringifyJson(value) as string
    if (file === '' || text.length <= MAX_INLINE) return toLiteral(value, INDENT)
    readsFile = true
    return `reproduction.${place}`
  }

  const { options, lines: startLines } = toStart(runner, reproduction, toData)
  const body = [...startLines, ...toBody({ ...reproduction, steps }, { runner, selected, toData })]
  const isExtended = runner === 'vitest'
  return [
    ...(readsFile ? [`import { readFileSync } from 'node:fs'`] : []),
    `import { expect, ${isExtended ? 'test as petstoreTest' : 'test'} } from 'petstore-mock/${runner}'`,
    '',
    ...(readsFile
      ? [
          '// Data that is too long for this file is read from the reproduction.',
          `const reproduction = JSON.parse(readFileSync(${quoteText(file)}, 'utf8'))`,
          '',
        ]
      : []),
    ...(isExtended ? [`const test = petstoreTest.extend('petstoreOptions', ${options})`, ''] : []),
    ...(!isExtended && options !== undefined
      ? [
          '// Without the option petstoreUrl: the worker starts a server.',
          `test.use({ petstoreOptions: ${options} })`,
          '',
        ]
      : []),
    `test(${quoteText(toTitle(selected))}, async ({ petstore }) => {`,
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
function toStart(runner: Runner, { options, start }: Reproduction, toData: (value: object, place: string) => string) {
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
  lines.push(`await petstore.reset(${toLiteral(Object.fromEntries(kept))})`)
  if (fixtures !== undefined) lines.push(`await petstore.importState(${fixtures})`)
  return { lines }
}

interface BodySettings {
  readonly runner: Runner
  readonly selected: readonly RecordedExchange[]
  toData(value: object, place: string): string
}

/** The statements for the steps. */
function toBody({ missing, options, steps }: Reproduction, { runner, selected, toData }: BodySettings): string[] {
  const paths = new Set(steps.map((step) => ('control' in step ? step.control.path : undefined)))
  const controls = createControlWriter({ runner, toData, isNamedLater: (path) => paths.has(path) })
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

  function moveClock(to: string): void {
    if (to === time) return
    const prefix = runner === 'playwright' ? 'await ' : ''
    // Frozen first, so that it shows exactly this time.
    if (time === undefined) lines.push(`${prefix}petstore.clock.freeze()`)
    lines.push(`${prefix}petstore.clock.set(${quoteText(to)})`)
    time = to
  }

  function addControl(step: RecordedControl, index: number): void {
    const { path, body } = step.control
    if (wasSelected) separate()
    wasSelected = false
    if (path === '/__admin/clock') {
      const state = (body ?? {}) as Partial<ClockState>
      moveClock(String(state.now))
      if (state.sunset !== undefined && state.sunset !== sunset) {
        sunset = state.sunset
        lines.push(`${runner === 'playwright' ? 'await ' : ''}petstore.clock.setSunset(${quoteText(sunset)})`)
      }
      return
    }
    hasRules ||= /^\/__admin\/(?:faults|overrides)/.test(path)
    hasExpiry ||= body !== undefined && 'expiresAfterMs' in body
    if (hasExpiry || path.startsWith('/__admin/data/')) moveClock(step.at)
    lines.push(...controls.toLines(step, index))
  }

  function addExchange(step: RecordedExchange): void {
    const { method } = step.request
    const isSelected = selection.has(step)
    const isWrite = !isSafeMethod(method)
    // A read changes nothing but the counts of rules.
    if (!isSelected && !isWrite && !hasRules) return
    if (isSelected || wasSelected) separate()
    wasSelected = isSelected
    const obstacle = findObstacle(step, 'fetch')
    if (obstacle !== undefined) {
      lines.push(toComment(`${titleOf(step)} is left out, because ${obstacle}.`))
      return
    }
    if (isWrite || sunset === 'enforce' || hasExpiry) moveClock(step.at)
    if (controls.isFunction(step.override)) {
      const prefix = runner === 'playwright' ? 'await ' : ''
      const override = toOverrideLines(step, { times: 1 }, INDENT)
      lines.push(...override.map((line) => (line.startsWith('//') ? line : prefix + line)))
    }
    if (isSelected) number += 1
    lines.push(...remarksOn(step).map(toComment))
    lines.push(
      ...(isSelected ? toExpectations(step, selected.length > 1 ? `response${number}` : 'response') : [toSetUp(step)]),
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
