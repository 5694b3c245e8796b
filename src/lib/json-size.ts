import { endOfString } from './json.js'

/** How much of JSON is taken: see `Limits`. */
export interface JsonLimits {
  readonly maxJsonDepth: number
  readonly maxJsonValues: number
}

const [QUOTE, COMMA, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [...'",[]{}'].map((each) =>
  each.charCodeAt(0),
) as [number, number, number, number, number, number]
const [BLANK, TAB, LINE_FEED, CARRIAGE_RETURN] = [0x20, 0x09, 0x0a, 0x0d]

/**
 * How a text is more JSON than is taken, in words that end a sentence; undefined where it is not. It is looked at before
 * it is read, so that reading it is bounded work; whether it is JSON at all is found out by reading it.
 */
export function findExcess(text: string, { maxJsonDepth, maxJsonValues }: JsonLimits): string | undefined {
  // Every level and every value takes a character.
  if (text.length <= maxJsonDepth && text.length <= maxJsonValues) return undefined
  let depth = 0
  let values = 0
  /** Right behind an opening bracket: whatever comes, unless it closes, is a value that no comma stands before. */
  let isFirst = false
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charCodeAt(index)
    if (character === BLANK || character === TAB || character === LINE_FEED || character === CARRIAGE_RETURN) continue
    const closes = character === CLOSE_LIST || character === CLOSE_OBJECT
    if (character === COMMA || (isFirst && !closes)) values += 1
    isFirst = character === OPEN_LIST || character === OPEN_OBJECT
    if (isFirst) depth += 1
    else if (closes) depth -= 1
    else if (character === QUOTE) index = endOfString(text, index) - 1
    if (depth > maxJsonDepth) return `nested deeper than ${maxJsonDepth} levels`
    if (values > maxJsonValues) return `of more than ${maxJsonValues} values`
  }
  return undefined
}
