import { isService } from '../../engine/mock/service-of.js'
import { applyOptions, type OptionRows, rejectUnknown } from '../../engine/options.js'
import type { ServiceDefinition, ServiceTypes } from '../../engine/service.js'
import type { BaseUrl } from '../../http/base-address.js'
import { MockError } from '../../http/errors.js'
import { isKind } from '../../lib/values.js'

export interface InterceptionOptions {
  /** The address, or list of addresses, whose requests the mock handles. Default: `http://127.0.0.1:4010`. */
  baseUrl?: BaseUrl
}

export const DEFAULT_BASE_URL = 'http://127.0.0.1:4010'

/** Checks the type only; `resolveBaseAddresses` checks the addresses. */
export const BASE_URL = [
  DEFAULT_BASE_URL,
  (value: unknown) => [value].flat().every((each) => typeof each === 'string' || isKind(each, 'URL')),
  'an address or a list of addresses',
] as const

/** Separates an adapter's own options, with defaults applied, from those of the mock. Rejects unknown options. */
export function splitOptions<T extends ServiceTypes, Own extends object>(
  service: ServiceDefinition<T>,
  options: T['options'],
  rows: OptionRows<Own>,
): { own: Own; mockOptions: T['options'] } {
  if (!isService(service)) {
    const message =
      'setupMock must be called with what defineService returned: setupMock(defineService({ document }), options).'
    throw new MockError('INVALID_OPTION', message)
  }
  rejectUnknown(options, [...Object.keys(rows), ...Object.keys(service.defaultOptions)])
  return {
    own: applyOptions(options, rows),
    mockOptions: Object.fromEntries(Object.entries(options).filter(([name]) => !(name in rows))),
  }
}
