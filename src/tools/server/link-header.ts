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
