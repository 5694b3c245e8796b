import { useEffect, useState } from 'preact/hooks'
import { tryStorage } from '../lib/environment.js'
import { decodePercent } from '../lib/text.js'

export interface Router {
  /** The current path, such as `/data/books?sort=-name`. */
  readonly path: string
  /** The link to a path, where paths have addresses. */
  href(path: string): string | undefined
  go(path: string, options?: { replace?: boolean }): void
}

/** Whether the dashboard is in an application's page, where a service worker is the only way to the mock. */
export function isInPage({ href }: Pick<Router, 'href'>): boolean {
  return href('/') === undefined
}

/** For the separate page: the path is in the address, so that the back button and bookmarks work. */
export function useHashRouter(): Router {
  const [path, setPath] = useState(readHash)
  useEffect(() => addEventListener('hashchange', () => setPath(readHash())), [])
  return {
    path,
    href: (to) => `#${to}`,
    go(to, { replace = false } = {}) {
      if (replace) history.replaceState(null, '', `#${to}`)
      else location.hash = to
      setPath(to)
    },
  }
}

const readHash = () => location.hash.slice(1) || '/'

/** For a panel in an application's page, whose address belongs to the application. */
export function useMemoryRouter(): Router {
  const [path, setPath] = useState('/')
  return { path, href: () => undefined, go: (to) => setPath(to) }
}

export function splitRoute(path: string) {
  const [before = '', after = ''] = path.split(/\?(.*)/s)
  return { segments: before.split('/').filter(Boolean).map(decodePercent), query: new URLSearchParams(after) }
}

/** The path to show after switching to another instance: the same, but not the same request or the requests of all. */
export function toOtherInstance(path: string): string {
  const { segments, query } = splitRoute(path)
  if (segments[0] !== 'requests' && segments[0] !== 'sandboxes') return path
  const { sandboxes, ...filter } = Object.fromEntries(query)
  return toRoute('/requests', filter)
}

/** A path with a query. Empty values are left out. */
export function toRoute(path: string, query: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(query).filter((pair): pair is [string, string] => Boolean(pair[1]))
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`
}

/** A state that is also in the browser's storage. Without access to storage, it is lost when the page is reloaded. */
export function useStored(name: 'localStorage' | 'sessionStorage', key: string) {
  const [value, setValue] = useState(() => tryStorage(() => globalThis[name].getItem(key)) ?? undefined)
  function store(next: string | undefined): void {
    setValue(next)
    tryStorage(() => (next === undefined ? globalThis[name].removeItem(key) : globalThis[name].setItem(key, next)))
  }
  return [value, store] as const
}
