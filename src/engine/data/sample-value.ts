import { copyData } from '../../lib/copy-data.js'
import { conforms } from './conforms.js'
import { draw } from './formats.js'
import { includesValue, isNullable, type JsonSchema } from './json-schema.js'
import type { FlatSchema } from './merge-schemas.js'
import { sampleArray } from './sample-array.js'
import { sampleNumber } from './sample-number.js'
import { sampleObject } from './sample-object.js'
import { nameAt, type Place, type SampleRun } from './sample-run.js'
import { sampleString } from './sample-string.js'

/** A value of one of the schema's types. `null` only if nothing else is allowed. */
export function sampleValue(flat: FlatSchema, place: Place, run: SampleRun): unknown {
  const { random } = run
  const values = valuesOf(flat, run)
  if (values.length > 0) return copyData(draw(random, values))
  switch (typeOf(flat, place, run)) {
    case 'object':
      return sampleObject(flat, place, run)
    case 'array':
      return sampleArray(flat, place, run)
    case 'boolean':
      return random() < 0.5
    case 'integer':
      return sampleNumber(flat, true, nameAt(place), run)
    case 'number':
      return sampleNumber(flat, false, nameAt(place), run)
    case 'null':
      return null
    default:
      // Long texts take time, too.
      run.left -= (flat.minLength ?? 0) / 100
      return sampleString(flat, place, run, flat.pattern === undefined ? undefined : run.patternOf(flat.pattern))
  }
}

/** Where a schema requires itself: the shortest value, which conforms only if it may be `null` or empty. */
export function cutValue(schema: JsonSchema, flat: FlatSchema, place: Place, run: SampleRun): unknown {
  if (isNullable(schema)) return null
  const type = typeOf(flat, place, run)
  if (type === 'object') return {}
  return type === 'array' ? [] : sampleValue(flat, place, run)
}

/** The values that a schema lists. Empty if it does not. */
function valuesOf(
  { types, const: only, enum: listed = [], ...others }: FlatSchema,
  run: SampleRun,
): readonly unknown[] {
  // `const` may be that of a branch, where `enum` has only some of the branches.
  if (only !== undefined && (listed.length === 0 || includesValue(listed, only))) return [only]
  const schema = { ...others, ...(types.length > 0 && { type: types }) }
  const good = listed.filter((value) => value !== null && conforms(schema, value, run))
  return good.length > 0 ? good : listed
}

function typeOf(flat: FlatSchema, place: Place, { random }: SampleRun): string {
  const types = flat.types.filter((type) => type !== 'null')
  if (types.length > 0) return draw(random, types)
  if (flat.types.length > 0) return 'null'
  const implied = IMPLIED.find(([, keywords]) => keywords.some((keyword) => flat[keyword] !== undefined))
  return implied?.[0] ?? (place.path.length === 0 ? 'object' : 'string')
}

/** The type that a schema means if it does not name one. */
const IMPLIED: readonly (readonly [type: string, keywords: readonly (keyof FlatSchema)[]])[] = [
  ['object', ['properties', 'required', 'additionalProperties', 'minProperties', 'maxProperties', 'discriminated']],
  ['array', ['items', 'prefixItems', 'minItems', 'maxItems', 'uniqueItems']],
  ['string', ['pattern', 'format', 'minLength', 'maxLength']],
  ['number', ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']],
]
