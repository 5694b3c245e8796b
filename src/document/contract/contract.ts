import { type BodyLimits, isEmpty, readJsonBody } from '../../http/body.js'
import { type ApiError, describeUnknown, MockError } from '../../http/errors.js'
import type { PlainRequest, RequestHeaders, ResponseDraft } from '../../http/messages.js'
import { findDeclaredStatus, WITHOUT_BODY } from '../../http/statuses.js'
import { parsePath, type Query } from '../../http/target.js'
import { once } from '../../lib/functions.js'
import { parseJson } from '../../lib/json.js'
import { propertiesWithoutChoices } from '../schema/facts.js'
import { resolveDocument } from '../schema/resolved-document.js'
import { type DocumentOperation, operationIdOf, type Route } from '../schema/route.js'
import type { Schema } from '../schema/schema.js'
import type { CompiledSchemas } from '../validate/compiled-functions.js'
import { type DocumentValidators, NOT_LOADED, schemaNamed, toPointer } from '../validate/document-validators.js'
import { CompiledRouter, usePrecompiled } from '../validate/openapi-backend.js'
import type { DocumentParameter, Parameters } from '../validate/parameters.js'
import type { CreateFunctions } from '../validate/schema-compiler.js'
import type { KeyNames } from '../validate/security.js'
import { findKeyNames } from '../validate/security.js'
import type { Validate, Validators } from '../validate/validators.js'
import type { SchemaViolation } from '../validate/violations.js'
import { describeViolation, toSchemaViolation } from '../validate/violations.js'
import { checkBody, invalidParameters } from '../validate/violations-to-error.js'
import type { ErrorPlace, ToErrorDraft } from './error-drafts.js'
import { type ErrorShape, shapeErrors, toErrorDraft, withDeclaredStatus } from './error-drafts.js'
import type { LifecycleExtensions } from './operation.js'
import { compileOperation, type Operation } from './operation.js'
import type { createDocumentResponses, DocumentResponses } from './responses.js'

/** Whether a record has this id, as the value of a path parameter of the operation. */
export type IsKnown = (operation: Operation, parameter: string, value: unknown) => boolean

/** What the document says about an operation. */
export interface DeclaredOperation {
  readonly operation: string
  readonly method: string
  /** As in the document, with parameters in braces. */
  readonly path: string
  readonly deprecated: boolean
  readonly stability?: string
  /** The date of its removal, if the document has one. */
  readonly sunset?: string
  /** Whether it has no state: it is answered from the OpenAPI document alone. */
  readonly stateless?: true
  /** What it was understood as, if that was read from the document: `list`, `action`, `search`. */
  readonly meaning?: string
  /** The declared statuses, ascending, without `default`. */
  readonly statuses: readonly number[]
}

