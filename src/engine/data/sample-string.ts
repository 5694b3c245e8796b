import type { RandomSource } from '../../lib/random.js'
import { drawText, drawWord, FORMATS } from './formats.js'
import type { FlatSchema } from './merge-schemas.js'
import { textForName } from './property-names.js'
import type { TextPattern } from './sample-pattern.js'
import { nameAt, ownerAt, type Place, type SampleRun } from './sample-run.js'

/** A longer text is cut, even if the schema asks for it. */
const MAX_LENGTH = 100_000
const MAX_ATTEMPTS = 4

/** A text of the schema's format, pattern and length. Without a format and a pattern, its property's name decides. */
export function sampleString(
  schema: FlatSchema,
  place: Place,
  run: SampleRun,
  pattern: TextPattern | undefined,
): string {
  const { random } = run
  const name = nameAt(place)
  // Those of a list differ.
  const time = typeof place.path.at(-1) === 'number' ? undefined : () => run.timeOf(name)
  const minLength = Math.min(schema.minLength ?? 0, MAX_LENGTH)
  const maxLength = Math.max(schema.maxLength ?? Number.POSITIVE_INFINITY, minLength)
  const fits = (text: string) =>
    text.length >= minLength && text.length <= maxLength && (pattern === undefined || pattern.matches(text) === true)
  const format =
    schema.format !== undefined && Object.hasOwn(FORMATS, schema.format) ? FORMATS[schema.format] : undefined

  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const text = format ? format.make(random, time) : textForName(name, ownerAt(place, run), random, time)
    if (text !== undefined && fits(text)) return text
  }
  const text = pattern?.make(random, minLength, maxLength)
  if (text !== undefined && format?.matches?.(text) === false) {
    // Many patterns say how an address ends, where the part after @ does, or how a text begins.
    const made = format.make(random, time)
    const joined = [made + text, made.replace(/@.*/, '') + text, text + made.slice(text.length)]
    const both = joined.find((each) => fits(each) && format.matches?.(each))
    if (both !== undefined) return both
  }
  if (text !== undefined) return text
  // A format says more than a length.
  return format?.matches ? format.make(random, time) : fillText(random, minLength, maxLength)
}

function fillText(random: RandomSource, minLength: number, maxLength: number): string {
  const word = drawWord(random)
  if (word.length >= minLength && word.length <= maxLength) return word
  if (word.length > maxLength) return word.slice(0, maxLength)
  return (
    word +
    drawText(random, 'abcdefghijklmnopqrstuvwxyz', Math.min(minLength - word.length, 100)).padEnd(
      minLength - word.length,
      'a',
    )
  )
}
