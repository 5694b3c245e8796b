import { setMember } from '../../lib/set-member.js'
import { hasFlag } from '../resources/schema-facts.js'
import { conforms } from './conforms.js'
import { drawWord } from './formats.js'
import { type AnySchema, isContainer } from './json-schema.js'
import type { FlatSchema } from './merge-schemas.js'
import { isRecursive, type Place, type SampleRun } from './sample-run.js'

/** An object has no more properties with made-up names, even if the schema requires them. */
const MAX_REQUIRED = 200

/** Whether a value does not conform. The members of an object were checked before. */
function isWrong(value: unknown, schema: AnySchema, run: SampleRun): boolean {
  if (typeof schema === 'boolean') return false
  const { allOf, anyOf, oneOf, not, enum: listed } = schema
  const isDoubtful = !isContainer(schema) || [allOf, anyOf, oneOf, not, listed].some((keyword) => keyword !== undefined)
  return isDoubtful && !conforms(schema, value, run)
}

/** All required properties, and as many of the others as the budget and the schema allow. */
export function sampleObject(flat: FlatSchema, place: Place, run: SampleRun): Record<string, unknown> {
  const { properties = {}, discriminated = {}, maxProperties = Number.POSITIVE_INFINITY } = flat
  const minProperties = Math.min(flat.minProperties ?? 0, MAX_REQUIRED)
  const required = new Set([...(flat.required ?? []), ...Object.keys(discriminated)])
  const allowed = flat.allowed && new Set(flat.allowed)
  const names = Object.keys(properties).filter((name) => !hasFlag(properties[name], run.hidden))
  const containers = new Set(names.filter((name) => isContainer(properties[name] ?? true)))
  // Texts and numbers are small: what is left after them is for the others.
  const share = Math.max((place.budget - names.length) / (containers.size + 1), 0)
  const object: Record<string, unknown> = {}
  let size = 0

  function add(name: string, schema: AnySchema, budget: number): void {
    const fixed = Object.hasOwn(discriminated, name) ? discriminated[name] : undefined
    const isFixed = fixed !== undefined && conforms(schema, fixed, run)
    const value = isFixed ? fixed : run.sample(schema, { ...place, path: [...place.path, name], budget })
    // None is better than one that does not conform.
    if (value === undefined || (!required.has(name) && isWrong(value, schema, run))) return
    setMember(object, name, value)
    size += 1
  }

  function isIncluded(name: string, schema: AnySchema): boolean {
    if (required.has(name)) return true
    if (allowed?.has(name) === false) return false
    return containers.has(name) ? share >= 1 && !isRecursive(schema, place) : place.budget >= 1
  }

  let optionalLeft = maxProperties - required.size
  for (const name of names) {
    if (run.left < 0) return object
    const schema = properties[name] ?? true
    const isOptional = !required.has(name)
    if (!isIncluded(name, schema) || (isOptional && optionalLeft <= 0)) continue
    if (isOptional) optionalLeft -= 1
    add(name, schema, share)
  }
  const others = flat.additionalProperties ?? true
  for (const name of required) {
    if (run.left < 0) return object
    if (!Object.hasOwn(properties, name)) add(name, others || true, share)
  }

  // What was left out above is better than a made-up name.
  for (const name of names) {
    if (size >= minProperties || run.left < 0) break
    if (!Object.hasOwn(object, name) && allowed?.has(name) !== false) add(name, properties[name] ?? true, 0)
  }
  const isMap = typeof others === 'object' && share >= 1 && size < maxProperties
  const wanted = Math.max(minProperties, isMap ? size + 1 : 0)
  for (let attempt = 0; size < wanted && others !== false && attempt < wanted * 2 && run.left > 0; attempt++) {
    const name = drawWord(run.random) + (attempt || '')
    if (!Object.hasOwn(properties, name) && !Object.hasOwn(object, name)) add(name, others, share)
  }
  return object
}
