import type { RandomSource } from '../../lib/random.js'
import type { AnySchema, JsonSchema } from '../schema/json-schema.js'
import type { Check } from './conforms.js'
import type { TimeOf } from './times.js'

export type SamplePath = readonly (string | number)[]

/** The making of one value. `left` counts the steps that it may still take. */
export interface SampleRun extends Check {
  readonly random: RandomSource
  readonly nameOf: (schema: AnySchema) => string | undefined
  readonly accepts: (schema: JsonSchema, value: unknown) => boolean
  readonly override: (path: SamplePath, schema: AnySchema) => unknown
  readonly timeOf: TimeOf
  /** What the whole value is called: `book`. */
  readonly noun: string
  /** Whether it is one of many, which should differ: examples are used only where nothing else says how a value looks. */
  readonly isVaried: boolean
  /** Whether nothing has happened yet to what the value is of. */
  readonly isNew: boolean
  /** A value for a schema, or undefined if it allows none. */
  readonly sample: (schema: AnySchema, place: SamplePlace) => unknown
}

/** Where a value belongs. */
export interface SamplePlace {
  readonly path: SamplePath
  /** The schemas that it is part of, outermost first. */
  readonly above: readonly JsonSchema[]
  /** About how many optional values it may contain. The parts of a value share it. */
  readonly budget: number
  /** Whether examples and defaults of the document may be used. */
  readonly withExamples: boolean
}

/** The name of the property that a value belongs to. The items of a list have the list's. */
export function nameAt({ path }: SamplePlace): string {
  return String(path.findLast((key) => typeof key === 'string') ?? '')
}

/** The name of what the property belongs to: `author` for the `name` of an `author`. */
export function ownerAt({ path }: SamplePlace, { noun }: SampleRun): string {
  const names = path.filter((key) => typeof key === 'string')
  return names.at(-2) ?? noun
}

/** Whether a value is a property of something new. The items of a list, if it must have some, are as they are. */
export const isOfNew = ({ path }: SamplePlace, { isNew }: SampleRun) =>
  isNew && path.length > 0 && path.every((key) => typeof key === 'string')

/** Whether a schema is part of itself here. */
export function isRecursive(schema: AnySchema, { above }: SamplePlace): boolean {
  return typeof schema === 'object' && above.includes(schema)
}
