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

/** Headers that belong to the recorded response alone, or that the mock sets itself. */
const OWN_HEADERS =
  /^(?:content-length|content-type|date|connection|keep-alive|vary|x-petstore-.*|access-control-.*|link|deprecation|sunset|x-stability)$/

/** An override that returns a recorded response, or undefined if the journal has only a part of its body. */
export function toRecordedOverride({ operation, status, response, fault }: Admin['JournalEntry']): object | undefined {
  if (response.cut || status < 200) return undefined
  const headers = Object.entries(response.headers).filter(([name]) => !OWN_HEADERS.test(name.toLowerCase()))
  return {
    operation,
    status,
    ...(headers.length > 0 && { headers: Object.fromEntries(headers) }),
    ...(response.body !== undefined && { body: response.body }),
    // A fault may have made a response that the contract does not have.
    ...(fault && { unchecked: true }),
    ...(typeof response.body === 'string' && { raw: true }),
  }
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
