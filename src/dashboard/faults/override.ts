import { stringifyJson } from '../../lib/json.js'
import type { Admin } from '../api.js'
import type { Values } from '../components/form.js'
import { plural, toNumber } from '../format.js'
import { readHeaders, readJson } from './fields.js'

/** The override for a form, without empty fields. Throws an ApiFailure if a text cannot be read. */
export function toOverride(form: Values): object {
  const override = {
    operation: form.operation,
    status: toNumber(form.status),
    headers: readHeaders('headers', form.headers),
    body: form.raw === undefined ? readJson('body', 'Body', form.body) : form.body,
    times: toNumber(form.times),
    match: readJson('match', 'Match', form.match),
    unchecked: form.unchecked === undefined ? undefined : true,
    raw: form.raw === undefined ? undefined : true,
  }
  return Object.fromEntries(Object.entries(override).filter(([, value]) => value !== undefined))
}

/** What an override returns, and when. */
export function describeOverride({ status, headers, times, match, unchecked, raw }: Admin['Override']): string {
  return [
    status === undefined ? 'Made by a function in a test' : `Status ${status}`,
    headers && plural(Object.keys(headers).length, 'header'),
    times !== undefined && `at most ${plural(times, 'time')}`,
    (unchecked || raw) && 'not checked against the contract',
    raw && 'the body as it is',
    match && `match ${stringifyJson(match)}`,
  ]
    .filter(Boolean)
    .join(', ')
}