export interface Contract {
  /** Whether requests can be handled. */
  readonly isReady: boolean
  /** What is a secret in the requests of its document. */
  readonly keyNames: KeyNames
  /** Functions for the schemas of its document that were compiled before. */
  readonly compiled: CompiledSchemas | undefined
  /** Finds or compiles the function of each schema at its first use from now on. Does nothing if the validators were generated. */
  useTools(tools: ContractTools): void
  /** Makes responses from the document. Missing with generated validators. */
  readonly responses: DocumentResponses | undefined
  /** Throws an ApiError when the path cannot be decoded. */
  matchOperation(
    request: Pick<PlainRequest, 'method' | 'path' | 'query'>,
    segments?: readonly string[],
  ): Operation | undefined
  findRoute(segments: readonly string[]): Route | undefined
  operationById(id: string): Operation | undefined
  /** As the document has them: preparing the operation for requests takes longer. */
  declaredParameters(id: string): readonly DocumentParameter[]
  /** Throws UNKNOWN_OPERATION. */
  requireOperation(id: unknown): void
  /** In the order of the document. */
  operations(): readonly DeclaredOperation[]
  /** Throws an ApiError when a parameter is invalid or, if strict, undeclared. Values in the path may be known. */
  readParameters(
    operation: Operation,
    segments: readonly string[],
    query: Query,
    strict: boolean,
    headers?: RequestHeaders,
    isKnown?: IsKnown,
  ): Parameters
  /** Throws an ApiError when the body cannot be read, and returns one when it violates its schema. */
  parseBody(operation: Operation, request: PlainRequest, limits: BodyLimits): unknown
  /** The response for an error, as the service writes its errors. */
  toErrorDraft(error: ApiError, violations?: readonly string[], place?: ErrorPlace): ResponseDraft
  /** An error with a status that the document declares, if it has one that is near. */
  toDeclaredError(thrown: ApiError, operation: Operation | undefined): ApiError
  /** How a response violates the document, in one sentence; undefined when it does not. */
  findResponseViolation(operation: Operation, status: number, body: string | undefined): string | undefined
  /** Where the JSON of a response violates the schema that the document declares for its status. */
  responseViolations(operation: Operation, status: number, value: unknown): SchemaViolation[]
  /**
   * All violations of a schema, each a sentence that starts with a JSON pointer. The schema is named by its JSON pointer
   * (`#/components/schemas/Book`), or by its name if it is a component.
   */
  findSchemaViolations(name: string, value: unknown): string[]
  /** The same violations as data. */
  violationsOf(name: string, value: unknown): SchemaViolation[]
  /** The property names of a schema. */
  fieldsOf(name: string): string[]
}

/** What a contract without generated validators needs. The package has no types of openapi-backend: here they are objects. */
export interface ContractTools {
  compileOnDemand(
    router: object,
    document: object,
    createFunctions: CreateFunctions,
  ): DocumentValidators & { ofResponse(schema: Schema): Validate }
  readonly createFunctions: CreateFunctions
  readonly createDocumentResponses: typeof createDocumentResponses
}

export interface ContractOptions {
  /** Makes the body of every error response. Default: `{ code, message, status }` with generated validators, else as the document declares it. */
  readonly error?: ErrorShape | undefined
}

/**
 * Routes requests by an OpenAPI document, and validates requests and responses. The validators can be compiled from the same
 * document at build time: see scripts/validators.ts. Without them, `loadContract` has to be called before the first request.
 */
