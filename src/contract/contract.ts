import type { Ajv, ErrorObject, ValidateFunction } from 'ajv'
import { OpenAPIValidator, ValidationContext } from 'openapi-backend'
import { readJsonBody } from './body.js'
import { parseDateTime } from './date-time.js'
import { prepareDocument } from './document.js'
import { ApiError, quote } from './errors.js'
import { isInt64 } from './int64.js'
import { parseJson } from './json.js'
import type { PlainRequest } from './messages.js'
import { compileOperation, type Operation } from './operation.js'
import { readQuery, readText } from './parameters.js'
import { CompiledRouter, operationIdOf, type RouteMatch } from './router.js'
import { propertiesOf, type Schema } from './schema.js'
import type { QueryValues } from './target.js'
import { describeParameterViolation, describeViolation, type Naming } from './violations.js'

export interface Parameters {
  readonly path: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
}

/** A document at work: where a path leads, whether a request keeps to it, and whether an answer does. */
export interface Contract {
  match(segments: readonly string[]): RouteMatch | undefined
  operation(route: RouteMatch, method: string): Operation | undefined
  readParameters(operation: Operation, values: readonly string[], query: QueryValues, strict: boolean): Parameters
  readBody(operation: Operation, request: PlainRequest, maxBytes: number): unknown
  /** What is wrong with an answer, in one sentence; undefined when it keeps to the document. */
  findResponseViolation(operation: Operation, status: number, body: string | undefined): string | undefined
  /** Everything by which a value breaks a named schema, each in one sentence that starts with a JSON pointer. */
  findSchemaViolations(name: string, value: unknown): string[]
  /** The fields a named schema knows. */
  fieldsOf(name: string): string[]
}

export function createContract(source: object): Contract {
  const definition = prepareDocument(source)
  const router = new CompiledRouter(definition)
  const operations = new Map(router.getOperations().map((each) => [operationIdOf(each), compileOperation(each)]))
  const validator = new OpenAPIValidator({
    definition,
    router,
    lazyCompileValidators: true,
    // openapi-backend's own options would let Infinity pass for an integer.
    ajvOpts: { verbose: true, strictNumbers: true },
    customizeAjv: (ajv) => checkExactly(ajv as unknown as Ajv) as never,
  })

  /** The body's check, where there is a body, stands before the parameters' in openapi-backend's list. */
  function requestValidators(operation: Operation): { parameters: ValidateFunction; body: ValidateFunction } {
    const found = validator.getRequestValidatorsForOperation(operation.id) as unknown as ValidateFunction[]
    return { body: found[0] as ValidateFunction, parameters: found.at(-1) as ValidateFunction }
  }

  const schemaValidators = new Map<string, ValidateFunction>()

  function schemaValidator(name: string): ValidateFunction {
    const known = schemaValidators.get(name)
    if (known) return known
    const ajv = validator.getAjv(ValidationContext.Response) as unknown as Ajv
    ajv.opts.allErrors = true
    const validate = ajv.compile(definition.components?.schemas?.[name] as object)
    schemaValidators.set(name, validate)
    return validate
  }

  return {
    match: (segments) => router.match(segments),

    operation({ route }, method) {
      const found = route.operations.get(method)
      return found && operations.get(operationIdOf(found))
    },

    readParameters(operation, values, query, strict) {
      const { pathParameters, queryParameters } = operation
      const path = Object.fromEntries(
        pathParameters.map(({ name, schema }, index) => [name, readText(values[index] ?? '', schema)]),
      )
      const parameters = { path, query: readQuery(queryParameters, query, strict) }
      const validate = requestValidators(operation).parameters
      if (!validate(parameters)) throw invalidRequest(validate.errors, describeParameterViolation, nameParameter)
      return parameters
    },

    readBody(operation, request, maxBytes) {
      const requestBody = readJsonBody(request, maxBytes)
      const validate = requestValidators(operation).body
      if (!validate({ requestBody })) throw invalidRequest(validate.errors, describeViolation, nameBodyPart)
      return requestBody
    },

    findResponseViolation(operation, status, body) {
      const checks = validator.getStatusBasedResponseValidatorForOperation(operation.id) ?? {}
      const declared = router.getOperation(operation.id)?.responses ?? {}
      const known = String(status) in declared ? String(status) : 'default'
      if (!(known in declared)) return `${operation.id} does not declare an answer of status ${status}`
      const validate = checks[known] as unknown as ValidateFunction | undefined
      // An answer that is not JSON (the document as YAML) has no check.
      if (validate === undefined || validate(body === undefined ? null : parseJson(body))) return undefined
      const [error] = validate.errors ?? []
      const detail = error && describeViolation(error, (pointer) => pointer || 'the body')
      return `${operation.id} answered ${status} outside its document: ${detail}`
    },

    findSchemaViolations(name, value) {
      const validate = schemaValidator(name)
      if (validate(value)) return []
      const violations = (validate.errors ?? []).map((error) => describeViolation(error, (pointer) => pointer))
      // The parts of an `allOf` each say the same of a value that is no object.
      return [...new Set(violations)]
    },

    fieldsOf: (name) => Object.keys(propertiesOf(definition.components?.schemas?.[name] as Schema)),
  }
}

/**
 * Makes Ajv as exact as the contract: no coercion (openapi-backend turns it on for parameters), int64 over its whole
 * range, and dates that exist.
 */
function checkExactly(ajv: Ajv): Ajv {
  ajv.opts.coerceTypes = false
  ajv.addKeyword({ keyword: 'int64', schemaType: 'boolean', validate: (_: unknown, value: unknown) => isInt64(value) })
  ajv.addFormat('date-time', (text: string) => parseDateTime(text) !== undefined)
  return ajv
}

function invalidRequest(
  errors: readonly ErrorObject[] | null | undefined,
  describe: typeof describeViolation,
  where: Naming,
): ApiError {
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
