import { isIPv6 } from 'node:net'
import { quote } from '../engine/contract/errors.js'
import { suggest } from '../lib/nearest.js'
import { MAX_DELAY_MS } from '../petstore/options.js'
import { UsageError } from './usage-error.js'

/** How the values of flags are read. What is wrong is said without the flag's name, which the reader puts in front. */

export const text = (value: string): string => value

/** A whole number in plain digits; what range it must be in is the option's own affair. */
export function count(value: string): number {
  if (!/^(?:0|[1-9][0-9]{0,14})$/.test(value)) {
    throw new UsageError(`must be a whole number of at most 15 digits, but is ${quote(value)}`)
  }
  return Number(value)
}

/** Milliseconds, or the least and the most of them. */
export function span(value: string): number | readonly [number, number] {
  const [, least = '', most] = /^([0-9]+)(?:-([0-9]+))?$/.exec(value) ?? []
  if (least === '') throw new UsageError(`must be milliseconds such as 200, or 100-300, but is ${quote(value)}`)
  const [from, to] = [count(least), count(most ?? least)]
  if (from > to) throw new UsageError(`must have the smaller number first, such as 100-300, but is ${quote(value)}`)
  if (to > MAX_DELAY_MS) throw new UsageError(`must be at most ${MAX_DELAY_MS} milliseconds, but is ${quote(value)}`)
  return most === undefined ? from : [from, to]
}

/** An address to bind; brackets belong into a URL, but are easily copied from one. */
export function host(value: string): string {
  const inside = /^\[(.*)\]$/.exec(value)?.[1]
  if (inside !== undefined && isIPv6(inside)) return inside
  if (/^[a-z0-9._-]+$/i.test(value) || isIPv6(value.replace(/%.*$/, ''))) return value
  throw new UsageError(
    `must be an address such as 127.0.0.1, ::1 or localhost, without scheme and port, but is ${quote(value)}`,
  )
}

export function port(value: string): number {
  const number = /^(?:0|[1-9][0-9]{0,4})$/.test(value) ? Number(value) : Number.NaN
  if (!(number <= 65535)) throw new UsageError(`must be a whole number from 0 to 65535, but is ${quote(value)}`)
  return number
}

export function choice(...choices: string[]): (value: string) => string {
  return (value) => {
    if (choices.includes(value)) return value
    throw new UsageError(`must be ${choices.join(' or ')}, but is ${quote(value)}${suggest(value, choices)}`)
  }
}

export function onOrOff(value: string): boolean {
  return choice('true', 'false')(value) === 'true'
}

/** How long a service may take for one answer, at the most. */
const MAX_TIMEOUT_MS = 600_000

export function timeout(value: string): number {
  const number = count(value)
  if (number >= 1 && number <= MAX_TIMEOUT_MS) return number
  throw new UsageError(`must be a whole number from 1 to ${MAX_TIMEOUT_MS}, but is ${quote(value)}`)
}

/** What was given is not repeated: it is a secret. */
export function token(value: string): string {
  if (/^[!-~]+$/.test(value)) return value
  throw new UsageError('must be a text of visible characters without blanks')
}

/** These belong to the connection, which is not the caller's. */
const OF_CONNECTION = /^(?:connection|content-length|expect|host|keep-alive|te|trailer|transfer-encoding|upgrade)$/i

/** What was given is not repeated: it may be a secret. */
export function header(value: string): readonly [name: string, value: string] {
  const [, name = '', content = ''] = /^([\w!#$%&'*+.^`|~-]+):[ \t]*([\t\x20-\x7e\x80-\xff]+)$/.exec(value) ?? []
  if (name === '') throw new UsageError("must be a name, a colon and a value, such as 'Authorization: Bearer token'")
  if (OF_CONNECTION.test(name)) throw new UsageError(`cannot set ${name}, which belongs to the connection`)
  return [name, content.trimEnd()]
}
