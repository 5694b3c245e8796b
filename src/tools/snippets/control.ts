import { readAdminRequest } from '../../engine/admin/request.js'
import type { RecordedControl } from '../../engine/log/reproduction.js'
import { stringifyJson } from '../../lib/json.js'
import { decodePercent } from '../../lib/text.js'
import { secretRemark, splitHeaders } from './exchange.js'
import { INDENT, type MockName, quoteText, toComment, toLiteral, toMemberCode } from './literal.js'
import { toOverrideCall } from './override.js'

/** Two test runners: with Playwright the mock runs in another process, and its functions return promises. */
export type Runner = 'vitest' | 'playwright'

interface Writer {
  readonly runner: Runner
  readonly mock: MockName
  /** The code of a large value. `place` says where it is in the reproduction. */
  toData(value: object, place: string): string
  /** Whether a later step names this fault or override. */
  isNamedLater(path: string): boolean
}

/** Writes what a test did between requests, as calls of the mock's functions. */
export function createControlWriter({ runner, mock, toData, isNamedLater }: Writer) {
  const counts = { faults: 0, overrides: 0 }
  /** The variables of faults and overrides, by the path of the admin API. */
  const variables = new Map<string, string>()
  const functionIds = new Set<number>()

  function toStatement(call: string, failed = false): string {
    if (runner === 'playwright') return failed ? `await expect(${call}).rejects.toThrow()` : `await ${call}`
    return failed ? `expect(() => ${call}).toThrow()` : call
  }

  function toAdded(kind: 'faults' | 'overrides', call: string): string {
    counts[kind] += 1
    const path = `/__admin/${kind}/${counts[kind]}`
    if (!isNamedLater(path)) return toStatement(call)
    const variable = `${kind.slice(0, -1)}${counts[kind]}`
    variables.set(path, variable)
    return `const ${variable} = ${toStatement(call)}`
  }

  function toNewFault({ body = {} }: RecordedControl['control']): string[] {
    const { rule, remarks } = readRule(body)
    return [...remarks, toAdded('faults', `${mock}.faults.add(${toLiteral(rule, INDENT)})`)]
  }

  function toFaultChange({ method, path, body = {} }: RecordedControl['control']): string[] {
    const variable = variables.get(path)
    if (variable === undefined)
      return [toComment('A change of a fault is left out: the fault was added before the first step.')]
    if (method === 'DELETE') return [toStatement(`${mock}.faults.remove(${variable}.id)`)]
    const { rule, remarks } = readRule(body)
    return [...remarks, toStatement(`${mock}.faults.update(${variable}.id, ${toLiteral(rule, INDENT)})`)]
  }

  function toRemovedOverride(path: string): string[] {
    const variable = variables.get(path)
    return variable === undefined ? [] : [toStatement(`${mock}.overrides.remove(${variable}.id)`)]
  }

  function toNewOverride({ control: { body }, isFunction }: RecordedControl): string[] {
    if (isFunction) {
      counts.overrides += 1
      functionIds.add(counts.overrides)
      return [toComment('A function made the responses of an override. The recorded ones stand in for it.')]
    }
    const { operation, status, headers, body: content, sequence, ...options } = body as Record<string, unknown>
    const { rule, remarks } = readRule(sequence ? { sequence } : { status, headers, body: content })
    const response = toLiteral('sequence' in rule ? rule.sequence : rule, INDENT)
    const call = toOverrideCall(mock, String(operation), response, options, INDENT)
    return [...remarks, ...remarksOnMatch(options), toAdded('overrides', call)]
  }

  function toCreations(collection: string, { control: { body }, failed }: RecordedControl): string[] {
    if (!Array.isArray(body)) return [toStatement(`${collection}.create(${toFields(body)})`, failed)]
    const [first] = body
    if (body.every((each) => stringifyJson(each) === stringifyJson(first))) {
      const fields = toFields(first)
      return [toStatement(`${collection}.createMany(${body.length}${fields && `, ${fields}`})`, failed)]
    }
    if (failed) return [toComment(`${body.length} records that were rejected are left out.`)]
    return body.map((each) => toStatement(`${collection}.create(${toFields(each)})`))
  }

  /** `index` is that of the step in the reproduction. */
  function toLines(step: RecordedControl, index: number): string[] {
    const { control, failed } = step
    const { method, path, body } = control
    const { operation, path: names = {} } = readAdminRequest(control) ?? {}
    const collection = `${mock}.data${toMemberCode(names.collection ?? '')}`
    const id = toId(names.recordId ?? '', mock)
    switch (operation) {
      case 'addFault':
        return toNewFault(control)
      case 'updateFault':
      case 'removeFault':
        return toFaultChange(control)
      case 'clearFaults':
        return [toStatement(`${mock}.faults.clear()`)]
      case 'addOverride':
        return toNewOverride(step)
      case 'removeOverride':
        return toRemovedOverride(path)
      case 'clearOverrides':
        return [toStatement(`${mock}.overrides.clear()`)]
      case 'createRecords':
        return toCreations(collection, step)
      case 'updateRecord':
        return [toStatement(`${collection}.update(${id}, ${toLiteral(body, INDENT)})`, failed)]
      case 'deleteRecord':
        return [toStatement(`${collection}.delete(${id})`, failed)]
      case 'replaceState':
        return [toStatement(`${mock}.importState(${toData(body ?? {}, `steps[${index}].control.body`)})`)]
    }
    const init = {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body && { body: stringifyJson(body) }),
    }
    return [`await ${mock}.fetch(${quoteText(path)}, ${toLiteral(init, INDENT)})`]
  }

  return {
    toLines,
    /** Whether an override is a function, which cannot be written. */
    isFunction: (override: number | undefined) => override !== undefined && functionIds.has(override),
  }
}

