/** The text between two commas; a comma in quotes does not count. */
const PART = /(?:[^,"]|"(?:[^"\\]|\\.)*"?)+/g

/** A preference and its value; parameters after it are ignored. */
const PREFERENCE = /^[ \t]*([\w-]+)[ \t]*(?:=([^;]*))?(?:;|$)/

/** What the header `Prefer` (RFC 7240) says about the response. The first of several with the same name counts. */
export interface Preferences {
  /** A status from 200 to 599. */
  readonly code?: number | undefined
  /** The name of an example in the OpenAPI document. */
  readonly example?: string | undefined
  /** Whether the body is made from the schema although there are examples. */
  readonly isDynamic?: boolean
}

const NONE: Preferences = {}

export function readPreferences(header: string | undefined): Preferences {
  if (header === undefined) return NONE
  const code = preferenceIn(header, 'code')
  return {
    code: code !== undefined && /^[2-5][0-9]{2}$/.test(code) ? Number(code) : undefined,
    example: preferenceIn(header, 'example'),
    isDynamic: preferenceIn(header, 'dynamic') === 'true',
  }
}

function preferenceIn(header: string, wanted: string): string | undefined {
  for (const part of header.match(PART) ?? []) {
    const [, name, value = ''] = PREFERENCE.exec(part) ?? []
    if (name?.toLowerCase() === wanted) return value.trim().replace(/^"(.*)"$/, '$1')
  }
  return undefined
}

/** The status of an error that `Prefer: code=503` requests: 400 to 599, or undefined. */
export function preferredStatus(header: string | undefined): number | undefined {
  const { code = 0 } = readPreferences(header)
  return code >= 400 ? code : undefined
}
