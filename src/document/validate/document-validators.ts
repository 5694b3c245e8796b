import type { BodyReader } from '../../http/body.js'
import { MockError } from '../../http/errors.js'
import { escapeToken } from '../../lib/json-pointer.js'
import { resolvePointer } from '../schema/pointer.js'
import type { DocumentOperation } from '../schema/route.js'
import type { Schema } from '../schema/schema.js'
import type { compileSimpleReader } from './parameters.js'
import type { Security } from './security.js'
import type { OperationValidators, Validate } from './validators.js'

/** Where a contract gets its validators from, and what reads the values that they check. */
export interface DocumentValidators {
  readonly compileReader: typeof compileSimpleReader
  /** Missing if the operations accept only JSON. */
  compileBodyReader?(operation: DocumentOperation): BodyReader | undefined
  /** Missing if no operation requires credentials. */
  compileSecurity?(operation: DocumentOperation): Security | undefined
  ofOperation(operationId: string): OperationValidators
  /** Of a schema by its JSON pointer. */
  ofSchema(pointer: string): Validate
}

export const COMPONENT = '#/components/schemas/'

/** A schema is named by its JSON pointer, or by its name if it is a component. */
export function toPointer(name: string): string {
  return name.startsWith('#') ? name : COMPONENT + escapeToken(name)
}

/** Throws if the document does not have it. */
export function schemaNamed(definition: object, name: string): Schema {
  const schema = resolvePointer(definition, toPointer(name))
  if (schema === undefined) throw new Error(`The OpenAPI document has no schema ${name}.`)
  return schema as Schema
}

/** Until `loadContract` has resolved. */
export const NOT_LOADED: DocumentValidators = {
  compileReader: failUntilLoaded,
  ofOperation: failUntilLoaded,
  ofSchema: failUntilLoaded,
}

function failUntilLoaded(): never {
  throw new MockError('NOT_READY', 'The validators of the OpenAPI document are not loaded yet. Await `ready` first.')
}
