const PARAMETER = /\{([^{}]+)\}/g

/** The names of the parameters in a path or in one of its segments. */
export function parameterNamesOf(path: string): string[] {
  return Array.from(path.matchAll(PARAMETER), ([, name = '']) => name)
}

/** Whether the segment is one parameter and nothing else: `{bookId}`. */
export function isWholeParameter(segment: string): boolean {
  return /^\{[^{}]+\}$/.test(segment)
}

/**
 * Reads the segments that a segment with parameters stands for, such as `{from}-{to}.json`: returns the texts of the
 * parameters in order, none of them empty and each as short as possible, or undefined if the segment is another one.
 */
export function compileSegment(template: string): (segment: string) => string[] | undefined {
  // The parts alternate: a literal, a name, a literal.
  const literals = template.split(PARAMETER).filter((_, index) => index % 2 === 0)
  const [first = '', ...others] = literals
  const last = others.at(-1) ?? ''
  return (segment) => {
    if (!segment.startsWith(first)) return undefined
    let from = first.length
    const texts: string[] = []
    for (const literal of others.slice(0, -1)) {
      const to = segment.indexOf(literal, from + 1)
      if (to < 0) return undefined
      texts.push(segment.slice(from, to))
      from = to + literal.length
    }
    const end = segment.length - last.length
    if (end <= from || !segment.endsWith(last)) return undefined
    return [...texts, segment.slice(from, end)]
  }
}
