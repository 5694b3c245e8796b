import { parsePath } from '../contract/target.js'
import type { Target } from './guard.js'

const CONTROL_PREFIX = '__admin'

/** A request target taken apart once: for the guard, and for the core. */
export interface ParsedTarget extends Target {
  readonly path: string
  readonly query: string
}

export function parseTarget(url: string): ParsedTarget {
  const absolute = /^https?:\/\/([^/?#]*)/i.exec(url)
  const rest = absolute ? url.slice(absolute[0].length) : url
  const mark = rest.indexOf('?')
  const path = (mark < 0 ? rest : rest.slice(0, mark)) || '/'
  return { authority: absolute?.[1], path, query: mark < 0 ? '' : rest.slice(mark + 1), isControl: isControlPath(path) }
}

/** Whatever the spelling: `/%5F_admin` leads where `/__admin` does. */
function isControlPath(path: string): boolean {
  if (!path.includes('_') && !path.includes('%')) return false
  try {
    return parsePath(path)[0] === CONTROL_PREFIX
  } catch {
    // It leads nowhere: a path that cannot be decoded is refused by the core.
    return false
  }
}
