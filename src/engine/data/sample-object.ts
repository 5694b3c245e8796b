import { setMember } from '../../lib/set-member.js'
import { conforms, isHidden, isSchema } from './conforms.js'
import { drawWord } from './formats.js'
import { type AnySchema, isContainer } from './json-schema.js'
import type { FlatSchema } from './merge-schemas.js'
import { isRecursive, type Place, type SampleRun } from './sample-run.js'

/** All required properties, and as many of the others as the budget allows. */
export function sampleObject(flat: FlatSchema, place: Place, run: SampleRun): Record<string, unknown> {
  const { properties = {}, discriminated = {}, minProperties = 0 } = flat
  const required = new Set([...(flat.required ?? []), ...Object.keys(discriminated)])
  const allowed = flat.allowed && new Set(flat.allowed)
  const object: Record<string, unknown> = {}
  const maxProperties = flat.maxProperties ?? Number.POSITIVE_INFINITY
  const names = Object.keys(properties).filter((name) => !isHidden(properties[name], run.hidden))
  // Texts and numbers are small: what is left after them is for the others.
  const containers = new Set(names.filter((name) => isContainer(properties[name] ?? true)))
  const share = (place.budget - names.length) / (containers.size + 1)
  let optionalLeft = maxProperties - required.size
  let size = 0

  function add(name: string, schema: AnySchema, budget: number): void {
    const fixed = Object.hasOwn(discriminated, name) ? discriminated[name] : undefined
    const value =
      fixed !== undefined && conforms(schema, fixed, run)
        ? fixed
        : run.sample(schema, { ...place, path: [...place.path, name], budget })
    if (value === undefined) return
    setMember(object, name, value)
    size += 1
  }

  for (const name of names) {
    if (run.left < 0) return object
    const schema = properties[name] ?? true
    const isOptional = !required.has(name)
    if (isOptional) {
      const isTooMuch = containers.has(name) ? share < 1 || isRecursive(schema, place) : place.budget < 1
      if (isTooMuch || optionalLeft <= 0 || schema === false || allowed?.has(name) === false) continue
      optionalLeft -= 1
    }
    add(name, schema, isOptional ? share : Math.max(share, 0))
  }

  const others = isSchema(flat.additionalProperties) ? flat.additionalProperties : true
  for (const name of required) {
    if (run.left < 0) return object
    if (!Object.hasOwn(properties, name) && !Object.hasOwn(object, name))
      add(name, others === false ? true : others, share)
  }
  // What is left out above is better than a made-up name.
  for (const name of names) {
    if (size >= minProperties) break
    if (!Object.hasOwn(object, name) && allowed?.has(name) !== false) add(name, properties[name] ?? true, 0)
  }
  const isMap = typeof others === 'object' && share >= 1 && size < maxProperties
  const wanted = Math.max(minProperties, isMap ? size + 1 : 0)
  for (let attempt = 0; size < wanted && others !== false && attempt < wanted * 2 && run.left > 0; attempt++) {
    const word = drawWord(run.random)
    const name = attempt === 0 ? word : `${word}${attempt}`
    if (!Object.hasOwn(properties, name)) add(name, others, share)
  }
  return object
}
