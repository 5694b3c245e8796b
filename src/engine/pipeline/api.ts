import type { Contract, IsKnown } from '../../document/contract/contract.js'
import type { Operation } from '../../document/contract/operation.js'
import type { GivenCredentials } from '../../document/validate/security.js'
import type { HandleOptions, PlainRequest, ValidRequest } from '../../http/messages.js'

/** A contract, and the handlers of its operations: the service itself, or the admin API. */
export interface Api {
  readonly contract: Contract
  /** By operationId. The contract guarantees each the types of its operation. */
  readonly handlers: object
  /** The operations without state, by operationId. */
  readonly stateless?: ReadonlySet<string>
  /** What operations were understood as, by operationId. */
  readonly kinds?: ReadonlyMap<string, string>
  /** The operations with a handler of the service's own, by operationId. What a handler returns is checked, and undone if it fails. */
  readonly own?: ReadonlySet<string>
  /** The user with these credentials. Missing if the service does not say who that is. */
  readonly authenticate?: ((credentials: GivenCredentials) => object | undefined) | undefined
  toContext(request: ValidRequest): object
  /** Whether a record has the id that a path parameter of an operation has. Missing for the admin API. */
  readonly isKnown?: IsKnown
  /** Why the token of a request is not valid, if the mock made it. Missing for the admin API. */
  findTokenProblem?(request: PlainRequest, at: number): string | undefined
  /**
   * Throws an ApiError when the body cannot be read, and returns one when it violates its schema. A large state is returned
   * as steps, which throw either when they run.
   */
  parseBody(operation: Operation, request: PlainRequest, options?: HandleOptions): unknown
  /** The path that was probably meant by an unknown one. */
  suggestPath?: ((segments: readonly string[]) => string | undefined) | undefined
}
