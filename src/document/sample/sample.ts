import type { RandomSource } from '../../lib/random.js'
import { copyData, isPlainObject } from '../../lib/values.js'
import { hasFlag, isContainer } from '../schema/facts.js'
import type { AnySchema, JsonSchema } from '../schema/json-schema.js'
import type { FlatSchema } from '../schema/merge-schemas.js'
import { conforms } from './conforms.js'
import { flatten } from './flatten.js'
import { FORMATS } from './formats.js'
import { newValue } from './new-values.js'
import { isUsualName } from './property-names.js'
import type { SamplePath } from './run.js'
import { isOfNew, nameAt, ownerAt, type SamplePlace, type SampleRun } from './run.js'
import { createPatternReader } from './sample-pattern.js'
import { createTimes, type Times } from './times.js'
import { cutValue, sampleValue } from './values.js'

/** The first example of a schema that is acceptable, else its default. Examples in documents are often wrong. */
function findExample(schema: JsonSchema, flat: FlatSchema, run: SampleRun): unknown {
  const examples = Array.isArray(flat.examples) ? flat.examples : []
  // A default of null says that there is usually nothing.
  const candidates = [flat.example, ...examples, flat.default ?? undefined]
  return candidates.find((value) => value !== undefined && run.accepts(schema, value))
}

/** Whether an example comes before a value that is made: for one of many, only where nothing says how else it looks. */
function usesExamples(flat: FlatSchema, place: SamplePlace, run: SampleRun): boolean {
  if (!place.withExamples || !run.isVaried) return place.withExamples
  const { types, format = '', int64, enum: listed, const: only, items = true, minimum, maximum } = flat
  if (listed !== undefined || only !== undefined || int64 || Object.hasOwn(FORMATS, format)) return false
  if (types.includes('array')) return items !== true && !isContainer(items)
  const isNumber = types.includes('integer') || types.includes('number')
  if (isNumber && minimum !== undefined && maximum !== undefined) return false
  return (isNumber || types.includes('string')) && !isUsualName(nameAt(place), ownerAt(place, run), isNumber)
}

/** A copy without what is hidden, and with the values of the caller. */
function adaptExample(value: unknown, flat: FlatSchema, place: SamplePlace, run: SampleRun): unknown {
  const { properties = {}, items = true } = flat
  const propertyOf = (name: string) => (Object.hasOwn(properties, name) ? properties[name] : undefined)

  function adapt(key: string | number, inner: unknown, schema: AnySchema): unknown {
    const path = [...place.path, key]
    const given = run.override(path, schema)
    if (given !== undefined) return given
    if (typeof schema === 'boolean' || run.left < 0) return copyData(inner)
    const innerPlace = { ...place, path }
    const innerFlat = flatten(schema, place.above, run).flat
    return newValue(schema, innerFlat, innerPlace, run) ?? adaptExample(inner, innerFlat, innerPlace, run)
  }

  if (Array.isArray(value)) {
    const shown = isOfNew(place, run) ? value.slice(0, flat.minItems ?? 0) : value
    return shown.map((item, index) => adapt(index, item, items))
  }
  if (!isPlainObject(value)) return value
  const shown = Object.entries(value).filter(([name]) => !hasFlag(propertyOf(name), run.hidden))
  return Object.fromEntries(shown.map(([name, inner]) => [name, adapt(name, inner, propertyOf(name) ?? true)]))
}

/** For one value: schemas that are visited, and checks of values. */
const MAX_STEPS = 10_000
/** What a pattern takes, compared with other keywords. */
const PATTERN_STEPS = 20
/** About how many optional properties and items one value contains. */
const BUDGET = 500
/** How often a schema may be part of itself where it is required. */
const MAX_RECURSION = 2
const MAX_DEPTH = 40

export interface SamplerOptions {
  /** Whether an example or a default of a schema may be used. Default: if it conforms to the schema. */
  readonly accepts?: ((schema: JsonSchema, value: unknown) => boolean) | undefined
  /** The name of a schema in the document, for discriminators: `Cat`. */
  readonly nameOf?: ((schema: AnySchema) => string | undefined) | undefined
}

