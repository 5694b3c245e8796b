import { faultKindOf } from '../../engine/rules/fault-kind.js'
import * as schemas from '../../generated/dashboard/rule-fields.js'
import { METHODS } from '../../http/methods.js'
import { stringifyJson } from '../../lib/json.js'
import type { Admin, ApiFailure } from '../api.js'
import { type Check, type FieldProps, type Problem, toProblem, type Values } from '../components/form.js'
import { CONSTRAINTS, checkJson, must, readText, toText, type ValueType } from '../components/values.js'
import { toLabel } from '../format.js'
import { KINDS } from './describe.js'

/** A field of a form. The schema says what its value is; here is what the schema does not say. */
export interface RuleField extends FieldProps {
  /** How its text is read. */
  readonly valueType: ValueType
  /** Whether it is hidden at first, unless the rule has it. */
  readonly isMore?: boolean
}

export type Operations = readonly Admin['OperationCoverage'][]

interface Schema {
  readonly type?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
  /** The first one is a single value. */
  readonly oneOf?: readonly Schema[]
}

const OF_SCHEMA = { string: 'text', integer: 'integer', number: 'number', boolean: 'boolean' } as const

function valueTypeOf(name: string, { type, oneOf: [single] = [] }: Schema): ValueType {
  if (name === 'headers') return 'headers'
  return OF_SCHEMA[(single?.type ?? type) as keyof typeof OF_SCHEMA] ?? 'json'
}

/** `words` has the label of a field whose name is none, and so on. */
function toField(name: string, schema: Schema, words: Partial<RuleField>): RuleField {
  const { minimum, maximum, maxLength } = schema.oneOf?.[0] ?? schema
  const valueType = valueTypeOf(name, schema)
  return {
    name,
    label: toLabel(name),
    valueType,
    ...CONSTRAINTS[valueType],
    ...(minimum !== undefined && { min: minimum }),
    ...(maximum !== undefined && { max: maximum }),
    ...(maxLength !== undefined && { maxLength }),
    ...((valueType === 'json' || valueType === 'headers') && { rows: 2 }),
    ...words,
  }
}

type Words = Partial<RuleField>

const toOptions = (operations: Operations, chosen: string | undefined) => [
  // A rule that is edited may be shown before the operations are loaded.
  ...new Set([...(chosen ? [chosen] : []), ...operations.map(({ operation }) => operation)]),
]

const MATCH: Words = { label: 'Match (JSON)', placeholder: '{"query":{"status":"sold"}}', isMore: true }
const HEADERS: Words = { placeholder: 'Retry-After: 2', isMore: true }

/** The fields of a fault rule of the kind that is chosen. */
export function faultFields({ kind = '', operation }: Values, operations: Operations = []): RuleField[] {
  const field = (name: keyof typeof schemas.fault, words: Words = {}) => toField(name, schemas.fault[name], words)
  const more = (name: keyof typeof schemas.fault, words: Words) => field(name, { isMore: true, ...words })
  const required = kind === 'delay' || kind === 'slow'
  const fields = [
    field('operation', { options: [['', 'Any operation'], ...toOptions(operations, operation)] }),
    field('kind', { label: 'Fault', options: Object.entries(KINDS) }),
    field('status'),
    field('delayMs', { label: 'Delay (ms)', placeholder: required ? 'such as 2000' : 'none', required }),
    field('delayMs', { name: 'maxDelayMs', label: 'Maximum delay (ms)', placeholder: 'same as delay', ...MAXIMUM }),
    field('times', { placeholder: 'unlimited' }),
    more('method', { options: [['', 'Any method'], ...METHODS], check: checkMethod(operations) }),
    more('path', { placeholder: '/path*', ...PATH }),
    field('match', MATCH),
    field('headers', HEADERS),
    more('code', { placeholder: 'from the status' }),
    more('message', { placeholder: 'from the status' }),
    more('after', { label: 'Skip first', placeholder: '0' }),
    more('probability', { label: 'Probability (0–1)', placeholder: '1' }),
    more('expiresAfterMs', { label: 'Expires after (ms)', placeholder: 'never' }),
  ]
  return fields.filter(({ name }) => HAS[name]?.(kind) ?? true)
}

const isError = (kind: string) => kind === 'error'
const hasDelay = (kind: string) => kind !== 'timeout'

/** Whether a kind of fault has a field that others do not have. */
const HAS: Readonly<Record<string, (kind: string) => boolean>> = {
  status: isError,
  code: isError,
  message: isError,
  delayMs: hasDelay,
  maxDelayMs: hasDelay,
  headers: (kind) => hasDelay(kind) && kind !== 'reset',
}

