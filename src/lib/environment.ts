import { orElse } from './values.js'

/** Whether `fetch` sends a request as it is: it changes some addresses and methods, and rejects others. */
export function canFetch(
  method: string,
  target: string,
  headers: Readonly<Record<string, string>>,
  hasBody: boolean,
): boolean {
  const url = `http://localhost${target}`
  try {
    const request = new Request(url, { method, headers, ...(hasBody && { body: '' }) })
    return request.method === method && normalise(request.url) === normalise(url) && !target.includes('#')
  } catch {
    return false
  }
}

/** Characters that `fetch` encodes in a query, such as an apostrophe, mean the same. */
function normalise(url: string): string {
  return url.replace(/\?.*$/, (query) => String(new URLSearchParams(query)))
}

/** The name of the running test, if there is a global `expect` that knows it: in Jest, and in vitest with `globals`. */
export function currentTest(): string | undefined {
  const { expect } = globalThis as { expect?: { getState?(): { currentTestName?: string } } }
  return expect?.getState?.().currentTestName
}

/** Uses a browser's storage. The browser may deny a page access to it: nothing is stored then, and this returns undefined. */
export function tryStorage<T>(use: () => T): T | undefined {
  return orElse<T | undefined>(use, undefined)
}

const NOT_TRUSTED = 'its certificate is not trusted; name the certificate that signed it with'
const NO_HTTPS = 'it does not answer HTTPS; use http:// in its address'

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  ENOTFOUND: 'unknown host name',
  EAI_AGAIN: 'host name lookup failed',
  UND_ERR_SOCKET: 'connection closed',
  DEPTH_ZERO_SELF_SIGNED_CERT: NOT_TRUSTED,
  SELF_SIGNED_CERT_IN_CHAIN: NOT_TRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: NOT_TRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: NOT_TRUSTED,
  CERT_HAS_EXPIRED: 'its certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for other host names',
  ERR_SSL_WRONG_VERSION_NUMBER: NO_HTTPS,
  // The same in newer versions of OpenSSL.
  ERR_SSL_PACKET_LENGTH_TOO_LONG: NO_HTTPS,
  Z_DATA_ERROR: 'its body is not in the content coding that its header names',
}

/**
 * Why a service did not respond. `fetch` throws an error that only says that it failed; the reason is its innermost cause.
 * `caOption` is what names the certificate of an authority.
 */
export function explainConnectionError(error: unknown, caOption: string): string {
  let reason = error as { cause?: unknown; code?: unknown; message?: unknown } | undefined
  while (typeof reason?.cause === 'object' && reason.cause !== null) reason = reason.cause
  const code = String(reason?.code ?? '')
  const known = REASONS[code]
  if (known === NOT_TRUSTED) return `${known} ${caOption}`
  return known ?? (String(reason?.message ?? '') || code || 'unknown reason')
}
