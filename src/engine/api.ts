import type { Contract } from './contract/contract.js'
import type { HandleOptions, PlainRequest } from './contract/messages.js'
import type { Operation } from './contract/operation.js'
import type { ValidRequest } from './service.js'

/** A contract, and the handlers of its operations: the service itself, or the admin API. */
export interface Api {
  readonly contract: Contract
  /** By operationId. The contract guarantees each the types of its operation. */
  readonly handlers: object
  /** The operations without state, by operationId. */
  readonly stateless?: ReadonlySet<string>
  toContext(request: ValidRequest): object
  /**
   * Throws an ApiError when the body cannot be read, and returns one when it violates its schema. A large state is returned
   * as steps, which throw either when they run.
   */
  parseBody(operation: Operation, request: PlainRequest, options?: HandleOptions): unknown
  /** The path that was probably meant by an unknown one. */
  suggestPath?: ((segments: readonly string[]) => string | undefined) | undefined
}
