import { isIPv6 } from 'node:net'
import { MAX_DELAY_MS } from '../engine/options.js'
import { HEADER_NAME, HEADER_VALUE } from '../http/header-rules.js'
import { findNearest } from '../lib/nearest.js'
import { quote } from '../lib/text.js'
import { VERIFIED_HEADERS } from '../petstore/verify/lifecycle-headers.js'

/** The command line is invalid. Reported in one line, with exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** The type of a flag's value. */
export interface ValueType {
  /** The placeholder in the help. A flag without one is a switch. */
  readonly value?: string
  /** `name` is that of the flag or the environment variable, for error messages. */
  read(value: string, name: string): unknown
}

/** `received` is quoted, and left out if it may be a secret. */
export function describeInvalid(name: string, expected: string, received?: string): string {
  return `${name} must be ${expected}.${received === undefined ? '' : ` Received: ${received}.`}`
}

/** The end of a message about an unknown name: a question with a leading space, or nothing if no known name is near. */
export function didYouMean(given: string, known: readonly string[], show: (name: string) => string = quote): string {
  const nearest = findNearest(given, known)
  return nearest === undefined ? '' : ` Did you mean ${show(nearest)}?`
}

function invalid(name: string, expected: string, given: string): UsageError {
  return new UsageError(describeInvalid(name, expected, quote(given)))
}

export function text(value: string): ValueType {
  return { value, read: (given) => given }
}

/** Without a maximum here, the library checks it. */
export function wholeNumber(min: number, max?: number, value = 'number'): ValueType {
  return {
    value,
    read(given, name) {
      const number = /^(?:0|[1-9][0-9]*)$/.test(given) ? Number(given) : Number.NaN
      if (number >= min && number <= (max ?? Number.MAX_SAFE_INTEGER)) return number
      const limit = number > min ? (max ?? Number.MAX_SAFE_INTEGER) : max
      throw invalid(
        name,
        `a whole number ${limit === undefined ? `of ${min} or more` : `from ${min} to ${limit}`}`,
        given,
      )
    },
  }
}

export const COUNT = wholeNumber(0)

/** The number of records of a resource. */
export const SIZE: ValueType = {
  value: 'name=count',
  read(given, name) {
    const [, resource, count] = /^([^=]+)=(0|[1-9][0-9]{0,8})$/.exec(given) ?? []
    if (resource !== undefined) return [resource, Number(count)] as const
    throw invalid(name, 'a resource and a number of records, such as books=200 or all=0', given)
  },
}

export interface NamedFile {
  /** Missing for the only one. */
  readonly name: string | undefined
  readonly file: string
}

/** The path of a file, with a name in front of it if it is one of several: `shop=./shop.service.js`. */
export const NAMED_FILE: ValueType = {
  value: '[name=]file',
  read(given): NamedFile {
    // A path may contain the sign, too.
    const [, name, file = given] = /^([^=/\\]*)=(.*)$/.exec(given) ?? []
    if (file === '')
      throw new UsageError(`${quote(given)} lacks a file. Give a name and a file, as in shop=./shop.service.js.`)
    return { name, file }
  },
}

/** A number from 1, or a range of them. */
export const RANGE: ValueType = {
  value: 'number|first-last',
  read(given, name) {
    const [, first, last = first] = /^([1-9][0-9]{0,8})(?:-([1-9][0-9]{0,8}))?$/.exec(given) ?? []
    if (Number(first) <= Number(last)) return [Number(first), Number(last)] as const
    throw invalid(name, 'a number from 1, or a range such as 3-7', given)
  },
}

export function choice(...choices: string[]): ValueType {
  return {
    value: choices.join('|'),
    read(given, name) {
      if (choices.includes(given)) return given
      const { message } = invalid(name, choices.join(' or '), given)
      throw new UsageError(`${message}${didYouMean(given, choices)}`)
    },
  }
}

/** One of these names, in any capitalization. */
export function nameOf(value: string, names: () => readonly string[]): ValueType {
  return {
    value,
    read(given, name) {
      const known = names().find((each) => each.toLowerCase() === given.toLowerCase())
      if (known !== undefined) return known
      const { message } = invalid(name, `one of ${names().join(', ')}`, given)
      throw new UsageError(`${message}${didYouMean(given, names())}`)
    },
  }
}

export const VERIFIED_HEADER = nameOf('name', () => VERIFIED_HEADERS)

export const SWITCH: ValueType = { read: (given, name) => choice('true', 'false').read(given, name) === 'true' }

/** Milliseconds, or a range of them. */
export const DELAY: ValueType = {
  value: 'ms|min-max',
  read(given, name) {
    const [, min, max = min] = /^(0|[1-9][0-9]{0,8})(?:-(0|[1-9][0-9]{0,8}))?$/.exec(given) ?? []
    const range = [Number(min), Number(max)] as const
    if (range[0] <= range[1] && range[1] <= MAX_DELAY_MS) return given.includes('-') ? range : range[0]
    throw invalid(name, `milliseconds from 0 to ${MAX_DELAY_MS}, such as 200 or 100-300`, given)
  },
}

/** An address to bind to. Accepts the brackets that an IPv6 address has in a URL. */
export const HOST: ValueType = {
  value: 'address',
  read(given, name) {
    const inside = /^\[(.*)\]$/.exec(given)?.[1]
    if (inside !== undefined && isIPv6(inside)) return inside
    if (/^[a-z0-9._-]+$/i.test(given) || isIPv6(given.replace(/%.*$/, ''))) return given
    throw invalid(name, 'an address such as 127.0.0.1, ::1 or localhost, without scheme and port', given)
  },
}

/** An invalid token is not shown, because it is a secret. */
export const TOKEN: ValueType = {
  value: 'token',
  read(given, name) {
    if (/^[!-~]+$/.test(given)) return given
    throw new UsageError(describeInvalid(name, 'visible ASCII characters without spaces'))
  },
}

const CONNECTION_HEADERS =
  /^(?:connection|content-length|expect|host|keep-alive|te|trailer|transfer-encoding|upgrade)$/i

/** An invalid header is not shown, because it may be a secret. */
export const HEADER: ValueType = {
  value: 'Name: value',
  read(given, name) {
    const [, field = '', content = ''] = /^([^:]+):[ \t]*(.+)$/.exec(given) ?? []
    if (!HEADER_NAME.test(field) || !HEADER_VALUE.test(content)) {
      throw new UsageError(describeInvalid(name, "a name, a colon and a value, such as 'Authorization: Bearer token'"))
    }
    if (CONNECTION_HEADERS.test(field)) throw new UsageError(`${name} cannot set ${field}.`)
    return [field, content.trimEnd()]
  },
}

/** The address of a service. */
export const BASE_URL: ValueType = {
  value: 'base-url',
  read(given, name) {
    const url = /^https?:\/\//i.test(given) && URL.canParse(given) ? new URL(given) : undefined
    if (url === undefined || url.search !== '' || url.hash !== '') {
      throw invalid(name, 'a URL such as http://127.0.0.1:4010 or https://host/path', given)
    }
    if (url.username !== '' || url.password !== '') {
      throw new UsageError(`${name} must not contain a password. Use --header 'Authorization: …' instead.`)
    }
    return `${url.origin}${url.pathname.replace(/\/+$/, '')}`
  },
}
