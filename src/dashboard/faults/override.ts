import { faultKindOf } from '../../engine/control/fault-kind.js'
import { stringifyJson } from '../../lib/json.js'
import type { Admin, ApiFailure } from '../api.js'
import type { Check, Problem, Values } from '../components/problems.js'
import { plural, toNumber } from '../format.js'
import { prettyJson } from '../pretty-json.js'
import { toProblem } from '../rejections.js'
import { checkJson, headersToText, readHeadersField, readJsonField } from './fields.js'

/** The override for a form, without empty fields. Throws a SyntaxError if a text is not JSON. */
export function toOverride(form: Values): object {
  const override = {
    operation: form.operation,
    status: toNumber(form.status),
    headers: readHeadersField(form.headers),
    body: form.raw === undefined ? readJsonField(form.body) : form.body,
    times: toNumber(form.times),
    match: readJsonField(form.match),
    unchecked: form.unchecked === undefined ? undefined : true,
    raw: form.raw === undefined ? undefined : true,
  }
  return Object.fromEntries(Object.entries(override).filter(([, value]) => value !== undefined))
}

/** Whether the form can show all of an override: not a function, a sequence, or bytes, which the admin API leaves out. */
export function isEditable({ status, raw, body }: Admin['Override']): boolean {
  return status !== undefined && (!raw || typeof body === 'string')
}

/** What the form starts with when it changes an override. */
export function toValues({
  operation,
  status,
  headers,
  body,
  times,
  match,
  unchecked,
  raw,
}: Admin['Override']): Values {
  return {
    operation,
    status: String(status),
    headers: headersToText(headers),
    body: body === undefined ? '' : raw ? String(body) : prettyJson(body),
    times: times === undefined ? '' : String(times),
    match: match === undefined ? '' : prettyJson(match),
    ...(unchecked && { unchecked: 'on' }),
    ...(raw && { raw: 'on' }),
  }
}

/** The label of the field that lets the mock accept any response. */
export const UNCHECKED = 'Accept a response outside the contract'

const isUnchecked = ({ unchecked, raw }: Values) => unchecked !== undefined || raw !== undefined

export const checkStatus =
  (operations: readonly Admin['OperationCoverage'][]): Check =>
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

export const checkBody: Check = (text, values) => {
  const { status = '', raw } = values
  if (isUnchecked(values) && WITHOUT_BODY.includes(status)) {
    return `leave this empty. A response with status ${status} has no body.`
  }
  return raw === undefined ? checkJson(text, values) : undefined
}

/** Shown at the body, which is nearly always the reason: the form has checked the status and the headers. */
export function explain(failure: ApiFailure): Problem | undefined {
  const text = `the contract does not allow this. Change it, or choose "${UNCHECKED}". ${failure.message}`
  return toProblem(failure, { INVALID_OVERRIDE: ['body', text] })
}

/** The entries of an override or a fault rule that says what each request gets in turn. */
export function describeSequence(sequence: readonly unknown[]): string {
  const names = sequence.map((each) => {
    if (typeof each === 'string') return each
    const step = each as Admin['FaultRule']
    const kind = faultKindOf(step)
    return kind === 'error' ? (step.status ?? step.code ?? 500) : kind
  })
  return `In turn: ${names.join(', ')}`
}

/** What an override returns, and when. */
export function describeOverride(override: Admin['Override']): string {
  const { status, headers, sequence, times, match, unchecked, raw } = override
  const single = status === undefined ? 'Made by a function in a test' : `Status ${status}`
  return [
    sequence ? describeSequence(sequence) : single,
    headers && plural(Object.keys(headers).length, 'header'),
    times !== undefined && `at most ${plural(times, 'time')}`,
    (unchecked || raw) && 'not checked against the contract',
    raw && 'the body as it is',
    match && `match ${stringifyJson(match)}`,
  ]
    .filter(Boolean)
    .join(', ')
}
