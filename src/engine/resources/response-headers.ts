import { stringifyJson } from '../../lib/json.js'
import { hashText } from '../../lib/random.js'
import { isHeaderValue } from '../contract/header-rules.js'
import type { StoredRecord } from './additions.js'

type Headers = Readonly<Record<string, string>>

/** What a client that is never limited reads. */
const RATE_LIMITS: readonly (readonly [RegExp, string])[] = [
  [/^(x-)?rate-?limit-limit$/i, '5000'],
  [/^(x-)?rate-?limit-remaining$/i, '4999'],
  [/^(x-)?rate-?limit-used$/i, '1'],
]

/** The declared headers that have a sensible value in every response of an operation. */
export function constantHeaders(names: readonly string[]): Headers {
  const entries = names.flatMap((name) => {
    const found = RATE_LIMITS.find(([pattern]) => pattern.test(name))
    return found ? [[name, found[1]]] : []
  })
  return Object.fromEntries(entries)
}

/** The declared headers of a response with a record; undefined if there are none. */
export function createRecordHeaders(names: readonly string[]): ((record: StoredRecord) => Headers) | undefined {
  const constant = constantHeaders(names)
  if (names.some((name) => name.toLowerCase() === 'etag')) return (record) => ({ ...constant, ETag: etagOf(record) })
  return Object.keys(constant).length > 0 ? () => constant : undefined
}

/** Undefined if no client could read it, because of a very long id or a letter in the path of the document. */
export function locationHeader(url: string): Headers | undefined {
  return isHeaderValue(url) ? { Location: url } : undefined
}

/** A strong validator: another one after every change of the record. */
export function etagOf(record: StoredRecord): string {
  const text = stringifyJson(record) ?? ''
  return `"${[text, `${text.length}${text}`].map((each) => hashText(each).toString(16).padStart(8, '0')).join('')}"`
}
