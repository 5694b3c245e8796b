import type { ServiceResponse } from '../connection.js'
import type { OperationInfo } from '../operations.js'
import { NO_HEADER, type Note, showHeader } from './findings.js'

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

export interface Link {
  readonly target: string
  readonly relation: string
}

/** The links of a `Link` header (RFC 8288), one for each relation. */
export function parseLinks(header: string): Link[] {
  return header.split(/,\s*(?=<)/).flatMap((link) => {
    const [, target, parameters = ''] = /^\s*<([^>]*)>(.*)$/s.exec(link) ?? []
    const [, quoted, bare = ''] = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,]+))/i.exec(parameters) ?? []
    if (target === undefined) return []
    const relations = (quoted ?? bare).toLowerCase().split(/\s+/)
    return relations.filter((relation) => relation !== '').map((relation) => ({ target, relation }))
  })
}
