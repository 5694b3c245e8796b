import {
  applyOptions,
  DEFAULTS,
  type Expectations,
  type PetstoreOptions,
  refuseUnknown,
} from '../../petstore/options.js'
import type { BaseUrl } from './base-address.js'

/** What becomes of a request to another address. */
export type Unhandled = 'error' | 'bypass'

export interface InterceptionOptions extends PetstoreOptions {
  /** The address, or addresses, that the pet store answers for. Default: `http://127.0.0.1:4010`, as in the document. */
  baseUrl?: BaseUrl
}

export const DEFAULT_BASE_URL = 'http://127.0.0.1:4010'

/** Of which kind the option must be; whether it is an address is told where it is resolved. */
export const BASE_URL_EXPECTATION = [
  (value: unknown) => [value].flat().every((each) => typeof each === 'string' || each instanceof URL),
  'an address or a list of addresses',
] as const

/** Parts an adapter's own options from those of the pet store, with defaults applied and nothing unknown let through. */
export function partOptions<Own extends object>(
  options: object,
  defaults: Own,
  expectations: Expectations<Own>,
): { own: Own; petstore: PetstoreOptions } {
  refuseUnknown(options, [...Object.keys(defaults), ...Object.keys(DEFAULTS)])
  const isOwn = ([name]: [string, unknown]) => name in defaults
  return {
    own: applyOptions(options, defaults, expectations),
    petstore: Object.fromEntries(Object.entries(options).filter((entry) => !isOwn(entry))),
  }
}
