import type { LinkOperation } from '../resources/links.js'
import type { DocumentPath, Method, PathOperation } from '../resources/read-operations.js'
import type { ListParameters, Resource, ResourceOperation } from '../resources/resource.js'

/**
 * What an operation means that is no list, create, read, replace, merge or remove of a resource. Plain data: `inspect` prints
 * it, and a service file says otherwise in the same words.
 */
export type Meaning = Action | Attach | Detach | SignIn | Download | Creation | Bulk | Search | Mark | Answer

/**
 * An operation on one record: `POST /tasks/{id}/complete`. It stores what the request shares with the record, then sets what
 * `set` says, and returns the record if the response can hold it.
 */
export interface Action extends Recognised, PathRecord {
  readonly kind: 'action'
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

/** The record that a path names, or starts with. */
export interface PathRecord {
  /** The name of its resource. */
  readonly resource: string
  /** The parameters of the path that name it, outermost first. */
  readonly parameters: readonly string[]
}

/** `POST /projects/{id}/exports`: it makes a record of a resource whose own path is another one. */
export interface Creation extends Recognised {
  readonly kind: 'creation'
  /** The resource of the record that is made. */
  readonly resource: string
  /** The parameters of this path for those of parents in the path of the resource. */
  readonly parents: Readonly<Record<string, string>>
  /** The parameters of this path whose value a property of the record is. */
  readonly references: Readonly<Record<string, string>>
  /** The record that the path starts with. */
  readonly below?: PathRecord | undefined
  /** Whether what is made is a copy of that record. */
  readonly isCopy?: boolean | undefined
}

/** `POST /tasks/batch`, `DELETE /tasks?ids=1,2`: it does the same to several records. */
export interface Bulk extends Recognised {
  readonly kind: 'bulk'
  readonly resource: string
  /** The parameters of this path for those of parents in the path of the resource. */
  readonly parents: Readonly<Record<string, string>>
  readonly does: 'create' | 'change' | 'remove' | 'read'
  /** What it sets, as an action does. */
  readonly set: Action['set']
  /** The query parameter with the ids; else the properties of the body that lead to the list. */
  readonly items: { readonly parameter: string } | { readonly path: readonly string[] }
  /** Whether it is only one record, whose id is in the body: `PUT /task`. */
  readonly isOne: boolean
  /** Whether what is not sent is removed: `PUT` of a list to the path of the collection. */
  readonly replacesAll: boolean
  /** Whether the response has a list with a result of each. */
  readonly showsList: boolean
}

/** `GET /search?q=`, `POST /tasks/search`: it finds records by texts and values. */
export interface Search extends Recognised {
  readonly kind: 'search'
  readonly path: string
  readonly finds: readonly Found[]
}

export interface Found {
  readonly resource: string
  readonly parents: Readonly<Record<string, string>>
  /** The parameters of this path whose value a property of the records is. */
  readonly references: Readonly<Record<string, string>>
  /** Where the response has the list. */
  readonly envelope: readonly string[]
  readonly list: ListParameters
}

/** `PUT`, `DELETE` and `GET /gists/{id}/star`: whether something is set is remembered, in no record. */
export interface Mark extends Recognised {
  readonly kind: 'mark'
  readonly does: 'set' | 'clear' | 'read'
  /** The same for all three. */
  readonly name: string
  readonly parameters: readonly string[]
  /** The record that must exist. */
  readonly below?: PathRecord | undefined
}

/** What it does is not known: it is answered from the document's examples, else from its schema, and keeps nothing. */
export interface Answer extends Recognised {
  readonly kind: 'answer'
  /** The record that must exist. */
  readonly below?: PathRecord | undefined
}

/** What every meaning has. */
export interface Recognised {
  readonly operationId: string
  /** What it takes and returns: where its bodies have records, if they do. */
  readonly operation: ResourceOperation
}

/** Whether an operation neither reads nor changes records. */
export function isStateless(meaning: Meaning): boolean {
  if (meaning.kind !== 'action') return meaning.kind === 'answer'
  return !meaning.stores && !meaning.showsRecord && Object.keys(meaning.set).length === 0
}

/** An operation that belongs to no resource. */
export interface Unclaimed extends PathOperation {
  readonly method: Method
  readonly path: DocumentPath
}

/** What is known of a service when the meaning of its other operations is read. */
export interface Known<R extends Resource = Resource> {
  readonly resources: readonly R[]
  readonly byName: ReadonlyMap<string, R>
  /** The collection of people, if there is one. */
  readonly people: R | undefined
  /** By the key of their item paths. */
  readonly byItemPath: ReadonlyMap<string, R>
  /** What attaches and detaches records, by operationId. */
  readonly links: () => ReadonlyMap<string, LinkOperation>
  /** By the key of the paths that list or create them. */
  readonly byPath: ReadonlyMap<string, R>
}
