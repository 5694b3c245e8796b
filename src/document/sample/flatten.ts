import type { RandomSource } from '../../lib/random.js'
import { branchNames, type Discriminator } from '../schema/discriminator.js'
import { isOnlyNull, ownTypesOf } from '../schema/facts.js'
import type { AnySchema, JsonSchema } from '../schema/json-schema.js'
import { type FlatSchema, mergeSchemas, ownKeywords } from '../schema/merge-schemas.js'
import { draw } from './formats.js'
import type { SampleRun } from './run.js'

/**
 * A branch of `oneOf` or `anyOf`: not `null`, and if possible one that fits the types beside it and does not lead back to
 * a schema that it is part of.
 */
function chooseBranch(
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
  const own = typeof branch === 'boolean' ? [] : ownTypesOf(branch)
  if (types.length === 0 || own.length === 0) return true
  return own.some((type) => types.includes(type) || (type === 'integer' && types.includes('number')))
}

/** The value of the discriminator for a branch, which is the name of its schema if the mapping does not give it another one. */
function discriminatorValue(
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

/** A schema with its `allOf` merged and one branch of each `oneOf` and `anyOf` chosen. */
export interface Flattened {
  readonly flat: FlatSchema
  /** The schema, and the parts that were merged. */
  readonly parts: readonly JsonSchema[]
}

export function flatten(schema: JsonSchema, above: readonly JsonSchema[], run: SampleRun): Flattened {
  const parts: JsonSchema[] = []
  const merge = (flat: FlatSchema, part: AnySchema | undefined): FlatSchema =>
    // A part that contains itself adds nothing.
    typeof part !== 'object' || parts.includes(part) ? flat : mergeSchemas(flat, read(part))

  function read(each: JsonSchema): FlatSchema {
    parts.push(each)
    // Merging takes time for each property.
    run.left -= 1 + Object.keys(each.properties ?? {}).length / 10
    const own = ownKeywords(each)
    if (run.left < 0) return own
    let flat = (each.allOf ?? []).reduce(merge, own)
    const name = run.nameOf(each)
    if (each.allOf && flat.discriminator && name !== undefined) {
      // A schema that extends one with a discriminator has its own name there.
      flat = discriminate(flat, discriminatorValue(flat.discriminator, [], each, run.nameOf))
    }
    for (const branches of [each.oneOf, each.anyOf]) {
      if (branches === undefined) continue
      const branch = chooseBranch(branches, flat.types, [...above, ...parts], run.random)
      flat = merge(flat, branch)
      if (own.discriminator && branch !== undefined) {
        const names = branches === each.oneOf ? branchNames(own.discriminator)[branches.indexOf(branch)] : undefined
        flat = discriminate(flat, names?.[0] ?? discriminatorValue(own.discriminator, branches, branch, run.nameOf))
      }
    }
    return flat
  }

  return { flat: read(schema), parts }
}

function discriminate(flat: FlatSchema, value: string | undefined): FlatSchema {
  const { discriminator, discriminated } = flat
  if (discriminator === undefined || value === undefined) return flat
  return { ...flat, discriminated: { [discriminator.propertyName]: value, ...discriminated } }
}
