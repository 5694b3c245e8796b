/** The name of a sandbox or a snapshot. Not only dots: clients resolve `/sandbox/..` to another path. */
export const SANDBOX_NAME = /^(?!\.+$)[A-Za-z0-9._-]{1,64}$/

/** Imports nothing: `petstore-mock/ssr` is this file and a few lines, because it ends up in production code. */

export const SANDBOX_HEADER = 'X-Petstore-Sandbox'

/** The value of the header that names the root, for a client whose browser may send a cookie that names a sandbox. */
export const ROOT = '/'

/** The name of the cookie, and of the member of the W3C header `baggage`. */
export const SANDBOX_COOKIE = 'petstore-sandbox'

const ENTRY = new RegExp(`^\\s*${SANDBOX_COOKIE}\\s*=`)

/** The headers that can name a sandbox. */
export interface SandboxHeaders {
  readonly 'x-petstore-sandbox'?: string | undefined
  readonly baggage?: string | undefined
  readonly cookie?: string | undefined
}

export interface SandboxName {
  readonly name: string
  /** Where it was found, for messages. */
  readonly where: string
}

/** Every name of a sandbox in the headers of a request, other than its cookies. They are not checked. */
export function findSandboxNames({ 'x-petstore-sandbox': inHeader, baggage }: SandboxHeaders): SandboxName[] {
  const names: SandboxName[] = []
  if (inHeader !== undefined) names.push({ name: inHeader, where: SANDBOX_HEADER })
  if (baggage !== undefined) {
    for (const name of readValues(baggage, ',')) names.push({ name: decode(name), where: 'the baggage header' })
  }
  return names
}

/**
 * The names in the cookies of a request. They count only if nothing else names a sandbox: browsers send a cookie to every
 * port of a host, so another server may have set it.
 */
export function findCookieNames({ cookie }: SandboxHeaders): SandboxName[] {
  return cookie === undefined ? [] : readValues(cookie, ';').map((name) => ({ name, where: COOKIE }))
}

/** Where the name in a cookie was found. */
export const COOKIE = 'the cookie'

/**
 * The value of `X-Petstore-Sandbox` that passes on what the headers of a request name. Names that disagree are all in it:
 * the mock rejects the value. Always a valid header value, whatever a client has sent.
 */
export function joinSandboxNames(headers: SandboxHeaders): string | undefined {
  const explicit = findSandboxNames(headers)
  const found = explicit.length > 0 ? explicit : findCookieNames(headers)
  const names = new Set(found.map(({ name, where }) => (namesRoot(name, where) ? name : encodeURIComponent(name))))
  return names.size === 0 ? undefined : [...names].join(', ')
}

/** Only the header can name the root. */
export function namesRoot(name: string, where: string): boolean {
  return where === SANDBOX_HEADER && name === ROOT
}

/** A `Cookie` header without the sandbox's name. */
export function withoutSandboxCookie(cookie: string): string {
  const others = cookie.split(';').filter((entry) => !ENTRY.test(entry))
  return others.join(';')
}

function readValues(list: string, separator: string): string[] {
  const entries = list.split(separator).filter((entry) => ENTRY.test(entry))
  // In baggage, a semicolon and properties may follow the value.
  return entries.map((entry) => entry.replace(ENTRY, '').replace(/;.*/, '').trim())
}

/** A value that cannot be decoded stays as it is, and is not a valid name. */
function decode(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
