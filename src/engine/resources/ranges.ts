import type { Schema } from '../contract/schema.js'
import { normalize, wordsOf } from './names.js'
import type { Parameter } from './read-operations.js'
import type { Range } from './resource.js'
import { isScalar, partsOf, typesOf } from './schema-facts.js'

/** Words beside the name of a property that make a bound of it: `min_price`, `price[gte]`, `created_after`. */
const BOUNDS: Readonly<Record<string, Pick<Range, 'bound' | 'isExclusive'>>> = {
  ...named('minimum', false, 'min minimum gte since from least'),
  ...named('minimum', true, 'gt after above'),
  ...named('maximum', false, 'max maximum lte until to most'),
  ...named('maximum', true, 'lt before below'),
}

function named(bound: Range['bound'], isExclusive: boolean, words: string) {
  return Object.fromEntries(words.split(' ').map((word) => [word, { bound, isExclusive }]))
}

/** The query parameters that are bounds of a number or a time. */
export function findRanges(
  parameters: readonly Parameter[],
  properties: ReadonlyMap<string, Schema>,
): readonly Range[] {
  const names = [...properties].filter(([, schema]) => isContinuous(schema)).map(([name]) => name)
  return parameters.flatMap(({ name: parameter, schema }) => {
    if (!isScalar(schema.schema)) return []
    const words = wordsOf(parameter)
    for (const [word, rest] of [
      [words[0], words.slice(1)],
      [words.at(-1), words.slice(0, -1)],
    ] as const) {
      const found = Object.hasOwn(BOUNDS, word ?? '') ? BOUNDS[word ?? ''] : undefined
      const property = found && findByStem(names, rest.join(''))
      const known = property && properties.get(property)
      if (found && known && isSameType(known, schema.schema)) return [{ parameter, property, ...found }]
    }
    return []
  })
}

/** `created` stands for `created_at`, `createdOn` or `creation_date`'s like. */
export function findByStem(names: readonly string[], stem: string): string | undefined {
  if (stem === '') return undefined
  const exact = names.find((name) => normalize(name) === stem)
  return exact ?? names.find((name) => ['at', 'on', 'date', 'time'].some((end) => normalize(name) === stem + end))
}

function isContinuous(schema: Schema): boolean {
  const types = typesOf(schema)
  return (
    types.has('integer') || types.has('number') || [...partsOf(schema)].some(({ format }) => /^date/.test(format ?? ''))
  )
}

function isSameType(one: Schema, other: Schema): boolean {
  return typesOf(one).has('string') === typesOf(other).has('string')
}
