import { endOfString } from './json.js'

/** See `Limits`. */
export interface JsonLimits {
  readonly maxJsonDepth: number
  readonly maxJsonValues: number
}

const [QUOTE, COMMA, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x22, 0x2c, 0x5b, 0x5d, 0x7b, 0x7d]
const [SPACE, TAB, LINE_FEED, CARRIAGE_RETURN] = [0x20, 0x09, 0x0a, 0x0d]

/**
 * How JSON exceeds the limits, as it reads after its name in a sentence. Called before parsing, to bound the work of the
 * parser; it does not check whether the text is valid JSON.
 */
export function findExcess(text: string, limits: JsonLimits): string | undefined {
  const { maxJsonDepth, maxJsonValues } = limits
  // Every level and every value has at least one character.
  if (text.length <= maxJsonDepth && text.length <= maxJsonValues) return undefined
  let depth = 0
  let values = 0
  /** Right after an opening bracket, where a value has no comma before it. */
  let isFirst = false
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charCodeAt(index)
    if (character === SPACE || character === TAB || character === LINE_FEED || character === CARRIAGE_RETURN) continue
    const closes = character === CLOSE_LIST || character === CLOSE_OBJECT
    if (character === COMMA || (isFirst && !closes)) values += 1
    isFirst = character === OPEN_LIST || character === OPEN_OBJECT
    if (isFirst) depth += 1
    else if (closes) depth -= 1
    else if (character === QUOTE) index = endOfString(text, index) - 1
    if (depth > maxJsonDepth) return describeDepth(limits)
    if (values > maxJsonValues) return `has more than ${maxJsonValues} values`
  }
  return undefined
}

/** As it reads after the name of a text that is nested too deeply. */
export function describeDepth({ maxJsonDepth }: JsonLimits): string {
  return `is nested deeper than ${maxJsonDepth} levels`
}