const PATH = must(
  (path) => /^\/[^?#*]*\*?$/.test(path),
  'enter a path that starts with "/", has no query, and has "*" only at its end.',
)

const MAXIMUM: Words = {
  check(maximum, { delayMs = '' }) {
    if (delayMs === '') return 'enter the delay, too.'
    return Number(maximum) < Number(delayMs) ? `enter ${delayMs} or more, because that is the delay.` : undefined
  },
}

const checkMethod =
  (operations: Operations): Check =>
  (method, values) => {
    const used = operations.find(({ operation }) => operation === values.operation)?.method
    const sent = method === 'HEAD' ? 'GET' : method
    return used === undefined || used === sent ? undefined : `choose ${used}, the method of ${values.operation}.`
  }

/** The label of the field that lets the mock accept any response. */
const UNCHECKED = 'Accept a response outside the contract'

/** The fields of an override. */
export function overrideFields({ operation, raw }: Values, operations: Operations = []): RuleField[] {
  const field = (name: keyof typeof schemas.override, words: Words = {}) => toField(name, schemas.override[name], words)
  const placeholder = 'none; for an error, made from the status'
  return [
    field('operation', { options: toOptions(operations, operation) }),
    field('status', { required: true, check: checkStatus(operations) }),
    field('times', { placeholder: 'unlimited' }),
    field('body', { label: 'Body (JSON)', ...(raw && { valueType: 'text' }), rows: 4, placeholder, check: checkBody }),
    field('unchecked', { label: UNCHECKED }),
    field('raw', { label: 'Send it as it is, not as JSON' }),
    field('match', MATCH),
    field('headers', HEADERS),
  ]
}

const isUnchecked = ({ unchecked, raw }: Values) => Boolean(unchecked || raw)

const checkStatus =
  (operations: Operations): Check =>
  (status, values) => {
    const { statuses } = operations.find(({ operation }) => operation === values.operation) ?? {}
    // The contract allows every error.
    if (statuses === undefined || Number(status) >= 400 || isUnchecked(values)) return undefined
    const declared = statuses.filter((each) => each.declared && each.status < 400).map((each) => each.status)
    if (declared.includes(Number(status))) return undefined
    return `${values.operation} returns ${declared.join(' or ')}, or an error. For any other, choose "${UNCHECKED}".`
  }

/** HTTP allows no body with these statuses. */
const WITHOUT_BODY = ['204', '205', '304']

const checkBody: Check = (text, values) => {
  const { status = '', raw } = values
  if (isUnchecked(values) && WITHOUT_BODY.includes(status)) {
    return `leave this empty. A response with status ${status} has no body.`
  }
  return raw ? undefined : checkJson(text, values)
}

/** What is in a form, without empty fields. Throws a SyntaxError if a text should be JSON, and is not. */
function readFields(fields: readonly RuleField[], form: Values): Record<string, unknown> {
  const read = fields.map(({ name, valueType }) => [name, form[name] ? readText(valueType, form[name]) : undefined])
  return Object.fromEntries(read.filter(([, value]) => value !== undefined))
}

/** What a form starts with when it changes a rule. */
function toValues(properties: Readonly<Record<string, Schema>>, rule: object): Values {
  const given = new Map<string, unknown>(Object.entries(rule))
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, toText(valueTypeOf(name, schema), given.get(name))]),
  )
}

/** What the form of a new rule starts with. */
export const NEW_FAULT: Values = { kind: 'error', status: '503', times: '1' }
export const NEW_OVERRIDE: Values = { status: '200' }

/** The fault rule for a form, without the fields of another kind of fault. */
export function toFault(form: Values): Readonly<Record<string, unknown>> {
  const { kind, maxDelayMs, ...rule } = readFields(faultFields(form), form)
  if (maxDelayMs !== undefined) rule.delayMs = [rule.delayMs, maxDelayMs]
  // A rule with a status is for an error response.
  return rule.status === undefined ? { kind, ...rule } : rule
}

export function toFaultValues(fault: Admin['Fault']): Values {
  const [min, max] = [fault.delayMs ?? []].flat()
  return {
    ...toValues(schemas.fault, fault),
    kind: faultKindOf(fault),
    method: toText('text', fault.method?.toUpperCase()),
    delayMs: toText('integer', min),
    maxDelayMs: toText('integer', max),
  }
}

/** The fields that differ between two forms: the new values, or null for those that the rule loses. */
export function toFaultChange(before: Values, after: Values): Readonly<Record<string, unknown>> {
  const [from, to] = [toFault(before), toFault(after)]
  const names = Object.keys({ ...from, ...to })
  const changed = names.filter((name) => stringifyJson(from[name]) !== stringifyJson(to[name]))
  return Object.fromEntries(changed.map((name) => [name, to[name] ?? null]))
}

export function toOverride(form: Values): object {
  return { ...readFields(overrideFields(form), form), ...(form.raw && { body: form.body }) }
}

export function toOverrideValues(override: Admin['Override']): Values {
  return { ...toValues(schemas.override, override), ...(override.raw && { body: String(override.body) }) }
}

/** Whether the form can show all of an override: not a function, a sequence, or bytes, which the admin API leaves out. */
export function isEditable({ status, raw, body }: Admin['Override']): boolean {
  return status !== undefined && (!raw || typeof body === 'string')
}

/** The mock names the place in a rule that it does not accept. */
function findPlace({ message }: ApiFailure): readonly [field: string, text: string] | undefined {
  const [, text, field] = /^(?:[^/]*\binvalid\b[^/]*: )?(\/(\w+).*)/is.exec(message) ?? []
  return field === undefined || text === undefined ? undefined : [field, text]
}

const NO_SUCH_PATH = 'no operation has this path, or not the operation and method that are chosen. Change one of them.'

export function explainFault(failure: ApiFailure): Problem | undefined {
  const [field, text = ''] = findPlace(failure) ?? []
  if (field === undefined) return toProblem(failure)
  return { field, text: field === 'path' ? NO_SUCH_PATH : text, failure }
}

/** What has no place is shown at the body, which is nearly always the reason: the form has checked status and headers. */
export function explainOverride(failure: ApiFailure): Problem | undefined {
  const text = `the contract does not allow this. Change it, or choose "${UNCHECKED}". ${failure.message}`
  const [field, reason = ''] = findPlace(failure) ?? []
  return field === undefined
    ? toProblem(failure, { INVALID_OVERRIDE: ['body', text] })
    : { field, text: reason, failure }
}
