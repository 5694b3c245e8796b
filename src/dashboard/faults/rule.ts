import { plural, toNumber } from '../format.js'
import type { Fault, FaultRule } from '../types.js'

export type FaultKind = NonNullable<FaultRule['kind']>

/** What each kind of fault does, in a few words. */
export const KINDS: readonly (readonly [kind: FaultKind, label: string])[] = [
  ['error', 'answers with an error'],
  ['delay', 'answers late'],
  ['timeout', 'never answers'],
  ['reset', 'breaks the connection off'],
  ['truncate', 'cuts its answer in the middle'],
  ['malformed', 'answers with broken JSON'],
  ['slow', 'lets its answer drip'],
]

/** What stands in the form: all of it text. */
export interface RuleForm {
  readonly operation: string
  readonly method: string
  readonly path: string
  readonly kind: FaultKind
  readonly status: string
  readonly code: string
  readonly message: string
  readonly delay: string
  readonly delayMost: string
  readonly times: string
  readonly after: string
  readonly probability: string
  readonly expiresAfterMs: string
}

export const EMPTY_RULE: RuleForm = {
  operation: '',
  method: '',
  path: '',
  kind: 'error',
  status: '503',
  code: '',
  message: '',
  delay: '',
  delayMost: '',
  times: '1',
  after: '',
  probability: '',
  expiresAfterMs: '',
}

/** Which fields a kind of fault has. */
export function takes(kind: FaultKind, field: 'error' | 'delay'): boolean {
  return field === 'error' ? kind === 'error' : kind !== 'timeout'
}

/** The rule as it is sent. What is no number where one belongs stays text, for the mock to object to. */
export function toRule(form: RuleForm): object {
  const isError = takes(form.kind, 'error')
  const delay = takes(form.kind, 'delay') ? [toNumber(form.delay), toNumber(form.delayMost)] : []
  const members = {
    operation: form.operation || undefined,
    method: form.method || undefined,
    path: form.path || undefined,
    // An error with a status goes without saying.
    kind: isError && form.status.trim() !== '' ? undefined : form.kind,
    status: isError ? toNumber(form.status) : undefined,
    code: (isError && form.code) || undefined,
    message: (isError && form.message) || undefined,
    delayMs: delay[1] === undefined ? delay[0] : delay,
    times: toNumber(form.times),
    after: toNumber(form.after),
    probability: toNumber(form.probability),
    expiresAfterMs: toNumber(form.expiresAfterMs),
  }
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))
}

/** Which requests a rule is about. */
export function describeAim({ operation, method, path }: Fault): string {
  const where = [method, path].filter(Boolean).join(' ')
  return [operation, where].filter(Boolean).join(', ') || 'every request'
}

/** What happens to them, and when. */
export function describeFault({
  kind,
  status,
  code,
  delayMs,
  times,
  after,
  probability,
  expiresAfterMs,
}: Fault): string {
  const late = delayMs === undefined ? '' : ` ${Array.isArray(delayMs) ? delayMs.join(' to ') : delayMs} ms`
  const isDelay = kind === 'delay' || (kind === undefined && late !== '' && status === undefined && code === undefined)
  const what =
    kind === undefined || kind === 'error' || kind === 'delay'
      ? isDelay
        ? `answers${late} late`
        : `answers ${[status ?? (code ? '' : 500), code].filter(Boolean).join(' ')}${late && `, after${late}`}`
      : `${KINDS.find(([name]) => name === kind)?.[1]}${late && `, over${late}`}`
  return [
    what,
    times !== undefined && `at most ${plural(times, 'time')}`,
    after && `after the first ${after}`,
    probability !== undefined && `with a chance of ${probability}`,
    expiresAfterMs !== undefined && `for ${expiresAfterMs} ms of the store's clock`,
  ]
    .filter(Boolean)
    .join(', ')
}
