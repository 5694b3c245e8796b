import { endOfString, parseJson } from './json.js'
import type { Steps } from './steps.js'
import { joinBytes } from './text.js'

/** How many characters are handled between two pauses. */
const LENGTH_PER_STEP = 16_384

/** JSON that is cut up, so that it can be parsed bit by bit. */
export interface JsonPieces {
  /** How deep it is nested. */
  readonly depth: number
  /** The text without the items of its lists: in their place, each list has its own index in `lists`. */
  readonly outline: string
  /** The items of the lists that are members of the outermost object, in pieces cut between items. */
  readonly lists: readonly (readonly string[])[]
}

/** Cuts up the text of a large object with long lists. Does not check that it is JSON: `parsePieces` does. */
export function* cutJson(text: string): Steps<JsonPieces> {
  const lists: string[][] = []
  let outline = ''
  let outlineStart = 0
  /** The pieces of the current list. */
  let pieces: string[] | undefined
  let pieceStart = 0
  let depth = 0
  let maxDepth = 0
  let nextPause = 0
  for (let index = 0; index < text.length; index += 1) {
    if (index >= nextPause) {
      nextPause = index + LENGTH_PER_STEP
      yield
    }
    const character = text[index]
    if (character === '"') {
      index = endOfString(text, index) - 1
    } else if (character === '[' || character === '{') {
      depth += 1
      if (depth > maxDepth) maxDepth = depth
      if (depth !== 2 || character !== '[') continue
      outline += text.slice(outlineStart, index + 1) + lists.length
      pieces = []
      lists.push(pieces)
      pieceStart = index + 1
      // Nothing belongs to the outline before the list is closed.
      outlineStart = text.length
    } else if (character === ']' || character === '}') {
      depth -= 1
      if (depth !== 1 || pieces === undefined) continue
      pieces.push(text.slice(pieceStart, index))
      pieces = undefined
      outlineStart = index
    } else if (character === ',' && depth === 2 && pieces && index - pieceStart >= LENGTH_PER_STEP) {
      pieces.push(text.slice(pieceStart, index))
      pieceStart = index + 1
    }
  }
  return { depth: maxDepth, outline: outline + text.slice(outlineStart), lists }
}

/** `parseJson` of the whole text. Throws a SyntaxError if it is not JSON. */
export function* parsePieces({ outline, lists }: JsonPieces): Steps<unknown> {
  const value = parseJson(outline)
  const members = Object.values(Object(value)).filter((member) => Array.isArray(member))
  // Takes the indexes out of the lists again.
  const targets = new Map(members.map((member) => [member.pop(), member]))
  for (const [index, pieces] of lists.entries()) {
    // Of two members with the same name the last counts, but both must be JSON.
    const items: unknown[] = targets.get(index) ?? []
    for (const piece of pieces) {
      yield
      const parsed = parseJson(`[${piece}]`) as unknown[]
      if (parsed.length === 0 && pieces.length > 1) throw new SyntaxError('An item is missing between two commas.')
      items.push(...parsed)
    }
  }
  return value
}

/** How many items of a list are written between two pauses. */
const ITEMS_PER_STEP = 1024

/** The JSON of a large object with long lists, in UTF-8. `write` is called for objects with some of the items of a list. */
export function* encodeJson(object: object, write: (part: object) => string): Steps<Uint8Array> {
  const encoder = new TextEncoder()
  const parts: Uint8Array[] = []
  let text = '{'
  for (const [name, value] of Object.entries(object)) {
    const list: unknown[] = Array.isArray(value) ? value : []
    const isShort = list.length <= ITEMS_PER_STEP
    const start = isShort ? write({ [name]: value }).slice(1, -1) : `${JSON.stringify(name)}:[`
    // What JSON does not have, such as undefined, is left out.
    if (start === '') continue
    text += text === '{' ? start : `,${start}`
    if (isShort) continue
    for (let index = 0; index < list.length; index += ITEMS_PER_STEP) {
      const items = write({ [name]: list.slice(index, index + ITEMS_PER_STEP) }).slice(start.length + 1, -2)
      parts.push(encoder.encode(`${text}${index === 0 ? '' : ','}${items}`))
      text = ''
      yield
    }
    text = ']'
  }
  parts.push(encoder.encode(`${text}}`))
  return joinBytes(parts)
}

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
