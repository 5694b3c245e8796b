const PARAMETER = /\{([^{}]+)\}/g

/** The names of the parameters in a path or in one of its segments. */
export function parameterNamesOf(path: string): string[] {
  return Array.from(path.matchAll(PARAMETER), ([, name = '']) => name)
}

/** Whether the segment is one parameter and nothing else: `{bookId}`. */
export function isWholeParameter(segment: string): boolean {
  return /^\{[^{}]+\}$/.test(segment)
}

/** Matches the segments that a segment with parameters stands for, such as `{bookId}.json`. Each parameter is a group. */
export function segmentPattern(segment: string): RegExp {
  // The parts alternate: a literal, a name, a literal.
  const parts = segment.split(PARAMETER).map((part, index) => (index % 2 === 0 ? escapePattern(part) : '(.+?)'))
  return new RegExp(`^${parts.join('')}$`, 's')
}

const escapePattern = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, '\\$&')
