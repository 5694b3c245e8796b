import { parseJson } from '../../lib/json.js'
import { once } from '../../lib/once.js'
import { type BodyLimits, readJsonBody } from './body.js'
import { prepareDocument } from './document.js'
import { ApiError, quote } from './errors.js'
import type { LifecycleExtensions } from './lifecycle.js'
import type { PlainRequest } from './messages.js'
import { compileOperation, type Operation } from './operation.js'
import { type Parameters, readPath, readQuery } from './parameters.js'
import { type DocumentOperation, operationIdOf, type RouteMatch } from './route.js'
import { CompiledRouter } from './router.js'
import { propertiesOf, type Schema } from './schema.js'
import type { QueryValues } from './target.js'
import type { OperationValidators, Validate, Validators } from './validators.js'
import {
  describeParameterViolation,
  describeViolation,
  type Naming,
  type SchemaViolation,
  toSchemaViolation,
} from './violations.js'

/** What the document says of an operation, for whoever counts its use. */
export interface DeclaredOperation {
  readonly operation: string
  readonly method: string
  /** As it stands in the document: `/pets/{petId}`. */
  readonly path: string
  readonly deprecated: boolean
  readonly stability?: string
  /** The day it is gone, where the document names one. */
  readonly sunset?: string
  /** Those it declares, ascending; `default` is none. */
  readonly statuses: readonly number[]
}

/** A document at work: where a path leads, whether a request keeps to it, and whether an answer does. */
export interface Contract {
  match(segments: readonly string[]): RouteMatch | undefined
  operation(route: RouteMatch, method: string): Operation | undefined
  operationById(id: string): Operation | undefined
  /** All of them, in the order of the document. */
  operations(): readonly DeclaredOperation[]
  /** What is wrong with them is returned, not thrown: a client that tries what is refused should not wait for it. */
  readParameters(
    operation: Operation,
    values: readonly string[],
    query: QueryValues,
    strict: boolean,
  ): Parameters | ApiError
  /** Returns the error as well where the body breaks its schema. */
  readBody(operation: Operation, request: PlainRequest, limits: BodyLimits): unknown
  /** What is wrong with an answer, in one sentence; undefined when it keeps to the document. */
  findResponseViolation(operation: Operation, status: number, body: string | undefined): string | undefined
  /** Everything by which a value breaks a named schema, each in one sentence that starts with a JSON pointer. */
  findSchemaViolations(name: string, value: unknown): string[]
  /** The same as data. */
  violationsOf(name: string, value: unknown): SchemaViolation[]
  /** The fields a named schema knows. */
  fieldsOf(name: string): readonly string[]
}

/** The validators are the document's own, compiled when the project is built: see scripts/validators.ts. */
export function createContract(source: object, validators: Validators): Contract {
  const definition = prepareDocument(source)
  const router = new CompiledRouter(definition)
  /** Those that were asked for: a start should not wait for the others. */
  const operations = new Map<string, Operation>()
  const declared = once(() => router.getOperations().map(declare))
  /** Asked for with every entry of a fixture. */
  const fields = new Map<string, readonly string[]>()

  function compiled(source: DocumentOperation): Operation {
    const id = operationIdOf(source)
    const known = operations.get(id)
    if (known !== undefined) return known
    const operation = compileOperation(source, validators.operations[id] as OperationValidators)
    operations.set(id, operation)
    return operation
  }

  return {
    match: (segments) => router.match(segments),

    operation({ route }, method) {
      const found = route.operations.get(method)
      return found && compiled(found)
    },

    operationById(id) {
      const found = router.getOperation(id)
      return found && compiled(found)
    },

    operations: declared,

    readParameters(operation, values, query, strict) {
      const { pathParameters, queryParameters, knownQueries, validators } = operation
      const isQueryAlone = values.length === 0 && !strict
      const known = isQueryAlone ? knownQueries.get(query) : undefined
      if (known !== undefined) return known
      const parameters = { path: readPath(pathParameters, values), query: readQuery(queryParameters, query, strict) }
      const validate = validators.parameters
      if (!validate(parameters)) return invalidRequest(validate.errors, describeParameterViolation, nameParameter)
      if (isQueryAlone) knownQueries.set(query, freeze(parameters))
      return parameters
    },

    readBody(operation, request, limits) {
      if (!operation.needsBody && (request.body?.length ?? 0) === 0) return undefined
      const requestBody = readJsonBody(request, limits)
      const validate = operation.validators.body as Validate
      if (!validate({ requestBody })) return invalidRequest(validate.errors, describeViolation, nameBodyPart)
      return requestBody
    },

    findResponseViolation(operation, status, body) {
      const declared = router.getOperation(operation.id)?.responses ?? {}
      // What the document says of any other status, it says of failures.
      const known = String(status) in declared || status < 400 ? String(status) : 'default'
      if (!(known in declared)) return `${operation.id} answered ${status}, which its document does not declare`
      const validate = operation.validators.responses[known]
      // An answer that is not JSON (the document as YAML) has no check.
      if (validate === undefined || validate(body === undefined ? null : parseJson(body))) return undefined
      const [error] = validate.errors ?? []
      const detail = error && describeViolation(error, (pointer) => pointer || 'the body')
      return `${operation.id} answered ${status} outside its document: ${detail}`
    },

    findSchemaViolations(name, value) {
      const validate = validators.schemas[name] as Validate
      if (validate(value)) return []
      const violations = (validate.errors ?? []).map((error) => describeViolation(error, (pointer) => pointer))
      // The parts of an `allOf` each say the same of a value that is no object.
      return [...new Set(violations)]
    },

    violationsOf(name, value) {
      const validate = validators.schemas[name] as Validate
      return validate(value) ? [] : (validate.errors ?? []).map((error) => toSchemaViolation(error))
    },

    fieldsOf(name) {
      const known = fields.get(name) ?? Object.keys(propertiesOf(definition.components?.schemas?.[name] as Schema))
      fields.set(name, known)
      return known
    },
  }
}

/** Whoever is handed them is not the only one. */
function freeze({ path, query }: Parameters): Parameters {
  for (const value of Object.values(query)) if (Array.isArray(value)) Object.freeze(value)
  return Object.freeze({ path: Object.freeze(path), query: Object.freeze(query) })
}

function declare(source: DocumentOperation): DeclaredOperation {
  const { deprecated = false, 'x-stability': stability, 'x-deprecated-sunset': sunset } = source as LifecycleExtensions
  const statuses = Object.keys(source.responses ?? {}).map(Number)
  return {
    operation: operationIdOf(source),
    method: source.method.toUpperCase(),
    path: source.path,
    deprecated,
    ...(stability !== undefined && { stability }),
    ...(deprecated && sunset !== undefined && { sunset }),
    statuses: statuses.filter(Number.isInteger).sort((a, b) => a - b),
  }
}

function invalidRequest(errors: Validate['errors'], describe: typeof describeViolation, where: Naming): ApiError {
  const [error] = errors ?? []
  return new ApiError('INVALID_REQUEST', error ? describe(error, where) : 'the request breaks the contract')
}

/** `/query/limit` and `/query/status/0` are known to the client as the query parameters limit and status. */
function nameParameter(pointer: string): string {
  const [, place, name = ''] = pointer.split('/').map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
  return `${place} parameter ${/^\w{1,60}$/.test(name) ? name : quote(name)}`
}

function nameBodyPart(pointer: string): string {
  const inside = pointer.slice('/requestBody'.length) || 'the body'
  // A field that nobody knows has the name that the client gave it.
  return /^[^\p{C}]{1,100}$/u.test(inside) ? inside : quote(inside)
}
