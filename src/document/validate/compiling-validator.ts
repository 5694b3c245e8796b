import type { Operation } from 'openapi-backend'
import { OpenAPIValidator } from 'openapi-backend/validation.js'
import { oncePer, oncePerText } from '../../lib/functions.js'
import { isObject } from '../../lib/values.js'
import { isJsonMediaType, type MediaTypes, preferredMediaType } from '../schema/media-type.js'
import type { ResolvedDocument } from '../schema/resolved-document.js'
import type { DocumentOperation } from '../schema/route.js'
import type { Schema } from '../schema/schema.js'
import { compileBodyReader } from './bodies.js'
import { type DocumentValidators, schemaNamed } from './document-validators.js'
import { type CompiledRouter, validatorsOf } from './openapi-backend.js'
import { compileParameterReader } from './parameter-styles.js'
import { type DocumentParameter, schemaOfParameter } from './parameters.js'
import type { Direction } from './schema-compiler.js'
import { type CreateFunctions, createSchemaCompiler, type SchemaCompiler } from './schema-compiler.js'
import { compileSecurity } from './security.js'
import type { Validate } from './validators.js'

export interface ReferringOperations {
  readonly compiler: SchemaCompiler
  toRequest(operation: Operation): Operation
  toBody(operation: Operation, mediaType: string): Operation
  toResponses(operation: Operation): Operation
}

/** Operations for openapi-backend's validator, in which schemas only refer to those of the document, always as JSON. */
function createReferringOperations(compiler: SchemaCompiler): ReferringOperations {
  function referTo(media: { readonly schema?: object } | undefined, direction: Direction) {
    return { 'application/json': { schema: compiler.refer(media?.schema ?? {}, direction) } }
  }

  function bodyOf({ requestBody }: Operation, mediaType?: string): object {
    const { content = {}, required = false } = (requestBody ?? {}) as MediaTypes & { required?: boolean }
    const chosen = mediaType ?? preferredMediaType(Object.keys(content))
    return chosen === undefined ? {} : { requestBody: { required, content: referTo(content[chosen], 'request') } }
  }

  return {
    compiler,

    toRequest(operation: Operation): Operation {
      const parameters = ((operation.parameters ?? []) as DocumentParameter[]).map((parameter) => ({
        name: parameter.name,
        in: parameter.in,
        required: parameter.required === true,
        schema: compiler.refer(schemaOfParameter(parameter), 'request'),
      }))
      return { operationId: operation.operationId, parameters, ...bodyOf(operation) } as never
    },

    toBody: (operation: Operation, mediaType: string): Operation =>
      ({ operationId: operation.operationId, ...bodyOf(operation, mediaType) }) as never,

    toResponses({ operationId, responses = {} }: Operation): Operation {
      const referring = Object.entries(responses).map(([status, response]) => {
        const { content = {} } = (response ?? {}) as MediaTypes
        const mediaType = preferredMediaType(Object.keys(content))
        if (mediaType === undefined) return [status, {}]
        return [status, { content: isJsonMediaType(mediaType) ? referTo(content[mediaType], 'response') : {} }]
      })
      return { operationId, responses: Object.fromEntries(referring) } as never
    },
  }
}

/** Compiles validators at first use, as openapi-backend does, but with one Ajv. */
class CompilingValidator extends OpenAPIValidator {
  readonly #operations: ReferringOperations

  constructor(router: CompiledRouter, operations: ReferringOperations) {
    super({ definition: router.definition, router, lazyCompileValidators: true })
    this.#operations = operations
    // An operation may be called `constructor`, which every other object inherits.
    this.requestValidators = Object.create(null)
    this.statusBasedResponseValidators = Object.create(null)
  }

  /** openapi-backend makes an Ajv for each schema, which takes longer than compiling it, and knows no OpenAPI 3.1. */
  override getAjv() {
    return this.#operations.compiler as never
  }

  /** openapi-backend copies schemas, and would do so without end if one contains itself: these operations only refer to them. */
  override buildRequestValidatorsForOperation(
    operation: Operation,
  ): ReturnType<OpenAPIValidator['buildRequestValidatorsForOperation']> {
    return super.buildRequestValidatorsForOperation(this.#operations.toRequest(operation))
  }

  override buildStatusBasedResponseValidatorForOperation(
    operation: Operation,
  ): ReturnType<OpenAPIValidator['buildStatusBasedResponseValidatorForOperation']> {
    return super.buildStatusBasedResponseValidatorForOperation(this.#operations.toResponses(operation))
  }

  /** openapi-backend compiles a validator for one of the media types of the body; this compiles one for any of them. */
  buildBodyValidator(operation: Operation, mediaType: string): Validate {
    const validators = super.buildRequestValidatorsForOperation(this.#operations.toBody(operation, mediaType))
    return validators?.[0] as Validate
  }
}

interface OnDemand extends DocumentValidators {
  readonly compiler: SchemaCompiler
  ofBody(operation: DocumentOperation, mediaType: string): Validate
  ofResponse(schema: Schema): Validate
}

export function compileOnDemand(
  router: CompiledRouter,
  { definition, referenced }: ResolvedDocument,
  createFunctions: CreateFunctions,
): OnDemand {
  const compiler = createSchemaCompiler(referenced, createFunctions)
  const validator = new CompilingValidator(router, createReferringOperations(compiler))
  const ofBody = (operation: DocumentOperation, mediaType: string) =>
    validator.buildBodyValidator(operation as Operation, mediaType)
  const ofObject = oncePer((schema: Schema) => compiler.validatorOf(schema, 'response'))
  return {
    compiler,
    ofBody,
    compileReader: compileParameterReader,
    compileBodyReader: (operation) => compileBodyReader(operation, (mediaType) => ofBody(operation, mediaType)),
    compileSecurity: (operation) => compileSecurity(operation, definition.components?.securitySchemes as never),
    ofOperation: (id) => validatorsOf(validator, id),
    // In OpenAPI 3.1, `true` is a schema as well.
    ofResponse: (schema: Schema) => (isObject(schema) ? ofObject(schema) : compiler.validatorOf(schema, 'response')),
    ofSchema: oncePerText((pointer) => compiler.validatorOf(schemaNamed(definition, pointer), 'response')),
  }
}
