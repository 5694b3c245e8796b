import { copyData } from '../../lib/copy-data.js'
import { isPlainObject } from '../../lib/plain-object.js'
import { hasFlag } from '../resources/schema-facts.js'
import { flatten } from './flatten.js'
import { FORMATS } from './formats.js'
import { type AnySchema, isContainer, type JsonSchema } from './json-schema.js'
import type { FlatSchema } from './merge-schemas.js'
import { isUsualName } from './property-names.js'
import { nameAt, ownerAt, type Place, type SampleRun } from './sample-run.js'

/** The first example of a schema that is acceptable, else its default. Examples in documents are often wrong. */
export function findExample(schema: JsonSchema, flat: FlatSchema, run: SampleRun): unknown {
  const examples = Array.isArray(flat.examples) ? flat.examples : []
  // A default of null says that there is usually nothing.
  const candidates = [flat.example, ...examples, flat.default ?? undefined]
  return candidates.find((value) => value !== undefined && run.accepts(schema, value))
}

/** Whether an example comes before a value that is made: for one of many, only where nothing says how else it looks. */
export function usesExamples(flat: FlatSchema, place: Place, run: SampleRun): boolean {
  if (!place.withExamples || !run.isVaried) return place.withExamples
  const { types, format = '', enum: listed, const: only, items = true, minimum, maximum } = flat
  if (listed !== undefined || only !== undefined || Object.hasOwn(FORMATS, format)) return false
  if (types.includes('array')) return items !== true && !isContainer(items)
  const isNumber = types.includes('integer') || types.includes('number')
  if (isNumber && minimum !== undefined && maximum !== undefined) return false
  return (isNumber || types.includes('string')) && !isUsualName(nameAt(place), ownerAt(place, run), isNumber)
}

/** A copy without what is hidden, and with the values of the caller. */
export function adaptExample(value: unknown, flat: FlatSchema, place: Place, run: SampleRun): unknown {
  const { properties = {}, items = true } = flat
  const propertyOf = (name: string) => (Object.hasOwn(properties, name) ? properties[name] : undefined)

  function adapt(key: string | number, inner: unknown, schema: AnySchema): unknown {
    const path = [...place.path, key]
    const given = run.override(path, schema)
    if (given !== undefined) return given
    if (typeof schema === 'boolean' || run.left < 0) return copyData(inner)
    return adaptExample(inner, flatten(schema, place.above, run).flat, { ...place, path }, run)
  }

  if (Array.isArray(value)) return value.map((item, index) => adapt(index, item, items))
  if (!isPlainObject(value)) return value
  const shown = Object.entries(value).filter(([name]) => !hasFlag(propertyOf(name), run.hidden))
  return Object.fromEntries(shown.map(([name, inner]) => [name, adapt(name, inner, propertyOf(name) ?? true)]))
}
