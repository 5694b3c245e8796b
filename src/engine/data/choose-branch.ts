import type { RandomSource } from '../../lib/random.js'
import { draw } from './formats.js'
import { type AnySchema, type Discriminator, isOnlyNull, type JsonSchema, typesOf } from './json-schema.js'

/**
 * A branch of `oneOf` or `anyOf`: not `null`, and if possible one that fits the types beside it and does not lead back to
 * a schema that it is part of.
 */
export function chooseBranch(
  branches: readonly AnySchema[],
  types: readonly string[],
  above: readonly JsonSchema[],
  random: RandomSource,
): AnySchema | undefined {
  const preferences: ((branch: AnySchema) => boolean)[] = [
    (branch) => branch !== false,
    (branch) => !isOnlyNull(branch),
    (branch) => fitsTypes(branch, types),
    (branch) => typeof branch === 'boolean' || !above.includes(branch),
  ]
  const preferred = preferences.reduce((left, isPreferred) => {
    const kept = left.filter(isPreferred)
    return kept.length > 0 ? kept : left
  }, branches)
  return preferred.length > 0 ? draw(random, preferred) : undefined
}

function fitsTypes(branch: AnySchema, types: readonly string[]): boolean {
  const own = typeof branch === 'boolean' ? [] : typesOf(branch)
  if (types.length === 0 || own.length === 0) return true
  return own.some((type) => types.includes(type) || (type === 'integer' && types.includes('number')))
}

/** The value of the discriminator for a branch, which is the name of its schema if the mapping does not give it another one. */
export function discriminatorValue(
  { mapping = {} }: Discriminator,
  branches: readonly AnySchema[],
  branch: AnySchema,
  nameOf: (schema: AnySchema) => string | undefined,
): string | undefined {
  const entries = Object.entries(mapping)
  const name = nameOf(branch)
  const mapped = entries.find(([, reference]) => name !== undefined && reference.split('/').at(-1) === name)
  if (mapped) return mapped[0]
  // Without the names of schemas, branches and mapping are usually in the same sequence.
  return name ?? (entries.length === branches.length ? entries[branches.indexOf(branch)]?.[0] : undefined)
}
