import type { Operation } from 'openapi-backend'
import type { Direction } from './ajv-schema.js'
import { isJsonMediaType, type MediaTypes, preferredMediaType } from './media-type.js'
import { type DocumentParameter, schemaOfParameter } from './parameters.js'
import type { SchemaCompiler } from './schema-compiler.js'

export type ReferringOperations = ReturnType<typeof createReferringOperations>

/** Operations for openapi-backend's validator, in which schemas only refer to those of the document, always as JSON. */
export function createReferringOperations(compiler: SchemaCompiler) {
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
