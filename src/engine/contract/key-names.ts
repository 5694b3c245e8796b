import type { Scheme } from './security.js'

/** Stands for a secret. */
export const HIDDEN = '(hidden)'

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
