import { useEffect, useMemo, useSyncExternalStore } from 'react'

// Routes are in the fragment (`#`), so that any static server can serve the app at any path.

const current = () => location.hash.slice(1) || '/'

function subscribe(listener: () => void) {
  addEventListener('hashchange', listener)
  return () => removeEventListener('hashchange', listener)
}

export interface Route {
  path: string
  /** As text, so that it can be compared. */
  search: string
}

export function useRoute(): Route {
  const hash = useSyncExternalStore(subscribe, current)
  return useMemo(() => {
    const [path = '/', search = ''] = hash.split(/\?(.*)/s)
    return { path, search }
  }, [hash])
}

/** The current URL with another query; an empty value removes a parameter. */
export function withQuery(changes: Record<string, string | string[]>): string {
  const [path, search] = current().split(/\?(.*)/s)
  const query = new URLSearchParams(search)
  for (const [name, value] of Object.entries(changes)) {
    query.delete(name)
    for (const one of [value].flat()) if (one !== '') query.append(name, one)
  }
  return query.size > 0 ? `#${path}?${query}` : `#${path}`
}

/** Navigates without a history entry, and synchronously: a checkbox that has to wait for its new state jumps back. */
export function replaceRoute(href: string) {
  history.replaceState(null, '', href)
  dispatchEvent(new Event('hashchange'))
}

/** The page number of a query, or 1 if it is missing or invalid. */
export function pageOf(search: string): number {
  const page = Number(new URLSearchParams(search).get('page'))
  return Number.isInteger(page) && page > 0 && page < 1e9 ? page : 1
}

export function useTitle(title: string) {
  useEffect(() => {
    document.title = `${title} · Pet Store`
  }, [title])
}

let listSearch = ''

/** Lets the back link of a pet return to the list it was opened from. */
export function rememberList(search: string) {
  listSearch = search
}

export const linkToList = () => (listSearch ? `#/?${listSearch}` : '#/')
