import type { Schema } from '../contract/schema.js'
import type { ResourceOperation } from './resource.js'
import type { ServiceResource } from './service-resource.js'

export type Json = Readonly<Record<string, unknown>>

/** Makes values that neither a client nor the service gives. Only services without precompiled validators need it. */
export interface ValueMaker {
  /**
   * A record with the properties that only the mock can make, apart from its id, and with the given ones in the form that a
   * record has. `salt` decides about random values.
   */
  completeRecord(resource: ServiceResource, given: Json, salt: string, at: number): Json
  /** A record that was changed, in the form that it must have: some properties are sent as an id and returned as an object. */
  fitRecord(resource: ServiceResource, given: Json): Json
  /** What changes with every change of a record: `updatedAt`. */
  changeFields(resource: ServiceResource, at: number): Json
  /** What the schema of a request says about properties that the request leaves out. */
  requestDefaults(resource: ServiceResource, request: ResourceOperation['request'], sent: Json): Json
  /** A value that conforms to a schema, and has as much as possible of the given one. */
  fit(schema: Schema, salt: string, value: Json): unknown
  /** A record after the operations of a JSON Patch. */
  applyPatch(record: Json, operations: readonly unknown[]): PatchResult
  /** A body that conforms to the schema, with a value at a place in it if one is given. */
  makeBody(schema: Schema, salt: string, place?: { readonly path: readonly string[]; readonly value: unknown }): unknown
}

/** The value, or why there is none: a `test` failed, or an operation is impossible. */
export type PatchResult =
  | { readonly value: unknown; readonly problem?: undefined }
  | { readonly problem: { readonly kind: 'test' | 'impossible'; readonly message: string } }
