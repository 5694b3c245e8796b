import { createRandom, type RandomSource } from '../../lib/random.js'
import type { ResponseShape } from '../contract/operation.js'
import type { Schema } from '../contract/schema.js'
import type { Validate } from '../contract/validators.js'
import { createSampler } from '../data/sample.js'

/** How often a body is made anew if it does not conform. */
const MAX_ATTEMPTS = 5

export interface BodyDependencies {
  /** The name of a schema in the document. */
  nameOf(schema: Schema): string | undefined
  /** Compiled when it is first used. */
  validatorOf(schema: Schema): Validate
}

/** What a body is made from. */
export type BodyShape = Pick<ResponseShape, 'media' | 'schema'>

export type BodyMaker = ReturnType<typeof createBodyMaker>

/** Makes the bodies of responses from the examples and the schemas of a document. Each is checked against its schema. */
export function createBodyMaker({ nameOf, validatorOf }: BodyDependencies) {
  let random: RandomSource = () => 0
  const sampler = createSampler(() => random(), { nameOf: (schema) => nameOf(schema as Schema) })

  return {
    validatorOf,
    /** The example with this name, else the first one. Undefined if there is none that conforms. */
    findExample({ media, schema }: BodyShape, name?: string): unknown {
      const { example, examples = {} } = media
      const named = Object.entries(examples).map(([key, value]) => [key, value?.value] as const)
      const all = [...named, ['example', example] as const]
      const wanted = name === undefined ? all : all.filter(([key]) => key === name)
      return wanted.find(([, value]) => value !== undefined && validatorOf(schema)(value))?.[1]
    },
    /** A value made from the schema. `salt` decides about random values. */
    sampleBody({ schema }: Pick<BodyShape, 'schema'>, salt: string): unknown {
      let first: unknown
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
        random = createRandom(0, attempt === 0 ? salt : `${salt}/${attempt}`)
        const value = sampler.sample(schema)
        if (validatorOf(schema)(value)) return value
        if (attempt === 0) first = value
      }
      return first
    },
  }
}
