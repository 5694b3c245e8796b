import type { RecordedExchange } from '../../engine/log/reproduction.js'
import { fromBase64 } from '../../lib/text.js'
import { parseIfJson } from '../server/service-response.js'
import { type Exchange, readTotal } from './har.js'

/** A reproduction does not have the address of the service. */
export const RECORDED = 'http://recorded'

/** Undefined if the response is not that of the real service. */
export function readExchange({ request, response, fault, override, upstream }: RecordedExchange): Exchange | undefined {
  const isChanged = fault !== undefined || override !== undefined
  if (upstream?.outcome !== 'answered' || isChanged || response === undefined) return undefined
  const { method, path, query } = request
  const { status, headers, body = '', isBase64, cut } = response
  return {
    method,
    // Put together as text: a path that starts with two slashes is no address.
    url: new URL(`${RECORDED}${path}${query === undefined ? '' : `?${query}`}`),
    status,
    total: readTotal(headers['x-total-count']),
    readBody: () => (cut ? undefined : parseIfJson(isBase64 ? new TextDecoder().decode(fromBase64(body)) : body)),
  }
}
