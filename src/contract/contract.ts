import { readJsonBody } from './body.js'
import { prepareDocument } from './document.js'
import { ApiError, quote } from './errors.js'
import { parseJson } from './json.js'
import type { PlainRequest } from './messages.js'
import { compileOperation, type Operation } from './operation.js'
import { readQuery, readText } from './parameters.js'
import { operationIdOf, type RouteMatch } from './route.js'
import { CompiledRouter } from './router.js'
import { propertiesOf, type Schema } from './schema.js'
import type { QueryValues } from './target.js'
import type { OperationValidators, Validate, Validators } from './validators.js'
import { describeParameterViolation, describeViolation, type Naming } from './violations.js'

export interface Parameters {
  readonly path: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
}

/** A document at work: where a path leads, whether a request keeps to it, and whether an answer does. */
export interface Contract {
  match(segments: readonly string[]): RouteMatch | undefined
  operation(route: RouteMatch, method: string): Operation | undefined
  operationById(id: string): Operation | undefined
  readParameters(operation: Operation, values: readonly string[], query: QueryValues, strict: boolean): Parameters
  readBody(operation: Operation, request: PlainRequest, maxBytes: number): unknown
  /** What is wrong with an answer, in one sentence; undefined when it keeps to the document. */
  findResponseViolation(operation: Operation, status: number, body: string | undefined): string | undefined
  /** Everything by which a value breaks a named schema, each in one sentence that starts with a JSON pointer. */
  findSchemaViolations(name: string, value: unknown): string[]
  /** The fields a named schema knows. */
  fieldsOf(name: string): string[]
}

/** The validators are the document's own, compiled when the project is built: see scripts/validators.ts. */
export function createContract(source: object, validators: Validators): Contract {
  const definition = prepareDocument(source)
  const router = new CompiledRouter(definition)
  const operations = new Map(router.getOperations().map((each) => [operationIdOf(each), compileOperation(each)]))

  function validatorsOf({ id }: Operation): OperationValidators {
    return validators.operations[id] as OperationValidators
  }

  return {
    match: (segments) => router.match(segments),

    operation({ route }, method) {
      const found = route.operations.get(method)
      return found && operations.get(operationIdOf(found))
    },

    operationById: (id) => operations.get(id),

    readParameters(operation, values, query, strict) {
      const { pathParameters, queryParameters } = operation
      const path = Object.fromEntries(
        pathParameters.map(({ name, schema }, index) => [name, readText(values[index] ?? '', schema)]),
      )
      const parameters = { path, query: readQuery(queryParameters, query, strict) }
      const validate = validatorsOf(operation).parameters
      if (!validate(parameters)) throw invalidRequest(validate.errors, describeParameterViolation, nameParameter)
      return parameters
    },

    readBody(operation, request, maxBytes) {
      const requestBody = readJsonBody(request, maxBytes)
      const validate = validatorsOf(operation).body as Validate
      if (!validate({ requestBody })) throw invalidRequest(validate.errors, describeViolation, nameBodyPart)
      return requestBody
    },

    findResponseViolation(operation, status, body) {
      const declared = router.getOperation(operation.id)?.responses ?? {}
      // What the document says of any other status, it says of failures.
      const known = String(status) in declared || status < 400 ? String(status) : 'default'
      if (!(known in declared)) return `${operation.id} answered ${status}, which its document does not declare`
      const validate = validatorsOf(operation).responses[known]
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

    fieldsOf: (name) => Object.keys(propertiesOf(definition.components?.schemas?.[name] as Schema)),
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
  return pointer.slice('/requestBody'.length) || 'the body'
}
