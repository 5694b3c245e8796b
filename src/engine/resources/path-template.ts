/** A path of the document, cut at its slashes. A trailing slash or `.json` does not count. */
export interface PathTemplate {
  readonly path: string
  readonly segments: readonly string[]
  /** The same for all paths that differ only in the names of parameters. */
  readonly key: string
}

export function readPath(path: string): PathTemplate {
  const segments = path
    .replace(/\/+$/, '')
    .replace(/\.json$/, '')
    .split('/')
    .slice(1)
  return { path, segments, key: keyOf(segments) }
}

export function keyOf(segments: readonly string[]): string {
  return segments.map((segment) => `/${parameterOf(segment) === undefined ? segment : '{}'}`).join('')
}

/** The parameter that a segment consists of. */
export function parameterOf(segment: string | undefined): string | undefined {
  return /^\{([^{}]+)\}$/.exec(segment ?? '')?.[1]
}
