import type { Schema } from './schema.js'

/** One thing by which a value breaks a schema. The part of Ajv's error that the compiled code keeps. */
export interface Violation {
  /** A JSON pointer to the place in the value. */
  readonly instancePath: string
  readonly keyword: string
  readonly params: Readonly<Record<string, unknown>>
  /** The schema that has the keyword, and the value it is broken by. */
  readonly parentSchema: Schema
  readonly data: unknown
}

/** A schema at work, as Ajv compiles it: whether a value keeps to it, and afterwards by what the value does not. */
export interface Validate {
  (value: unknown): boolean
  errors?: readonly Violation[] | null
}

export interface OperationValidators {
  /** Takes `{ path, query }`. */
  readonly parameters: Validate
  /** Takes `{ requestBody }`; where the operation has a body. */
  readonly body?: Validate
  /** By status, or `default`. An answer that is not JSON has no check. */
  readonly responses: Readonly<Record<string, Validate>>
}

/** The checks of one document, compiled when the project is built: compiling takes Ajv, time and `eval`. */
export interface Validators {
  /** By operationId. They stop at the first thing that is wrong. */
  readonly operations: Readonly<Record<string, OperationValidators>>
  /** By the name of a schema. They collect everything that is wrong. */
  readonly schemas: Readonly<Record<string, Validate>>
}