type Steps = readonly (object | 'pass')[]

/** A rule without members that are undefined, secret headers, and its delay, so that the test does not wait. */
function readRule(body: object): { rule: object; remarks: string[] } {
  const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined))
  const { delayMs, sequence, ...others } = given as { delayMs?: unknown; sequence?: Steps }
  if (sequence) {
    const steps = sequence.map((step) => (step === 'pass' ? { rule: step, remarks: [] } : readRule(step)))
    const remarks = [...remarksOnMatch(others), ...steps.flatMap((step) => step.remarks)]
    return { rule: { ...others, sequence: steps.map(({ rule }) => rule) }, remarks }
  }
  const { known, hidden } = splitHeaders(given.headers ?? {}, NONE)
  const rule = { ...given, ...(given.headers && { headers: Object.fromEntries(known) }) }
  const remarks = [...hidden.map((name) => secretRemark(`header ${name}`)), ...remarksOnMatch(others)]
  if (!delayMs) return { rule, remarks }
  const remark = toComment(`Without its delay of ${[delayMs].flat().join(' to ')} ms, so that the test is quick.`)
  return { rule: { ...rule, delayMs: 0 }, remarks: [...remarks, remark] }
}

/** What is matched stays in the code: without it, the rule would apply to more requests. */
function remarksOnMatch({ match }: { match?: { headers?: object } }): string[] {
  const { hidden } = splitHeaders((match?.headers ?? {}) as never, NONE)
  return hidden.map((name) => secretRemark(`header ${name} in match`))
}

const NONE = /^$/

/** Every kind of id can be a text, and some kinds are nothing else. Those of the built-in service are integers. */
function toId(id: string, mock: MockName): string {
  if (mock !== 'petstore' || !/^(?:0|-?[1-9]\d*)$/.test(id)) return quoteText(decodePercent(id))
  return Number.isSafeInteger(Number(id)) ? id : `${id}n`
}

function toFields(fields: object | undefined): string {
  return Object.keys(fields ?? {}).length === 0 ? '' : toLiteral(fields, INDENT)
}
