import type { DocumentPath, Method, PathOperation } from '../resources/read-operations.js'
import type { Resource } from '../resources/resource.js'

/**
 * What an operation means that is no list, create, read, replace, merge or remove of a resource. Plain data: `inspect` prints
 * it, and a service file says otherwise in the same words.
 */
export type Meaning = Action

/** `POST /tasks/{id}/complete`: an operation on one record. */
export interface Action extends Recognised {
  readonly kind: 'action'
  /** The name of the resource whose record the path names. */
  readonly resource: string
  /** The parameters of the path that name it, outermost first. */
  readonly parameters: readonly string[]
}

/** What every meaning has. */
export interface Recognised {
  readonly operationId: string
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
}
