import { createObservable, type Observable } from './observable.js'

/** Where in the dashboard one is: a path such as `/data/pets?sort=-name`. */
export interface Router {
  readonly path: Observable<string>
  /** The address of a path, where it has one. */
  href(path: string): string | undefined
  go(path: string, options?: { replace?: boolean }): void
  stop(): void
}

/** In a page of its own the path is in the address, so that going back works and links can be kept. */
export function createHashRouter(onHash: () => void): Router {
  const read = () => location.hash.replace(/^#/, '') || '/'
  const path = createObservable(read())
  const listen = () => {
    onHash()
    path.set(read())
  }
  addEventListener('hashchange', listen)
  return {
    path,
    href: (to) => `#${to}`,
    go(to, { replace = false } = {}) {
      if (replace) history.replaceState(null, '', `#${to}`)
      else if (to !== read()) history.pushState(null, '', `#${to}`)
      path.set(to)
    },
    stop: () => removeEventListener('hashchange', listen),
  }
}

/** In the page of an application the address is the application's. */
export function createInnerRouter(): Router {
  const path = createObservable('/')
  return { path, href: () => undefined, go: (to) => path.set(to), stop() {} }
}

/** The parts of a path: its segments, decoded, and its query. */
export function splitRoute(path: string): { segments: string[]; query: URLSearchParams } {
  const [before = '', after = ''] = path.split(/\?(.*)/s)
  return { segments: before.split('/').filter(Boolean).map(decode), query: new URLSearchParams(after) }
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/** A path with a query that leaves out what is empty. */
export function toRoute(path: string, query: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(query).filter((pair): pair is [string, string] => Boolean(pair[1]))
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`
}
