import type { LinkOperation } from '../resources/links.js'
import type { DocumentPath, Method, PathOperation } from '../resources/read-operations.js'
import type { Resource, ResourceOperation } from '../resources/resource.js'

/**
 * What an operation means that is no list, create, read, replace, merge or remove of a resource. Plain data: `inspect` prints
 * it, and a service file says otherwise in the same words.
 */
export type Meaning = Action | Attach | Detach | SignIn | Download

/**
 * An operation on one record: `POST /tasks/{id}/complete`. It stores what the request shares with the record, then sets what
 * `set` says, and returns the record if the response can hold it.
 */
export interface Action extends Recognised {
  readonly kind: 'action'
  /** The name of the resource whose record the path names. */
  readonly resource: string
  /** The parameters of the path that name it, outermost first. */
  readonly parameters: readonly string[]
  /**
   * What it sets, by property of the record or of the response. In one with a time, `now` is the time of the request. Null
   * removes what cannot be null.
   */
  readonly set: Readonly<Record<string, unknown>>
  /** The values of properties that allow it. With others, the request is a conflict. */
  readonly from?: Readonly<Record<string, readonly unknown[]>> | undefined
  /** Whether properties of the request are stored that the record has as well. */
  readonly stores: boolean
  /** Whether the response is the record. */
  readonly showsRecord: boolean
}

/** `POST /tasks/{id}/addTag`, `PUT /tasks/{id}/tags/{tagId}`: existing records are attached to another one. */
export interface Attach extends Recognised, Linking {
  readonly kind: 'attach'
}

/** The opposite: they exist still. */
export interface Detach extends Recognised, Linking {
  readonly kind: 'detach'
}

interface Linking extends Omit<LinkOperation, 'kind'> {
  /** Whether the response is a list of what is attached. */
  readonly showsList: boolean
}

/** An operation of sign-in. The response has a token of the user whose name or email the request has. */
export interface SignIn extends Recognised {
  readonly kind: 'signIn'
  /** Sign in, sign up or sign out, renew a token, or what `grant_type` says (OAuth 2.0). */
  readonly act: 'in' | 'up' | 'out' | 'refresh' | 'grant'
  /** The name of the resource with the users, if there is one. */
  readonly resource?: string | undefined
}

/** `GET /files/{id}/content`: the file that was uploaded for a record. */
export interface Download extends Recognised {
  readonly kind: 'download'
  /** The name of the resource whose record the path names. */
  readonly resource: string
  /** The parameters of the path that name it, outermost first. */
  readonly parameters: readonly string[]
}

/** What every meaning has. */
export interface Recognised {
  readonly operationId: string
  /** What it takes and returns: where its bodies have records, if they do. */
  readonly operation: ResourceOperation
}

/** An operation that belongs to no resource. */
export interface Unclaimed extends PathOperation {
  readonly method: Method
  readonly path: DocumentPath
}

/** What is known of a service when the meaning of its other operations is read. */
export interface Known<R extends Resource = Resource> {
  readonly resources: readonly R[]
  /** By the key of their item paths. */
  readonly byItemPath: ReadonlyMap<string, R>
  /** What attaches and detaches records, by operationId. */
  readonly links: () => ReadonlyMap<string, LinkOperation>
}
