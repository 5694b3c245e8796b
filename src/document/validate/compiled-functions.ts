import { MockError } from '../../http/errors.js'
import type { CreateFunctions, FunctionParts, SchemaFunction } from './schema-compiler.js'

/**
 * The functions that check the schemas of a document, compiled before, so that a page may forbid `eval`: `petstore-mock
 * compile` and the Vite plugin make them.
 */
export interface CompiledSchemas {
  /** By the keys of the schemas. */
  readonly functions: Readonly<Record<string, CompiledFunction>>
}

/** Makes the function of a schema. The code is Ajv's. */
type CompiledFunction = (schema: object, given: FunctionParts) => SchemaFunction

/** Uses functions that were compiled before. */
export function useCompiled({ functions }: CompiledSchemas): CreateFunctions {
  return (parts) => (schema) => {
    const create = functions[parts.keyOf(schema)]
    if (create !== undefined) return create(schema, parts)
    throw new MockError(
      'INVALID_DOCUMENT',
      'The validators were compiled from another document, or by another version of petstore-mock. Run: petstore-mock compile',
    )
  }
}
