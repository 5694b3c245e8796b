import { faultKindOf } from '../../engine/control/fault-kind.js'
import { stringifyJson } from '../../lib/json.js'
import type { Admin } from '../api.js'
import type { Values } from '../components/problems.js'
import { plural, toNumber } from '../format.js'
import { prettyJson } from '../pretty-json.js'
import { headersToText, readHeadersField, readJsonField } from './fields.js'
import { describeSequence } from './override.js'

export const KINDS: readonly (readonly [kind: Admin['FaultKind'], label: string])[] = [
  ['error', 'Returns an error'],
  ['delay', 'Responds later'],
  ['timeout', 'Never responds'],
  ['reset', 'Drops the connection'],
  ['truncate', 'Truncates the response'],
  ['malformed', 'Returns malformed JSON'],
  ['slow', 'Responds slowly, in chunks'],
]

/** What the form starts with. */
export const NEW_RULE: Values = { kind: 'error', status: '503', times: '1' }

export const hasError = (kind: string | undefined) => kind === 'error'
export const hasDelay = (kind: string | undefined) => kind !== 'timeout'
export const hasHeaders = (kind: string | undefined) => kind !== 'timeout' && kind !== 'reset'
export const needsDelay = (kind: string | undefined) => kind === 'delay' || kind === 'slow'

/**
 * The fault rule for a form. Leaves out fields that are empty or belong to another kind of fault. Throws a SyntaxError if a
 * text is not JSON.
 */
export function toRule(form: Values): Readonly<Record<string, unknown>> {
  const isError = hasError(form.kind)
  const [delayMs, maxDelayMs] = hasDelay(form.kind) ? [toNumber(form.delayMs), toNumber(form.maxDelayMs)] : []
  const rule = {
    operation: form.operation || undefined,
    method: form.method || undefined,
    path: form.path || undefined,
    match: readJsonField(form.match),
    // A rule with a status is for an error response.
    kind: isError && form.status ? undefined : form.kind,
    status: isError ? toNumber(form.status) : undefined,
    code: (isError && form.code) || undefined,
    message: (isError && form.message) || undefined,
    headers: hasHeaders(form.kind) ? readHeadersField(form.headers) : undefined,
    delayMs: maxDelayMs === undefined ? delayMs : [delayMs, maxDelayMs],
    times: toNumber(form.times),
    after: toNumber(form.after),
    probability: toNumber(form.probability),
    expiresAfterMs: toNumber(form.expiresAfterMs),
  }
  return Object.fromEntries(Object.entries(rule).filter(([, value]) => value !== undefined))
}

/** What the form starts with when it changes a rule. */
export function toValues(fault: Admin['Fault']): Values {
  const { operation, method, path, match, headers, delayMs } = fault
  const [min, max] = [delayMs].flat()
  const toText = (value: unknown) => (value === undefined ? '' : String(value))
  const { status, code, message, times, after, probability, expiresAfterMs } = fault
  const texts = { operation, path, status, code, message, times, after, probability, expiresAfterMs }
  return {
    ...Object.fromEntries(Object.entries(texts).map(([name, value]) => [name, toText(value)])),
    kind: faultKindOf(fault),
    method: toText(method?.toUpperCase()),
    delayMs: toText(min),
    maxDelayMs: toText(max),
    headers: headersToText(headers),
    match: match === undefined ? '' : prettyJson(match),
  }
}

/** The fields that differ between two forms: the new values, or null for those that the rule loses. */
export function toChange(before: Values, after: Values): Readonly<Record<string, unknown>> {
  const [from, to] = [toRule(before), toRule(after)]
  const names = Object.keys({ ...from, ...to })
  const changed = names.filter((name) => stringifyJson(from[name]) !== stringifyJson(to[name]))
  return Object.fromEntries(changed.map((name) => [name, to[name] ?? null]))
}

/** Which requests a rule matches. */
export function describeMatch({ operation, method, path }: Admin['Fault']): string {
  const target = [method, path].filter(Boolean).join(' ')
  return [operation, target].filter(Boolean).join(', ') || 'every request'
}

/** Whether a rule makes every request of its operation fail. */
export function failsAlways(fault: Admin['Fault']): boolean {
  const { method, path, times, after, probability, match, expiresAfterMs, sequence } = fault
  const limits = [method, path, times, after, probability, match, expiresAfterMs, sequence]
  return faultKindOf(fault) === 'error' && limits.every((limit) => limit === undefined)
}

/** What a rule does, and when. */
export function describeFault(fault: Admin['Fault']): string {
  const { status, code, headers, delayMs, times, after, probability, expiresAfterMs, match, sequence } = fault
  const kind = faultKindOf(fault)
  const label = KINDS.find(([name]) => name === kind)?.[1]
  const single = kind === 'error' ? ['Returns', status ?? (code ? '' : 500), code].filter(Boolean).join(' ') : label
  return [
    sequence ? describeSequence(sequence) : single,
    headers && plural(Object.keys(headers).length, 'header'),
    delayMs !== undefined && `${[delayMs].flat().join(' to ')} ms`,
    times !== undefined && `at most ${plural(times, 'time')}`,
    after && `after ${plural(after, 'request')}`,
    probability !== undefined && `probability ${probability}`,
    expiresAfterMs !== undefined && `expires after ${expiresAfterMs} ms`,
    match && `match ${stringifyJson(match)}`,
  ]
    .filter(Boolean)
    .join(', ')
}
