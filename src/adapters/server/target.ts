import { isAdminPath } from '../../engine/address.js'
import type { Target } from './guard.js'
import { isPagePath } from './pages.js'

/** A request target taken apart once: for the guard, and for the core. */
export interface ParsedTarget extends Target {
  readonly path: string
  readonly query: string
}

export function parseTarget(url: string): ParsedTarget {
  const absolute = url.startsWith('/') ? null : /^https?:\/\/([^/?#]*)/i.exec(url)
  const rest = absolute ? url.slice(absolute[0].length) : url
  const mark = rest.indexOf('?')
  const path = (mark < 0 ? rest : rest.slice(0, mark)) || '/'
  const isAdmin = isAdminPath(path)
  return {
    authority: absolute?.[1],
    path,
    query: mark < 0 ? '' : rest.slice(mark + 1),
    isAdmin,
    isPage: isAdmin && isPagePath(path),
  }
}
