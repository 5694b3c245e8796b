import { type ApiError, apiError } from '../../http/errors.js'
import { HEADER_NAME, isHeaderValue } from '../../http/header-rules.js'
import type { PlainRequest } from '../../http/messages.js'
import type { QueryValues } from '../../http/target.js'
import { ownMember } from '../../lib/values.js'
import type { DocumentOperation } from '../schema/route.js'

/** A security scheme of a document. */
export interface Scheme {
  readonly type?: string
  readonly in?: string
  readonly name?: string
  readonly scheme?: string
}

type Requirement = Readonly<Record<string, unknown>>

/** How a client can send the credentials that a scheme requires. */
interface Credentials {
  /** What has to be sent: `the header X-Api-Key`. */
  readonly what: string
  /** For `WWW-Authenticate`. */
  readonly challenge: string
  isIn(request: PlainRequest, query: QueryValues): boolean
  /** Those that a request has. */
  read(request: PlainRequest, query: QueryValues): GivenCredentials
  /** A header that has them. Missing if they are in the query. */
  readonly header?: readonly [name: string, value: string]
}

/** What a request says about who sends it: a token, a name and a password (Basic), or a key. Each may be missing. */
export interface GivenCredentials {
  readonly token?: string
  readonly username?: string
  readonly password?: string
  readonly key?: string
}

/** The security of an operation. Credentials are checked for their presence and form: any are right. */
export interface Security {
  readonly challenge: string
  /** The error for a request without credentials that the operation requires. */
  check(request: PlainRequest, query: QueryValues): ApiError | undefined
  /** The credentials that a request has; undefined if it has none, and needs none. */
  read(request: PlainRequest, query: QueryValues): GivenCredentials | undefined
  /** Headers with credentials of the required form, of which the request had those with these names. */
  toHeaders(names: readonly string[]): Readonly<Record<string, string>>
}

/** Undefined if nothing about the operation's security can be checked. */
export function compileSecurity(
  { security, ...operation }: DocumentOperation & { readonly security?: readonly Requirement[] },
  schemes: Readonly<Record<string, Scheme | undefined>> = {},
): Security | undefined {
  // One of these is enough, and all of it is required.
  const alternatives = (security ?? []).map((requirement) =>
    Object.keys(requirement).flatMap((name) => toCredentials(schemes[name] ?? {}) ?? []),
  )
  const all = alternatives.flat()
  if (all.length === 0) return undefined
  const what = alternatives
    .map((required) => required.map((credentials) => credentials.what).join(' and '))
    .join(', or ')
  const challenge = [...new Set(all.map((credentials) => credentials.challenge))].join(', ')
  return {
    challenge,
    check(request, query) {
      const isMet = alternatives.some((required) => required.every((credentials) => credentials.isIn(request, query)))
      if (isMet) return undefined
      const message = `${operation.operationId} requires credentials. Send ${what}.`
      return apiError('UNAUTHORIZED', message, { 'WWW-Authenticate': challenge })
    },
    read(request, query) {
      const met = alternatives.find(
        (required) => required.length > 0 && required.every((each) => each.isIn(request, query)),
      )
      return met && Object.assign({}, ...met.map((each) => each.read(request, query)))
    },
    toHeaders(names) {
      const headers = alternatives.map((required) => required.flatMap(({ header }) => (header ? [header] : [])))
      // The first that the request can have had.
      const sent = headers.find((each) => each.length > 0 && each.every(([name]) => names.includes(name))) ?? []
      const cookies = sent.filter(([name]) => name === 'cookie').map(([, value]) => value)
      return { ...Object.fromEntries(sent), ...(cookies.length > 0 && { cookie: cookies.join('; ') }) }
    },
  }
}

/** Undefined for what cannot be seen in a request, such as a client certificate, or is unknown. */
function toCredentials({ type, in: where, name = '', scheme = '' }: Scheme): Credentials | undefined {
  if (type === 'oauth2' || type === 'openIdConnect') return BEARER
  if (type === 'apiKey') return canBeSent(name, where) ? API_KEYS.get(where)?.(name) : undefined
  if (type !== 'http' || !HEADER_NAME.test(scheme)) return undefined
  return HTTP_SCHEMES.get(scheme.toLowerCase()) ?? inAuthorization(scheme, `${scheme} credentials`, /^\S/)
}