export interface SampleContext {
  /** A record leaves out what is `writeOnly`, a request what is `readOnly`. Default: `record`. */
  readonly as?: 'record' | 'request' | undefined
  /** The value for a place, such as the id of another record. Undefined if the sampler should make it. */
  readonly override?: ((path: SamplePath, schema: AnySchema) => unknown) | undefined
  /** What the value is called: `book`. */
  readonly noun?: string | undefined
  /** When a record was created and changed. Default: at random, in the past. */
  readonly times?: Times | undefined
  /** About how many optional properties and items the value contains. Default: 500. */
  readonly budget?: number | undefined
  /** Steps that several samples share. Default: 10,000 for each. */
  readonly work?: { left: number } | undefined
  /** Whether the value is one of many, which should differ. Default: false. */
  readonly isVaried?: boolean | undefined
  /** Whether the value is of something that was just created: nothing has happened to it yet. Default: false. */
  readonly isNew?: boolean | undefined
  /** Whether given values need only those formats that requests are checked for. */
  readonly isLenient?: boolean | undefined
}

export interface Sampler {
  /** A value that conforms to the schema, as far as one is found in a limited number of steps. Undefined for `false`. */
  sample(schema: AnySchema, context?: SampleContext): unknown
}

/** Makes values from schemas. The same random numbers give the same values. */
export function createSampler(random: RandomSource, options: SamplerOptions = {}): Sampler {
  const patternOf = createPatternReader()

  return {
    sample(
      schema,
      {
        as = 'record',
        override = () => undefined,
        noun = '',
        times,
        budget = BUDGET,
        isVaried = false,
        isNew = false,
        isLenient,
        work,
      } = {},
    ) {
      const steps = Math.max(0, Math.min(MAX_STEPS, work?.left ?? MAX_STEPS))
      const run: SampleRun = {
        random,
        left: steps,
        hidden: as === 'record' ? 'writeOnly' : 'readOnly',
        patternOf(pattern) {
          run.left -= PATTERN_STEPS
          return patternOf(pattern)
        },
        nameOf: options.nameOf ?? (() => undefined),
        accepts: options.accepts ?? ((each, value) => conforms(each, value, run)),
        override,
        noun,
        timeOf: createTimes(random, times),
        isVaried,
        isNew,
        isLenient,
        sample: (each, place) => sampleAt(each, place, run),
      }
      const value = sampleAt(schema, { path: [], above: [], budget, withExamples: true }, run)
      if (work) work.left -= steps - run.left
      return value
    },
  }
}

function sampleAt(schema: AnySchema, place: SamplePlace, run: SampleRun): unknown {
  const given = run.override(place.path, schema)
  if (given !== undefined) return given
  if (schema === false) return undefined
  if (schema === true) return sampleOnce({}, place, run)
  const first = sampleOnce(schema, place, run)
  if (schema.oneOf === undefined && schema.not === undefined) return first

  // Branches may exclude each other, and what they exclude is often optional.
  const others = [place, { ...place, budget: 0 }, { ...place, budget: 0, withExamples: false }]
  let value = first
  /** One that fits several branches, of which the discriminator names one: other tools may read it strictly. */
  let named: unknown
  for (const other of [...others, ...others, ...others]) {
    if (run.left < 0) break
    run.ignoresNames = true
    const isFitting = conforms(schema, value, run)
    run.ignoresNames = false
    if (isFitting) return value
    if (named === undefined && run.hasNames && conforms(schema, value, run)) named = value
    value = sampleOnce(schema, other, run)
  }
  return named ?? first
}

function sampleOnce(schema: JsonSchema, place: SamplePlace, run: SampleRun): unknown {
  run.left -= 1
  const { flat, parts } = flatten(schema, place.above, run)
  const initial = newValue(schema, flat, place, run)
  if (initial !== undefined) return copyData(initial)
  const example = usesExamples(flat, place, run) ? findExample(schema, flat, run) : undefined
  if (example !== undefined) return adaptExample(example, flat, place, run)
  const inner = { ...place, above: [...place.above, ...parts] }
  const repeats = place.above.filter((other) => other === schema).length
  const isCut = repeats >= MAX_RECURSION || place.path.length > MAX_DEPTH || run.left < 0
  return isCut ? cutValue(schema, flat, inner, run) : sampleValue(flat, inner, run)
}
