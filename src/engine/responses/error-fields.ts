import { codeOfStatus, reasonOfStatus } from '../contract/http-statuses.js'

/** What the fields of an error's body tell. */
export interface ErrorFields {
  readonly code: string
  readonly message: string
  readonly status: number
  /** That of the request, if there is one. */
  readonly path?: string | undefined
  readonly method?: string | undefined
  /** When the request arrived, in milliseconds since 1970. */
  readonly at?: number | undefined
  readonly requestId: string
  /** What a violation is about: `size.width`, and `/size/width`. */
  readonly field?: string | undefined
  readonly pointer?: string | undefined
}

type Values = (error: ErrorFields) => readonly unknown[]

const message: Values = (error) => [error.message, reasonOfStatus(error.status)]
const codes: Values = ({ code, status }) => [code, ...spellings(code), ...spellings(codeOfStatus(status)), status]
const status: Values = (error) => [error.status, String(error.status), 'error', 'fail', reasonOfStatus(error.status)]

const PLACE = /^(field|property|param|parameter|attribute|argument)(name|path)?$/

/** The first name that matches decides. Names are in lower case, without anything but letters. */
const FIELDS: readonly (readonly [name: RegExp, Values])[] = [
  [
    /^(error|developer|user|display|long|short)?(messages?|msg|details?|description|text|summary|errors|issue|problem)$/,
    message,
  ],
  [/^(title|statustext|reasonphrase)$/, (error) => [reasonOfStatus(error.status), error.message]],
  [PLACE, ({ field }) => (field === undefined ? [] : [field])],
  [/^(json)?pointer$/, ({ pointer }) => (pointer === undefined ? [] : [pointer])],
  [/^(http)?(status|statuscode|httpcode)$/, status],
  [/^(error|internal|app|api)?(code|key|type|kind|name|slug|reason|errno)$/, codes],
  [/^(success|successful|ok)$/, () => [false]],
  [/^(iserror|failed|failure)$/, () => [true]],
  [/^(request)?(path|instance|uri|url)$/, ({ path }) => (path === undefined ? [] : [path])],
  [/^(request)?method$/, ({ method }) => (method === undefined ? [] : [method])],
  [/^(timestamp|time|date|occurredat|createdat)$/, ({ at }) => (at === undefined ? [] : timesOf(at))],
  [/^(request|trace|correlation|error|log)?id$|^(reference|requestref)$/, ({ requestId }) => [requestId]],
]

/** Values for a field of an error, the best one first. Empty if its name says nothing, or nothing is known. */
export function valuesFor(name: string, error: ErrorFields, siblings: readonly string[]): readonly unknown[] {
  const word = toWord(name)
  const others = siblings.map(toWord)
  if (word === 'error') {
    const isExplained = others.some((other) => other !== 'error' && MESSAGE.test(other))
    return [true, ...(isExplained ? codes(error) : [...message(error), ...codes(error)])]
  }
  // The type of a problem is a URI (RFC 9457).
  if (word === 'type' && others.includes('title')) return ['about:blank', ...codes(error)]
  return FIELDS.find(([pattern]) => pattern.test(word))?.[1](error) ?? []
}

const MESSAGE = /(message|msg|detail|details|description)$/

const toWord = (name: string) => name.toLowerCase().replace(/[^a-z]/g, '')

/** `NOT_FOUND` as `not_found`, `not-found`, `notFound`, `NotFound` and `Not Found`. */
function spellings(code: string): string[] {
  const words = code.toLowerCase().split('_')
  const capitals = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1))
  const [first, ...others] = capitals
  return [
    code,
    words.join('_'),
    words.join('-'),
    [first?.toLowerCase(), ...others].join(''),
    capitals.join(''),
    capitals.join(' '),
  ]
}

function timesOf(at: number): unknown[] {
  return [new Date(at).toISOString(), at, Math.floor(at / 1000)]
}
