import type { Admin } from '../api.js'
import type { Values } from '../components/form.js'
import { plural, toNumber } from '../format.js'

export const KINDS: readonly (readonly [kind: Admin['FaultKind'], label: string])[] = [
  ['error', 'Error response'],
  ['delay', 'Delayed response'],
  ['timeout', 'No response'],
  ['reset', 'Connection reset'],
  ['truncate', 'Truncated response'],
  ['malformed', 'Malformed JSON'],
  ['slow', 'Slow response'],
]

/** What the form starts with. */
export const NEW_RULE: Values = { kind: 'error', status: '503', times: '1' }

export const hasError = (kind: string | undefined) => kind === 'error'
export const hasDelay = (kind: string | undefined) => kind !== 'timeout'
export const needsDelay = (kind: string | undefined) => kind === 'delay' || kind === 'slow'

/** The fault rule for a form. Leaves out fields that are empty or belong to another kind of fault. */
export function toRule(form: Values): object {
  const isError = hasError(form.kind)
  const [delayMs, maxDelayMs] = hasDelay(form.kind) ? [toNumber(form.delayMs), toNumber(form.maxDelayMs)] : []
  const rule = {
    operation: form.operation || undefined,
    method: form.method || undefined,
    path: form.path || undefined,
    // A rule with a status is for an error response.
    kind: isError && form.status ? undefined : form.kind,
    status: isError ? toNumber(form.status) : undefined,
    code: (isError && form.code) || undefined,
    message: (isError && form.message) || undefined,
    delayMs: maxDelayMs === undefined ? delayMs : [delayMs, maxDelayMs],
    times: toNumber(form.times),
    after: toNumber(form.after),
    probability: toNumber(form.probability),
    expiresAfterMs: toNumber(form.expiresAfterMs),
  }
  return Object.fromEntries(Object.entries(rule).filter(([, value]) => value !== undefined))
}

/** Which requests a rule matches. */
export function describeMatch({ operation, method, path }: Admin['Fault']): string {
  const target = [method, path].filter(Boolean).join(' ')
  return [operation, target].filter(Boolean).join(', ') || 'every request'
}

/** What a rule does, and when. */
export function describeFault(fault: Admin['Fault']): string {
  const { status, code, delayMs, times, after, probability, expiresAfterMs } = fault
  const kind = fault.kind ?? (delayMs !== undefined && status === undefined && code === undefined ? 'delay' : 'error')
  const label = KINDS.find(([name]) => name === kind)?.[1]
  return [
    kind === 'error' ? [label, status ?? (code ? '' : 500), code].filter(Boolean).join(' ') : label,
    delayMs !== undefined && `${[delayMs].flat().join(' to ')} ms`,
    times !== undefined && `at most ${plural(times, 'time')}`,
    after && `after ${plural(after, 'request')}`,
    probability !== undefined && `probability ${probability}`,
    expiresAfterMs !== undefined && `expires after ${expiresAfterMs} ms`,
  ]
    .filter(Boolean)
    .join(', ')
}
