import { MY_ID } from '../../document/words/people.js'
import type { RequestHeaders } from '../../http/messages.js'
import type { AnyCollections, StoredRecord } from './additions.js'
import type { ServiceResource } from './service-resource.js'
import { endedTokensOf, tokenIn } from './tokens.js'

interface Request {
  readonly store: AnyCollections
  readonly headers: RequestHeaders
  /** What the service says about it. */
  readonly user?: StoredRecord | undefined
}

/**
 * Who is the user of a request: the one that the service says, or whose token it has, else the first. This is the only place where that is decided.
 * Null if that user exists no more, undefined if there are no users.
 */
export function currentUser(
  { storedIn }: Pick<ServiceResource, 'storedIn'>,
  { store, headers, user }: Request,
): StoredRecord | null | undefined {
  if (user) return store[storedIn]?.get(user.id) ?? null
  const users = store[storedIn]
  const { sub } = tokenIn(headers) ?? {}
  if (sub !== undefined) return users?.get(sub) ?? null
  return users?.select({}).slice(0, 1)[0]
}

/** Finds the user of a request where a path stands for that one, as `/me` and `/users/me` do; undefined for other paths. */
export function createCurrentUserFinder(resource: ServiceResource) {
  const { isMe, isPeople, id } = resource
  if (!isMe && !isPeople) return undefined
  const isMine = (path: Readonly<Record<string, unknown>>) => isMe || MY_ID.test(String(path[id.parameter ?? '']))
  return (context: Request & { readonly path: Readonly<Record<string, unknown>> }) =>
    isMine(context.path) ? currentUser(resource, context) : undefined
}

/** Why a request with a token of the mock is not authorized, at a time in milliseconds; undefined if it is, or has none. */
export function findTokenProblem(
  people: Pick<ServiceResource, 'storedIn' | 'noun'> | undefined,
  { store, headers }: Request,
  at: number,
): string | undefined {
  const claims = tokenIn(headers)
  if (claims === undefined) return undefined
  if (claims.use !== 'access') return 'The token is one to refresh others with.'
  if (claims.exp * 1000 <= at) return 'The token has expired.'
  const user = claims.sub === undefined ? undefined : store[people?.storedIn ?? '']?.get(claims.sub)
  if (claims.sub !== undefined && user === undefined) return `There is no ${people?.noun ?? 'user'} with this token.`
  return user && endedTokensOf(user).includes(claims.jti) ? 'The token is no longer valid.' : undefined
}
