import { branchNames } from '../contract/discriminator.js'
import { chooseBranch, discriminatorValue } from './choose-branch.js'
import type { AnySchema, JsonSchema } from './json-schema.js'
import { type FlatSchema, mergeSchemas, ownKeywords } from './merge-schemas.js'
import type { SampleRun } from './sample-run.js'

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