export function createContract(
  source: object,
  given?: Validators | CompiledSchemas,
  { error }: ContractOptions = {},
): Contract {
  const [precompiled, compiled] = given && 'functions' in given ? [undefined, given] : [given]
  const resolved = resolveDocument(source)
  const { definition } = resolved
  const router = new CompiledRouter(definition)
  let validators = precompiled ? usePrecompiled(router, precompiled) : NOT_LOADED
  /** Compiled at first use, to start faster. */
  const operations = new Map<string, Operation>()
  let responses: DocumentResponses | undefined
  const ownErrors = error && shapeErrors(error)
  const keyNames = findKeyNames(definition.components?.securitySchemes as never)
  const declared = once(() => router.getOperations().map(declare))

  function prepared(source: DocumentOperation | undefined): Operation | undefined {
    if (source === undefined) return undefined
    const id = operationIdOf(source)
    const operation = operations.get(id) ?? compileOperation(source, validators)
    operations.set(id, operation)
    return operation
  }

  /** Not checked: a document may not declare a status, or have no body that fits a service's own shape. */
  const toDocumentError: ToErrorDraft = (thrown, violations, place) => {
    const write = ownErrors ?? responses?.toErrorDraft ?? toErrorDraft
    const draft = write(thrown, violations, place)
    const headers = { ...responses?.errorHeaders(thrown.status, place?.operation), ...draft.headers }
    return { ...draft, headers, isUnchecked: true }
  }

  function findErrors(schema: string, value: unknown) {
    const validate = validators.ofSchema(toPointer(schema))
    return validate(value) ? [] : (validate.errors ?? [])
  }

  return {
    get isReady() {
      return validators !== NOT_LOADED
    },

    keyNames,

    compiled,

    useTools({ compileOnDemand, createDocumentResponses, createFunctions }: ContractTools): void {
      if (validators !== NOT_LOADED) return
      const onDemand = compileOnDemand(router, resolved, createFunctions)
      validators = onDemand
      responses = createDocumentResponses(router.getOperations(), resolved, onDemand.ofResponse)
    },

    get responses() {
      return responses
    },

    matchOperation: (
      { method, path, query }: Pick<PlainRequest, 'method' | 'path' | 'query'>,
      segments: readonly string[] = parsePath(path),
    ) => prepared(router.matchOperation({ method, path, query, segments })),

    findRoute: (segments: readonly string[]): Route | undefined => router.findRoute(segments),

    operationById: (id: string) => operations.get(id) ?? prepared(router.getOperation(id)),

    declaredParameters: (id: string) => (router.getOperation(id)?.parameters ?? []) as readonly DocumentParameter[],

    requireOperation(id: unknown): void {
      const known = declared().map(({ operation }) => operation)
      if (known.includes(id as string)) return
      throw new MockError('UNKNOWN_OPERATION', describeUnknown('operation', String(id), known))
    },

    operations: (): readonly DeclaredOperation[] => declared(),

    readParameters(
      operation: Operation,
      segments: readonly string[],
      query: Query,
      strict: boolean,
      headers: RequestHeaders = {},
      isKnown?: IsKnown,
    ): Parameters {
      // A cached query may contain undeclared parameters, which strict mode rejects.
      const cache = strict ? undefined : operation.parameterCache
      const cached = cache?.get(query.text)
      if (cached !== undefined) return cached
      const parameters = operation.readParameters(segments, query.values, headers, strict)
      const { validateParameters: validate } = operation
      if (!validate(parameters)) {
        const isKnownInPath = (name: string) => isKnown?.(operation, name, parameters.path[name]) ?? false
        const error = invalidParameters(validate.errors, keyNames, isKnownInPath)
        if (error) throw error
      }
      cache?.add(query.text, parameters)
      return parameters
    },

    parseBody(operation: Operation, request: PlainRequest, limits: BodyLimits): unknown {
      if (operation.readBody) return operation.readBody(request, limits)
      if (!operation.needsBody && isEmpty(request.body)) return undefined
      return checkBody(operation, readJsonBody(request, limits))
    },

    toErrorDraft: precompiled ? (ownErrors ?? toErrorDraft) : toDocumentError,

    toDeclaredError: (thrown: ApiError, operation: Operation | undefined): ApiError =>
      precompiled || operation === undefined ? thrown : withDeclaredStatus(thrown, operation),

    findResponseViolation(operation: Operation, status: number, body: string | undefined): string | undefined {
      const { id, responses, responseValidators } = operation
      const known = findDeclaredStatus(responses, status)
      if (known === undefined) return `${id} returned ${status}, which the OpenAPI document does not declare.`
      // HTTP forbids the body, whatever the document declares.
      if (body === undefined && WITHOUT_BODY.includes(status)) return undefined
      const validate = responseValidators[known]
      // Only JSON is checked.
      if (validate === undefined || validate(body === undefined ? null : parseJson(body))) return undefined
      const [error] = validate.errors ?? []
      const detail = error && describeViolation(error, (pointer) => pointer || 'the body')
      return `${id} returned ${status} with a body that violates the OpenAPI document: ${detail}`
    },

    responseViolations({ responses, responseValidators }: Operation, status: number, value: unknown) {
      const validate = responseValidators[findDeclaredStatus(responses, status) ?? '']
      return validate === undefined || validate(value)
        ? []
        : (validate.errors ?? []).map((error) => toSchemaViolation(error))
    },

    findSchemaViolations(name: string, value: unknown): string[] {
      const errors = findErrors(name, value)
      if (errors.length === 0) return []
      const violations = errors.map((error) => describeViolation(error, (pointer) => pointer))
      // Each part of an `allOf` reports a value that is not an object.
      return [...new Set(violations)]
    },

    violationsOf: (name: string, value: unknown) => findErrors(name, value).map((error) => toSchemaViolation(error)),

    fieldsOf: (name: string) => Object.keys(propertiesWithoutChoices(schemaNamed(definition, name))),
  }
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
