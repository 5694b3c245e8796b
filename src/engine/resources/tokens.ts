import { CREDENTIAL_HEADER } from '../../document/words/people.js'
import { hashText } from '../../lib/random.js'
import { orElse } from '../../lib/values.js'
import type { StoredRecord } from './additions.js'
import { ENDED_TOKENS } from './record-forms.js'

/** What a token of the mock says. Times are in seconds since 1970. */
export interface Claims {
  /** The id of the user; missing for a client without one. */
  readonly sub?: string | undefined
  /** The collection that has the user: another one may have the same id. */
  readonly collection?: string | undefined
  readonly use: 'access' | 'refresh'
  readonly iat: number
  readonly exp: number
  /** Differs each time that tokens are issued. */
  readonly jti: string
}

const ISSUER = 'petstore-mock'

/** A token in the form of a JSON Web Token. It says all that has to be known about it, so that no list of tokens is needed. */
export function writeToken(claims: Claims): string {
  const content = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode({ iss: ISSUER, ...claims })}`
  return `${content}.${sign(content)}`
}

/** What a token says; undefined if the mock did not make it. */
export function readToken(token: string): Claims | undefined {
  const [header, payload, signature] = token.split('.')
  if (payload === undefined || signature !== sign(`${header}.${payload}`)) return undefined
  return orElse(() => JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/'))) as Claims, undefined)
}

/** A token of the mock in the headers of a request, whichever of those for credentials has it. */
export function tokenIn(headers: Readonly<Record<string, string | undefined>>): Claims | undefined {
  for (const [name, value] of Object.entries(headers)) {
    if (!CREDENTIAL_HEADER.test(name)) continue
    const [token] = value?.match(/(?<![\w-])eyJ[\w-]+\.[\w-]+\.[\w-]+/) ?? []
    const claims = token === undefined ? undefined : readToken(token)
    if (claims) return claims
  }
  return undefined
}

/** Tokens that ended before their time. */
interface EndedTokens {
  readonly jti: string
  /** When the last of them would have expired, in seconds since 1970. */
  readonly exp: number
}

export const endedTokensOf = (user: StoredRecord) => (user[ENDED_TOKENS] ?? []) as readonly EndedTokens[]

export const hasEnded = (user: StoredRecord, { jti }: Claims) => endedTokensOf(user).some((each) => each.jti === jti)

const toBase64Url = (text: string) => btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')

/** `btoa` takes no other characters. */
const toAscii = (json: string) =>
  json.replaceAll(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

const encode = (value: object) => toBase64Url(toAscii(JSON.stringify(value)))

const sign = (content: string) =>
  toBase64Url([1, 2, 3, 4].map((number) => hashText(`${number}/${content}`).toString(36)).join('-'))
