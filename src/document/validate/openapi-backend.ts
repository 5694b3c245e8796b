import type { Document, Operation, Request } from 'openapi-backend'
import { OpenAPIRouter } from 'openapi-backend/router.js'
import { OpenAPIValidator } from 'openapi-backend/validation.js'
import { DOCUMENT_METHODS } from '../../http/methods.js'
import { parsePath } from '../../http/target.js'
import { nameOperations, toMethodAndPath } from '../resources/names.js'
import {
  compileRoutes,
  findRoute,
  operationIdOf,
  parameterNamesOf,
  type Route,
  type RouteTree,
} from '../schema/route.js'
import { COMPONENT, type DocumentValidators } from './document-validators.js'
import { compileSimpleReader } from './parameters.js'
import type { OperationValidators, Validate, Validators } from './validators.js'

type NamedParameter = Readonly<Record<'name' | 'in', string>>

/** The operations of a document, each with a unique operationId and all its parameters. The servers of a document are ignored. */
function flattenOperations({ paths = {}, security = [], components }: Document): Operation[] {
  const names = nameOperations(paths as Parameters<typeof nameOperations>[0])
  return Object.entries(paths).flatMap(([path, item = {}]) =>
    DOCUMENT_METHODS.flatMap((method) => {
      const operation = item?.[method]
      if (typeof operation !== 'object' || operation === null) return []
      const operationId = names.get(toMethodAndPath(method, path)) as string
      const secured = { security, ...operation }
      const keys = keysInQuery(secured.security ?? [], components?.securitySchemes)
      const parameters = parametersOf(path, operation.parameters, item?.parameters, keys)
      return [{ ...secured, operationId, path, method, parameters } as Operation]
    }),
  )
}

/** The keys of security schemes that are query parameters. A client may send one twice: once for a parameter that is one, too. */
function keysInQuery(security: readonly object[], schemes: object = {}): NamedParameter[] {
  const named = security
    .flatMap(Object.keys)
    .map((name) => (schemes as Record<string, NamedParameter | undefined>)[name])
  return named.flatMap((scheme) =>
    scheme?.in === 'query' ? [{ name: scheme.name, in: 'query', schema: { type: 'array' } }] : [],
  )
}

function parametersOf(
  path: string,
  own: unknown = [],
  shared: unknown = [],
  keys: NamedParameter[] = [],
): NamedParameter[] {
  const undeclared = parameterNamesOf(path).map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
  const parameters = new Map<string, NamedParameter>()
  for (const parameter of [own, shared, undeclared, keys].flat() as NamedParameter[]) {
    const key = `${parameter.in} ${parameter.name}`
    const isIgnored = parameter.in === 'header' && IGNORED_HEADERS.includes(parameter.name.toLowerCase())
    if (!isIgnored && !parameters.has(key)) parameters.set(key, parameter)
  }
  return [...parameters.values()]
}

/** OpenAPI describes these headers elsewhere: in media types and security schemes. */
const IGNORED_HEADERS = ['accept', 'content-type', 'authorization']

export function usePrecompiled(router: CompiledRouter, { operations, schemas }: Validators): DocumentValidators {
  const validator = new PrecompiledValidator(router, operations)
  return {
    compileReader: compileSimpleReader,
    // Not getters: nothing has to be compiled.
    ofOperation: (id) => ({ ...validatorsOf(validator, id) }),
    ofSchema(pointer) {
      const validate = schemas[pointer.slice(COMPONENT.length)]
      if (validate === undefined) throw new Error(`No validator was compiled for ${pointer}.`)
      return validate
    },
  }
}

/**
 * What we override in openapi-backend, and why. No other file uses its code at run time, apart from compiling-validator.ts,
 * which is loaded only if validators have to be compiled.
 */
// Not from the main file, which also loads OpenAPIBackend. Its `handleRequest` is asynchronous, which `data` cannot be, and
// parses each request three times.

interface RequestTarget extends Pick<Request, 'method' | 'path' | 'query'> {
  /** Those of the path, if they are known. */
  readonly segments?: readonly string[]
}

/** Flattens the document and compiles its paths once. openapi-backend's router does both at every request. */
export class CompiledRouter extends OpenAPIRouter {
  readonly #operations: Operation[]
  readonly #byId = new Map<string | undefined, Operation>()
  readonly #routes: RouteTree<Operation>

  constructor(definition: Document) {
    super({ definition, ignoreTrailingSlashes: false })
    this.#operations = flattenOperations(definition)
    for (const operation of this.#operations) this.#byId.set(operation.operationId, operation)
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

  /** openapi-backend's router looks through all operations. */
  override getOperation(operationId: string): Operation | undefined {
    return this.#byId.get(operationId)
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
      return validator.getRequestValidatorsForOperation(operationId) as Validate[]
    },
    get responses() {
      return validator.getStatusBasedResponseValidatorForOperation(operationId) as Record<string, Validate>
    },
  }
}
