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