/** The names of headers and schemes are tokens; that of a cookie is at least the value of a header. */
function canBeSent(name: string, where: string | undefined): boolean {
  if (where === 'header') return HEADER_NAME.test(name)
  return name !== '' && (where !== 'cookie' || isHeaderValue(name))
}

/** Any value is right. */
const EXAMPLE = 'example'

const KEY_CHALLENGE = 'ApiKey'

const API_KEYS: ReadonlyMap<string | undefined, (name: string) => Credentials> = new Map(
  Object.entries({
    header: (name: string): Credentials => ({
      what: `the header ${name}`,
      challenge: KEY_CHALLENGE,
      isIn: ({ headers }) => Boolean(ownMember(headers, name.toLowerCase())?.trim()),
      read: ({ headers }) => ({ key: ownMember(headers, name.toLowerCase())?.trim() ?? '' }),
      header: [name.toLowerCase(), EXAMPLE],
    }),
    query: (name: string): Credentials => ({
      what: `the query parameter ${name}`,
      challenge: KEY_CHALLENGE,
      isIn: (_, query) => query.get(name)?.some((value) => value !== '') ?? false,
      read: (_, query) => ({ key: query.get(name)?.find((value) => value !== '') ?? '' }),
    }),
    cookie: (name: string): Credentials => ({
      what: `the cookie ${name}`,
      challenge: KEY_CHALLENGE,
      isIn: ({ headers }) => readCookie(headers.cookie, name) !== '',
      read: ({ headers }) => ({ key: readCookie(headers.cookie, name) }),
      header: ['cookie', `${name}=${EXAMPLE}`],
    }),
  }),
)

/** Empty if there is none. */
function readCookie(cookie = '', name: string): string {
  const pairs = cookie.split(';').map((pair) => pair.trim())
  return (
    pairs.find((pair) => pair.startsWith(`${name}=`) && pair.length > name.length + 1)?.slice(name.length + 1) ?? ''
  )
}

/** `credentials` is what follows the name of the scheme. */
function inAuthorization(scheme: string, what: string, credentials: RegExp, challenge = scheme): Credentials {
  const start = `${scheme.toLowerCase()} `
  return {
    what: `${what} in the header Authorization`,
    challenge,
    isIn({ headers: { authorization = '' } }) {
      const text = authorization.trim()
      return text.toLowerCase().startsWith(start) && credentials.test(text.slice(start.length).trim())
    },
    read: ({ headers: { authorization = '' } }) => ({ token: authorization.trim().slice(start.length).trim() }),
    header: ['authorization', `${scheme} ${EXAMPLE}`],
  }
}

const BEARER = inAuthorization('Bearer', 'a bearer token', /^[\w.~+/-]+=*$/)

/** In Base64, with a colon between name and password. */
const BASIC: Credentials = {
  ...inAuthorization('Basic', 'name and password (Basic)', /^/, 'Basic realm="API"'),
  isIn: ({ headers: { authorization = '' } }) => decodeBasic(authorization)?.includes(':') ?? false,
  read({ headers: { authorization = '' } }) {
    const [username = '', ...password] = decodeBasic(authorization)?.split(':') ?? []
    return { username, password: password.join(':') }
  },
  header: ['authorization', `Basic ${btoa(`${EXAMPLE}:${EXAMPLE}`)}`],
}

const HTTP_SCHEMES: ReadonlyMap<string, Credentials> = new Map([
  ['bearer', BEARER],
  ['basic', BASIC],
])

function decodeBasic(authorization: string): string | undefined {
  const [, encoded] = /^\s*basic +([A-Za-z\d+/]+={0,2})\s*$/i.exec(authorization) ?? []
  try {
    return encoded === undefined ? undefined : atob(encoded)
  } catch {
    return undefined
  }
}

/** The names of the credentials of their own that a document declares: headers in lower case, and query parameters. */
export interface KeyNames {
  readonly headers: readonly string[]
  readonly query: readonly string[]
}

/** Cookies and `Authorization` are secrets in any document. */
export function findKeyNames(schemes: Readonly<Record<string, Scheme | undefined>> = {}): KeyNames {
  const keys = Object.values(schemes).filter((scheme) => scheme?.type === 'apiKey')
  const namesIn = (where: string) => keys.flatMap((key) => (key?.in === where && key.name ? [key.name] : []))
  return { headers: namesIn('header').map((name) => name.toLowerCase()), query: namesIn('query') }
}
