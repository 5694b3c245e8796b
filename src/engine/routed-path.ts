/**
 * How `petstore-mock/playwright` names a sandbox, and which part of a path is that of the application's base URL: in front of
 * the path, such as `/@worker-1:4/api/books`, where `/api` has four characters. Headers would do the same, but when a response
 * redirects to another origin, Playwright sends there the headers that it has changed, and those of the application with
 * them.
 */
export interface RoutedPath {
  /** What was put in front of the path. */
  readonly segment: string
  readonly sandbox: string
  /** As in `X-Forwarded-Prefix`. */
  readonly prefix: string
  /** The rest of the path. */
  readonly path: string
}

export function toRoutedPath(sandbox: string, prefix: string, pathname: string): string {
  return `/@${sandbox}:${prefix.length}${pathname}`
}

/** Undefined if the path does not start with such a segment. */
export function readRoutedPath(sent: string): RoutedPath | undefined {
  const [segment, sandbox = '', length] = /^\/@([^/:]*):(\d{1,3})(?![^/])/.exec(sent) ?? []
  if (segment === undefined) return undefined
  const pathname = sent.slice(segment.length)
  const [prefix, path] = [pathname.slice(0, Number(length)), pathname.slice(Number(length))]
  // Every part of the server relies on the slash at the start of a path.
  return /^(?!\/|$)/.test(path) ? undefined : { segment, sandbox, prefix, path }
}

/** A redirect to a path of the mock stays in the sandbox, and in the service whose path is `servicePath`. */
export function toRoutedLocation({ segment, prefix }: RoutedPath, location: string, servicePath: string): string {
  if (!/^\/(?!\/)/.test(location)) return location
  return servicePath + segment + (location.startsWith(`${prefix}/`) ? '' : prefix) + location
}
