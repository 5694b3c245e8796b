import { useEffect, useMemo, useSyncExternalStore } from 'react'

// Routes live behind the `#`, so that any static server at any path can carry them.

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

/** The present address with another query; an empty value takes a parameter out. */
export function withQuery(changes: Record<string, string | string[]>): string {
  const [path, search] = current().split(/\?(.*)/s)
  const query = new URLSearchParams(search)
  for (const [name, value] of Object.entries(changes)) {
    query.delete(name)
    for (const one of [value].flat()) if (one !== '') query.append(name, one)
  }
  return query.size > 0 ? `#${path}?${query}` : `#${path}`
}

/** Goes there without a step in the history, and at once: a checkbox that has to wait for its new state jumps back. */
export function replaceRoute(href: string) {
  history.replaceState(null, '', href)
  dispatchEvent(new Event('hashchange'))
}

/** The page number of a query, 1 where it has no proper one. */
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

/** So that the way back from a pet leads to the list it was chosen from. */
export function rememberList(search: string) {
  listSearch = search
}

export const linkToList = () => (listSearch ? `#/?${listSearch}` : '#/')
