import { HEADER_NAME, isHeaderValue, RESERVED_HEADERS } from '../../http/header-rules.js'
import { stringifyJson } from '../../lib/json.js'
import { createRandom, type RandomSource } from '../../lib/random.js'
import { fitValue, isValid } from '../sample/fit-value.js'
import { createSampler } from '../sample/sample.js'
import type { MediaType, MediaTypes } from '../schema/media-type.js'
import type { Schema } from '../schema/schema.js'
import type { Validate } from '../validate/validators.js'
import type { ResponseShape } from './operation.js'

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

export interface BodyMaker {
  validatorOf(schema: Schema): Validate
  /** The example with this name if it conforms. Without a name, the first one that does, else the first without its mistakes. */
  findExample(shape: BodyShape, name?: string): unknown
  /** A value made from the schema. `salt` decides about random values. */
  sampleBody(shape: Pick<BodyShape, 'schema'>, salt: string): unknown
}

/** Makes the bodies of responses from the examples and the schemas of a document. Each is checked against its schema. */
export function createBodyMaker({ nameOf, validatorOf }: BodyDependencies): BodyMaker {
  let random: RandomSource = () => 0
  const sampler = createSampler(() => random(), { nameOf: (schema) => nameOf(schema as Schema) })

  return {
    validatorOf,
    findExample({ media, schema }: BodyShape, name?: string): unknown {
      const { example, examples = {} } = media
      const named = Object.entries(examples).map(([key, value]) => [key, value?.value] as const)
      const all = [...named, ['example', example] as const]
      const wanted = all.filter(([key, value]) => value !== undefined && (name === undefined || key === name))
      const isFine = (value: unknown) => isValid(schema, value) && validatorOf(schema)(value)
      const [, found] = wanted.find(([, value]) => isFine(value)) ?? []
      if (found !== undefined || name !== undefined || wanted.length === 0) return found
      random = createRandom(0, 'example')
      const mended = fitValue(wanted[0]?.[1], schema, sampler)
      return validatorOf(schema)(mended) ? mended : undefined
    },
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

/** A header of a response in a document. */
interface DeclaredHeader extends MediaTypes, Omit<MediaType, 'schema'> {
  readonly schema?: Schema
}

/** Values for the headers that a response declares, from their examples or schemas. */
export function sampleHeaders(declared: object, bodies: BodyMaker, salt: string): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const [name, header] of Object.entries(declared) as [string, DeclaredHeader | undefined][]) {
    if (!HEADER_NAME.test(name) || NOT_SAMPLED.test(name) || RESERVED_HEADERS.includes(name.toLowerCase())) continue
    const [content] = Object.values(header?.content ?? {})
    const media = content ?? (header as MediaType) ?? {}
    const shape = { media, schema: media.schema ?? { type: 'string' } }
    const text = toText(bodies.findExample(shape) ?? bodies.sampleBody(shape, `${salt}/${name}`))
    if (text !== undefined && isHeaderValue(text)) headers[name] = text
  }
  return headers
}

/** What the server or the mock knows better. */
const NOT_SAMPLED = /^(?:date|vary|server|www-authenticate|retry-after|access-control-.*)$/i

function toText(value: unknown): string | undefined {
  if (Array.isArray(value)) return value.map(toText).join(',')
  return typeof value === 'string' ? value : stringifyJson(value)
}
