/**
 * How `petstore-mock/playwright` names a sandbox, and the path of the application's base URL: as the first segment of the
 * path, such as `/@worker-1%2Fapi`. Headers would do the same, but when a response redirects to another origin, Playwright
 * sends there the headers that it has changed, and those of the application with them.
 */
export interface RoutedPath {
  /** The first segment, with its slash. */
  readonly segment: string
  readonly sandbox: string
  /** As in `X-Forwarded-Prefix`. */
  readonly prefix: string
}

export function toRoutedSegment(sandbox: string, prefix: string): string {
  return `/@${encodeURIComponent(sandbox + prefix)}`
}

/** Undefined if the path does not start with such a segment. */
export function readRoutedPath(path: string): RoutedPath | undefined {
  const [segment] = /^\/@[^/]*/.exec(path) ?? []
  if (segment === undefined) return undefined
  try {
    const [sandbox = '', prefix = ''] = decodeURIComponent(segment.slice('/@'.length)).split(/(?=\/)(.*)/s)
    return { segment, sandbox, prefix }
  } catch {
    return undefined
  }
}

/** A redirect to a path of the mock stays in the sandbox. */
export function toRoutedLocation({ segment, prefix }: RoutedPath, location: string): string {
  if (!/^\/(?!\/)/.test(location)) return location
  return segment + (location.startsWith(`${prefix}/`) ? location.slice(prefix.length) : location)
}
