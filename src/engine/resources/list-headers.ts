import type { Tools } from './handler.js'
import type { ListPage } from './page-facts.js'
import { pageLinks } from './paging.js'
import { constantHeaders } from './response-headers.js'

type Headers = Readonly<Record<string, string>>

/** The declared headers of a response with a page of a list. */
export function createListHeaders(names: readonly string[], { documents }: Tools): (page: ListPage) => Headers {
  const linkName = names.find((name) => name.toLowerCase() === 'link')
  const totalName = names.find((name) => name.toLowerCase() === 'x-total-count')
  const others = names.filter((name) => name !== linkName && name !== totalName)
  const constant = constantHeaders(others)
  return (page) => {
    const headers: Record<string, string> = { ...constant }
    if (totalName !== undefined) headers[totalName] = String(page.total)
    if (others.length > 0) documents?.addPageHeaders(headers, others, page)
    const links = linkName === undefined ? undefined : pageLinks(page.toUrl, page, page.total)
    if (linkName !== undefined && links !== undefined) headers[linkName] = links
    return headers
  }
}
