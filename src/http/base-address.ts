import { invalidOption } from './errors.js'

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

export interface BaseAddress {
  readonly origin: string
  /** The path in front of the API's paths; empty at the root. */
  readonly path: string
}

export interface BaseAddresses {
  readonly all: readonly BaseAddress[]
  /** For messages. */
  readonly text: string
  /** Returns the base address that a URL is under. */
  find(url: string): BaseAddress | undefined
}

export type BaseUrl = string | URL | readonly (string | URL)[]

/** A base URL may omit its origin if there is a page URL to resolve it against. `option` is for messages. */
export function resolveBaseAddresses(baseUrl: BaseUrl, pageUrl?: string, option = 'baseUrl'): BaseAddresses {
  const addresses = [baseUrl].flat().map((each) => resolve(String(each), pageUrl, option))
  if (addresses.length === 0) throw invalidOption(option, 'a list of at least one address', baseUrl)
  // The longest path first, because one base address may be under another.
  addresses.sort((a, b) => b.path.length - a.path.length)
  return {
    all: addresses as readonly BaseAddress[],
    text: addresses.map(({ origin, path }) => origin + path).join(', '),
    find: (url: string) => addresses.find((address) => isUnder(url, address)),
  }
}

function resolve(text: string, pageUrl: string | undefined, option: string): BaseAddress {
  const url = URL.canParse(text, pageUrl) ? new URL(text, pageUrl) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
    throw invalidOption(option, 'an address such as https://api.example/v1', text)
  }
  return { origin: url.origin, path: url.pathname.replace(/\/+$/, '') }
}

/** Compares text: the URL of a `Request` is already normalized. */
function isUnder(url: string, { origin, path }: BaseAddress): boolean {
  const base = origin + path
  return url.startsWith(base) && ['/', '?', '#', undefined].includes(url[base.length])
}
