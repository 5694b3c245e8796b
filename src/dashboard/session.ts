import { createObservable, type Observable } from './observable.js'

/** What the control plane asks for, where it asks for anything. Kept for as long as the tab is open. */
export interface Session {
  token(): string | undefined
  /** Whether the control plane wants a token, or another one. */
  readonly refused: Observable<'no' | 'missing' | 'wrong'>
  give(token: string): void
  refuse(): void
}

const KEY = 'petstore-mock.token'

export function createSession(): Session {
  let token = remember()
  const refused = createObservable<'no' | 'missing' | 'wrong'>('no')
  return {
    token: () => token,
    refused,
    give(given) {
      token = given
      remember(given)
      refused.set('no')
    },
    refuse: () => refused.set(token === undefined ? 'missing' : 'wrong'),
  }
}

/** A browser may forbid a page to keep anything; the token is then asked for once more. */
function remember(token?: string): string | undefined {
  try {
    if (token !== undefined) sessionStorage.setItem(KEY, token)
    return sessionStorage.getItem(KEY) ?? undefined
  } catch {
    return token
  }
}

/** Takes a token out of the address (`#token=…`), so that it is not seen, copied or kept in the history. */
export function takeTokenFromAddress(session: Session): void {
  const [, token] = /^#token=(.+)$/.exec(location.hash) ?? []
  if (token === undefined) return
  history.replaceState(null, '', `${location.pathname}${location.search}#/`)
  session.give(decodeURIComponent(token))
}
