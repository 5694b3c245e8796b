import { createObservable, type Observable } from './observable.js'

export type Access = 'granted' | 'token required' | 'wrong token'

/** The admin API's token, if it requires one. Stored until the tab is closed. */
export interface Session {
  readonly access: Observable<Access>
  token(): string | undefined
  setToken(token: string): void
  rejectToken(): void
}

const KEY = 'petstore-mock.token'

export function createSession(): Session {
  let token = storedToken()
  const access = createObservable<Access>('granted')
  return {
    access,
    token: () => token,
    setToken(given) {
      token = storedToken(given)
      access.set('granted')
    },
    rejectToken: () => access.set(token === undefined ? 'token required' : 'wrong token'),
  }
}

/** Without access to storage, the token is lost when the page is reloaded. */
function storedToken(token?: string): string | undefined {
  try {
    if (token !== undefined) sessionStorage.setItem(KEY, token)
    return sessionStorage.getItem(KEY) ?? undefined
  } catch {
    return token
  }
}

/** Moves a token from the address (`#token=…`) to the session, so that it is not visible, copied or in the history. */
export function takeTokenFromAddress(session: Session): void {
  const [, token] = /^#token=(.+)$/.exec(location.hash) ?? []
  if (token === undefined) return
  history.replaceState(null, '', `${location.pathname}${location.search}#/`)
  session.setToken(decodeURIComponent(token))
}
