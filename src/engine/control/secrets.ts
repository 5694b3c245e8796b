import { orElse } from '../../lib/or-else.js'
import { HIDDEN, type KeyNames } from '../contract/key-names.js'

const SECRETS = ['authorization', 'proxy-authorization', 'cookie', 'set-cookie', 'x-api-key']

export const NO_KEYS: KeyNames = { headers: [], query: [] }

/** Without secrets. Addresses in other headers, such as `Link`, may have the query of the request. */
export function hideSecrets<Value>(
  headers: Readonly<Record<string, Value>>,
  keys = NO_KEYS,
): Record<string, Value | string> {
  const shown: Record<string, Value | string> = { ...headers }
  for (const [name, value] of Object.entries(headers)) {
    const lower = name.toLowerCase()
    if (SECRETS.includes(lower) || keys.headers.includes(lower)) shown[name] = HIDDEN
    else if (typeof value === 'string') shown[name] = hideInQuery(value, keys)
  }
  return shown
}

/** A query, or a text with addresses, without the values of the keys. */
export function hideInQuery(text: string, { query }: KeyNames): string {
  if (query.length === 0) return text
  return text.replaceAll(/(?<=^|[?&])([^=&#?\s]+)=([^&#<>"\s]*)/g, (pair, name: string) =>
    query.includes(orElse(() => decodeURIComponent(name.replaceAll('+', ' ')), name)) ? `${name}=${HIDDEN}` : pair,
  )
}
