import { findNearest } from '../../lib/nearest.js'

/**
 * The path of a document that an unknown one was most likely meant to be, with the same parameters: one with a few typos, or
 * without its first segments.
 */
export function suggestPath(segments: readonly string[], templates: readonly string[]): string | undefined {
  const candidates = new Map(templates.flatMap((template) => toCandidate(segments, template)))
  const nearest = findNearest(`/${segments.join('/')}`, [...candidates.keys()])
  return nearest === undefined ? undefined : candidates.get(nearest)
}

/** The end of the template that is as long as the path, with its parameters filled in, and all of it. */
function toCandidate(segments: readonly string[], template: string): [end: string, whole: string][] {
  const places = template.split('/').slice(1)
  const missing = places.length - segments.length
  if (missing < 0 || segments.includes('')) return []
  const isLiteral = (_: string, index: number) => places[index + missing]?.startsWith('{') === false
  // Parameters fit everything, so they do not make a path a likely one.
  const literals = places.slice(missing).filter(isLiteral).join('/')
  if (findNearest(segments.filter(isLiteral).join('/'), [literals]) === undefined) return []
  const filled = places.map((place, index) => (place.startsWith('{') ? segments[index - missing] : place))
  return filled.includes(undefined) ? [] : [[`/${filled.slice(missing).join('/')}`, `/${filled.join('/')}`]]
}
