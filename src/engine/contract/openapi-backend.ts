/**
 * What we override in openapi-backend, and why. No other file uses its code at run time, apart from compiling-validator.ts,
 * which is loaded only if validators have to be compiled.
 */
import type { Document, Operation, Request } from 'openapi-backend'
// Not from the main file, which also loads OpenAPIBackend. Its `handleRequest` is asynchronous, which `data` cannot be, and
// parses each request three times.
import { OpenAPIRouter } from 'openapi-backend/router.js'
import { OpenAPIValidator } from 'openapi-backend/validation.js'
import { flattenOperations } from './flatten-operations.js'
import { compileRoutes, findRoute, operationIdOf, type Route, type RouteTree } from './route.js'
import { parsePath } from './target.js'
import type { OperationValidators, Validate, Validators } from './validators.js'

interface RequestTarget extends Pick<Request, 'method' | 'path' | 'query'> {
  /** Those of the path, if they are known. */
  readonly segments?: readonly string[]
}

/** Flattens the document and compiles its paths once. openapi-backend's router does both at every request. */
export class CompiledRouter extends OpenAPIRouter {
  readonly #operations: Operation[]
  readonly #routes: RouteTree<Operation>

  constructor(definition: Document) {
    super({ definition, ignoreTrailingSlashes: false })
    this.#operations = flattenOperations(definition)
    this.#routes = compileRoutes(this.#operations)
  }

  /**
   * Compares decoded segments exactly, is case-sensitive about methods, and matches HEAD to GET. openapi-backend's router
   * compares encoded paths, ignores the case of methods, and matches only the methods of the document.
   *
   * Throws an ApiError when the path cannot be decoded.
   */
  override matchOperation(request: RequestTarget): Operation | undefined
  override matchOperation(request: RequestTarget, strict: boolean): Operation
  override matchOperation(request: RequestTarget, strict = false): Operation | undefined {
    const route = this.findRoute(request.segments ?? segmentsOf(request))
    const operation = route?.operations.get(request.method)
    if (operation !== undefined || !strict) return operation
    // OpenAPIBackend reads the status from the message.
    throw new Error(route ? '405-methodNotAllowed' : '404-notFound')
  }

  /** The segments are decoded. */
  findRoute(segments: readonly string[]): Route<Operation> | undefined {
    return findRoute(this.#routes, segments)
  }

  /**
   * The same operations as openapi-backend's, which needs all of lodash (27 KB gzipped) to flatten the document, and leaves
   * operations without an operationId nameless.
   */
  override getOperations(): Operation[] {
    return this.#operations
  }
}

/** As in openapi-backend, a request without `query` may have it in its path. */
function segmentsOf({ path, query }: RequestTarget): readonly string[] {
  return parsePath(query === undefined ? path.replace(/\?.*/s, '') : path)
}

/**
 * Has the validators that were compiled at build time. openapi-backend's validator compiles them at first use, which needs
 * Ajv (100 KB), time, and `eval`, which a page may forbid.
 */
export class PrecompiledValidator extends OpenAPIValidator {
  readonly #precompiled: Validators['operations']

  constructor(router: CompiledRouter, precompiled: Validators['operations']) {
    super({ definition: router.definition, router, lazyCompileValidators: true })
    this.#precompiled = precompiled
  }

  override buildRequestValidatorsForOperation(operation: Operation) {
    return this.#precompiled[operationIdOf(operation)]?.request as never
  }

  override buildStatusBasedResponseValidatorForOperation(operation: Operation) {
    return this.#precompiled[operationIdOf(operation)]?.responses as never
  }
}

/**
 * For callers that have parsed the request: `validateRequest` would parse it again, and leave all parameters as strings. Each
 * is compiled when it is used.
 */
export function validatorsOf(validator: OpenAPIValidator, operationId: string): OperationValidators {
  return {
    get request() {
      return validator.getRequestValidatorsForOperation(operationId) as unknown as Validate[]
    },
    get responses() {
      return validator.getStatusBasedResponseValidatorForOperation(operationId) as unknown as Record<string, Validate>
    },
  }
}
