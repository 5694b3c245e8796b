import { normalize } from './names.js'
import { type ListPage, pageFacts } from './page-facts.js'
import { pageLinks, relatedOffsets } from './paging.js'
import { constantHeaders } from './response-headers.js'

type Headers = Readonly<Record<string, string>>

/** The declared headers of a response with a page of a list. */
export function createListHeaders(names: readonly string[]): (page: ListPage) => Headers {
  const linkName = names.find((name) => name.toLowerCase() === 'link')
  const totalName = names.find((name) => name.toLowerCase() === 'x-total-count')
  const others = names.filter((name) => name !== linkName && name !== totalName)
  const constant = constantHeaders(others)
  return (page) => {
    const headers: Record<string, string> = { ...constant }
    if (totalName !== undefined) headers[totalName] = String(page.total)
    if (others.length > 0) addOthers(headers, others, page)
    const links = linkName === undefined ? undefined : pageLinks(page.toUrl, page, page.total)
    if (linkName !== undefined && links !== undefined) headers[linkName] = links
    return headers
  }
}

/** Totals and positions under their usual names: `X-Total`, `X-Per-Page`, `X-Next-Page`, `Next-Cursor`. */
function addOthers(headers: Record<string, string>, names: readonly string[], page: ListPage): void {
  const facts = pageFacts(page)
  const { next, prev } = relatedOffsets(page, page.total)
  for (const name of names) {
    const key = normalize(name.replace(/^x-(pagination-)?|^pagination-/i, ''))
    const relation = /^(next|prev(ious)?)(page|cursor|offset|(page)?token)$/.exec(key)?.[1]
    const fact = Object.hasOwn(facts, key) ? facts[key] : undefined
    const offset = relation === undefined ? undefined : relation === 'next' ? next : prev
    const value = fact ?? (offset === undefined ? undefined : page.positionAt?.(offset))
    if (value !== undefined) headers[name] = String(value)
  }
}
