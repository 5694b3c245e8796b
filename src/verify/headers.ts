import type { Described } from './catalogue.js'
import { type Differ, showHeader } from './differ.js'
import type { Answer } from './sender.js'

const ANNOUNCED = ['Deprecation', 'Sunset', 'X-Stability']

/** The headers that announce what the document marks an operation with, and none where it does not. */
export function judgeHeaders({ contract }: Described, { headers }: Answer, differ: Differ): void {
  const wanted = contract.headers('')
  for (const name of ANNOUNCED) {
    const value = headers.get(name)
    if (value === (wanted[name] ?? null)) continue
    differ(`header ${name}`, wanted[name] ?? 'no such header', showHeader(value))
  }
  if (wanted.Link === undefined) return
  // Where the reference page lies is the service's own affair.
  const relations = parseLinks(wanted.Link).map(({ relation }) => relation)
  const given = parseLinks(headers.get('Link') ?? '').map(({ relation }) => relation)
  if (relations.every((relation) => given.includes(relation))) return
  differ('header Link', `links with ${relations.join(' and ')}`, showHeader(headers.get('Link')))
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
    return (quoted ?? bare)
      .toLowerCase()
      .split(/\s+/)
      .filter((relation) => relation !== '')
      .map((relation) => ({ target, relation }))
  })
}
