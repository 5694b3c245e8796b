import { faultKindOf } from '../../engine/rules/fault-kind.js'
import { stringifyJson } from '../../lib/json.js'
import type { Admin } from '../api.js'
import { plural } from '../format.js'

/** What each kind of fault does. */
export const KINDS: Readonly<Record<Admin['FaultKind'], string>> = {
  error: 'Returns an error',
  delay: 'Responds later',
  timeout: 'Never responds',
  reset: 'Drops the connection',
  truncate: 'Truncates the response',
  malformed: 'Returns malformed JSON',
  slow: 'Responds slowly, in chunks',
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
  const { status, code, delayMs, after, probability, expiresAfterMs } = fault
  const kind = faultKindOf(fault)
  const single =
    kind === 'error' ? ['Returns', status ?? (code ? '' : 500), code].filter(Boolean).join(' ') : KINDS[kind]
  return describe(fault, single, [
    delayMs !== undefined && `${[delayMs].flat().join(' to ')} ms`,
    describeTimes(fault),
    after && `after ${plural(after, 'request')}`,
    probability !== undefined && `probability ${probability}`,
    expiresAfterMs !== undefined && `expires after ${expiresAfterMs} ms`,
  ])
}

/** What an override returns, and when. */
export function describeOverride(override: Admin['Override']): string {
  const { status, unchecked, raw } = override
  return describe(override, status === undefined ? 'Made by a function in a test' : `Status ${status}`, [
    describeTimes(override),
    (unchecked || raw) && 'not checked against the contract',
    raw && 'the body as it is',
  ])
}

/** `single` is what happens without a sequence. */
function describe(rule: Admin['Fault'] | Admin['Override'], single: string, limits: readonly unknown[]): string {
  const { headers, match, sequence } = rule
  const parts = [
    sequence ? describeSequence(sequence) : single,
    headers && plural(Object.keys(headers).length, 'header'),
    ...limits,
    match && `match ${stringifyJson(match)}`,
  ]
  return parts.filter(Boolean).join(', ')
}

const describeTimes = ({ times }: { readonly times?: number | undefined }) =>
  times !== undefined && `at most ${plural(times, 'time')}`

/** The entries that say what each request gets in turn. */
function describeSequence(sequence: readonly unknown[]): string {
  const names = sequence.map((each) => {
    if (typeof each === 'string') return each
    const step = each as Admin['FaultRule']
    const kind = faultKindOf(step)
    return kind === 'error' ? (step.status ?? step.code ?? 500) : kind
  })
  return `In turn: ${names.join(', ')}`
}
