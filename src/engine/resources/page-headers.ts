import { isHeaderValue } from '../contract/header-rules.js'
import { normalize } from './names.js'
import { type ListPage, pageFacts } from './page-facts.js'
import { relatedOffsets } from './paging.js'

/** Totals and positions under their usual names: `X-Total`, `X-Per-Page`, `X-Next-Page`, `Next-Cursor`. */
export function addPageHeaders(headers: Record<string, string>, names: readonly string[], page: ListPage): void {
  const facts = pageFacts(page)
  const { next, prev } = relatedOffsets(page, page.total)
  for (const name of names) {
    const key = normalize(name.replace(/^x-(pagination-)?|^pagination-/i, ''))
    const relation = /^(next|prev(ious)?)(page|cursor|offset|(page)?token)$/.exec(key)?.[1]
    const fact = Object.hasOwn(facts, key) ? facts[key] : undefined
    const offset = relation === undefined ? undefined : relation === 'next' ? next : prev
    const value = fact ?? (offset === undefined ? undefined : page.positionAt?.(offset))
    if (value !== undefined && isHeaderValue(String(value))) headers[name] = String(value)
  }
}
