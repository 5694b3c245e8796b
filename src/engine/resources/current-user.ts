import { findUsers } from '../../document/resources/people.js'
import { MY_ID } from '../../document/words/people.js'
import type { RequestHeaders } from '../../http/messages.js'
import { oncePer } from '../../lib/functions.js'
import type { AnyCollections, StoredRecord } from './additions.js'
import type { ServiceResource } from './service-resource.js'
import { type Claims, hasEnded, tokenIn } from './tokens.js'

interface Request {
  readonly store: AnyCollections
  readonly headers: RequestHeaders
  /** What the service says about it. */
  readonly user?: StoredRecord | undefined
}

/** The user that a token names, if that is a record of this resource. */
export function userOf(
  { storedIn }: Pick<ServiceResource, 'storedIn'>,
  store: AnyCollections,
  { sub, collection }: Claims,
): StoredRecord | undefined {
  return sub === undefined || collection !== storedIn ? undefined : store[storedIn]?.get(sub)
}

/**
 * Who is the user of a request: the one that the service says, or whose token it has, else the first. This is the only place where that is decided.
 * Null if that user exists no more, undefined if there are no users.
 */
function currentUser(
  resource: Pick<ServiceResource, 'storedIn'>,
  { store, headers, user }: Request,
): StoredRecord | null | undefined {
  const users = store[resource.storedIn]
  if (user) return users?.get(user.id) ?? null
  const claims = tokenIn(headers)
  if (claims?.collection === resource.storedIn) return userOf(resource, store, claims) ?? null
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
  all: readonly ServiceResource[],
  { store, headers }: Request,
  at: number,
): string | undefined {
  const claims = tokenIn(headers)
  if (claims === undefined) return undefined
  if (claims.use !== 'access') return 'The token is one to refresh others with.'
  if (claims.exp * 1000 <= at) return 'The token has expired.'
  const people = usersIn(all)
  const user = people && userOf(people, store, claims)
  if (claims.sub !== undefined && user === undefined) return `There is no ${people?.noun ?? 'user'} with this token.`
  return user && hasEnded(user, claims) ? 'The token is no longer valid.' : undefined
}

const usersIn = oncePer((all: readonly ServiceResource[]) => findUsers(all))
