import { parseJson } from '../../lib/json.js'
import { findExcess } from '../../lib/json-in-steps.js'
import { quote } from '../../lib/text.js'

/** A response, read to its end. */
export interface ServiceResponse {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The body, if it is JSON. */
  readonly value: unknown
  /** The request, in one line. */
  readonly sent: string
}

export const isSuccess = ({ status }: Pick<ServiceResponse, 'status'>): boolean => status >= 200 && status < 300

/** With the code of an error, which says most about what the service made of the request. */
export function describeStatus(response: ServiceResponse): string {
  const code = memberOf(response, 'code')
  const { status } = response
  return status >= 400 && typeof code === 'string' ? `${status} ${quote(code).slice(1, -1)}` : String(status)
}

export const isRedirect = ({ status }: Pick<ServiceResponse, 'status'>): boolean => status >= 300 && status < 400

/** Where a redirect leads, after `before`; empty if it does not say. Without the query, which may hold a secret. */
export function redirectTarget({ headers }: ServiceResponse, before: string): string {
  const location = headers.get('Location')
  if (location === null || !URL.canParse(location)) return ''
  const { origin, pathname } = new URL(location)
  return `${before}${origin}${pathname}`
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

/** A member of the JSON object in a response. */
export function memberOf({ value }: ServiceResponse, name: string): unknown {
  return isObject(value) ? value[name] : undefined
}

/** Far more than any response of the document: parsing deep nesting takes long, and much memory. */
const MAX_JSON = { maxJsonDepth: 64, maxJsonValues: 1_000_000 }

/** Why JSON of a service is not read, as it reads after its name in a sentence. */
export const findJsonExcess = (text: string): string | undefined => findExcess(text, MAX_JSON)

/** Undefined for what is not JSON, or too deep or too large. */
export function parseIfJson(text: string): unknown {
  if (findJsonExcess(text) !== undefined) return undefined
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

/** The objects in a list. */
export function objectsIn(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}
