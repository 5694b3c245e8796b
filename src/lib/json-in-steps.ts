import { parseJson } from './json.js'
import type { Steps } from './steps.js'

/** How many bytes are handled between two pauses. */
const BYTES_PER_STEP = 16_384

// Not stripped: JSON must not start with a byte order mark, so the parser rejects it.
const createDecoder = () => new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Throws a TypeError for bytes that are not UTF-8. */
export function* checkUtf8(bytes: Uint8Array): Steps<void> {
  const decoder = createDecoder()
  for (let start = 0; start < bytes.length; start += BYTES_PER_STEP) {
    yield
    decoder.decode(bytes.subarray(start, start + BYTES_PER_STEP), { stream: true })
  }
  decoder.decode()
}

/** JSON that is cut up, so that it can be parsed bit by bit. */
export interface JsonPieces {
  /** How deep it is nested. */
  readonly depth: number
  /** The text without the items of its lists: in their place, each list has its own index in `lists`. */
  readonly outline: string
  /** The items of the lists that are members of the outermost object, in pieces between two items. */
  readonly lists: readonly (readonly Uint8Array[])[]
}

const [QUOTE, COMMA, BACKSLASH] = [0x22, 0x2c, 0x5c]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

/** Cuts up the text of a large object with long lists. The bytes must be UTF-8; whether they are JSON shows in parsing. */
export function* cutJson(bytes: Uint8Array): Steps<JsonPieces> {
  const decoder = createDecoder()
  const lists: Uint8Array[][] = []
  let outline = ''
  let outlineStart = 0
  /** The pieces of the current list. */
  let pieces: Uint8Array[] | undefined
  let pieceStart = 0
  let depth = 0
  let maxDepth = 0
  let nextPause = 0
  for (let index = 0; index < bytes.length; index += 1) {
    if (index >= nextPause) {
      nextPause = index + BYTES_PER_STEP
      yield
    }
    const byte = bytes[index]
    if (byte === QUOTE) {
      index = endOfString(bytes, index) - 1
    } else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      depth += 1
      if (depth > maxDepth) maxDepth = depth
      if (depth !== 2 || byte !== OPEN_LIST) continue
      outline += decoder.decode(bytes.subarray(outlineStart, index + 1)) + lists.length
      pieces = []
      lists.push(pieces)
      pieceStart = index + 1
      outlineStart = bytes.length
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
      depth -= 1
      if (depth !== 1 || pieces === undefined) continue
      pieces.push(bytes.subarray(pieceStart, index))
      pieces = undefined
      outlineStart = index
    } else if (byte === COMMA && depth === 2 && pieces && index - pieceStart >= BYTES_PER_STEP) {
      pieces.push(bytes.subarray(pieceStart, index))
      pieceStart = index + 1
    }
  }
  return { depth: maxDepth, outline: outline + decoder.decode(bytes.subarray(outlineStart)), lists }
}

function endOfString(bytes: Uint8Array, start: number): number {
  let quote = start
  for (;;) {
    quote = bytes.indexOf(QUOTE, quote + 1)
    if (quote < 0) return bytes.length
    let backslashes = 0
    while (bytes[quote - 1 - backslashes] === BACKSLASH) backslashes += 1
    if (backslashes % 2 === 0) return quote + 1
  }
}

/** `parseJson` of the whole text. Throws a SyntaxError if it is not JSON. */
export function* parsePieces({ outline, lists }: JsonPieces): Steps<unknown> {
  const decoder = createDecoder()
  const value = parseJson(outline)
  const members = Object.values(Object(value)).filter((member) => Array.isArray(member))
  const targets = new Map(members.map((member) => [member.pop(), member]))
  for (const [index, pieces] of lists.entries()) {
    // Of two members with the same name the last counts, but both must be JSON.
    const items: unknown[] = targets.get(index) ?? []
    for (const piece of pieces) {
      yield
      const parsed = parseJson(`[${decoder.decode(piece)}]`) as unknown[]
      if (parsed.length === 0 && pieces.length > 1) throw new SyntaxError('An item is missing between two commas.')
      items.push(...parsed)
    }
  }
  return value
}
