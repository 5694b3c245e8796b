import { NO_HEADER, type Note, showHeader } from '../../tools/server/differences.js'
import { parseLinks } from '../../tools/server/link-header.js'
import type { ServiceResponse } from '../../tools/server/service-response.js'
import type { OperationInfo } from '../../tools/verify/operations.js'

/** The headers that `verify` compares. */
export const VERIFIED_HEADERS = [
  'Accept-Patch',
  'Accept-Post',
  'Allow',
  'Content-Type',
  'Deprecation',
  'Link',
  'Location',
  'Sunset',
  'X-Stability',
  'X-Total-Count',
]

const LIFECYCLE_HEADERS = ['Deprecation', 'Sunset', 'X-Stability']

/** The headers that announce how stable or deprecated an operation is; an operation without a marker has none. */
export function compareLifecycleHeaders({ contract }: OperationInfo, { headers }: ServiceResponse, note: Note): void {
  const expected = contract.headers('')
  for (const name of LIFECYCLE_HEADERS) {
    const value = headers.get(name)
    if (value !== (expected[name] ?? null)) note(`header ${name}`, expected[name] ?? NO_HEADER, showHeader(value))
  }
  if (expected.Link === undefined) return
  // A service may have its reference page anywhere.
  const relations = parseLinks(expected.Link).map(({ relation }) => relation)
  const received = parseLinks(headers.get('Link') ?? '').map(({ relation }) => relation)
  if (relations.every((relation) => received.includes(relation))) return
  note('header Link', `links with ${relations.join(' and ')}`, showHeader(headers.get('Link')))
}
