import { endOfString } from './json.js'
import type { Steps } from './steps.js'

/** Where a text stops being JSON. */
export interface JsonError {
  /** Counted from 1, as `column` is. */
  readonly line: number
  readonly column: number
  /** The start of the text from there on; empty at the end of the text. */
  readonly found: string
  /** Whether there is nothing but whitespace before it. */
  readonly isFirst: boolean
}

/** How many tokens are read between two pauses. */
const TOKENS_PER_STEP = 1024

/** Finds the mistake in a text that is not JSON. `JSON.parse` reports it only for some, depending on Node. */
export function* findJsonError(text: string): Steps<JsonError> {
  /** Of the next token. */
  let index = 0
  const open: ('{' | '[')[] = []
  let expected: Expected = 'value'
  let isFirst = true
  let line = 1
  let column = 1
  for (let count = 0; ; count += 1) {
    if (count % TOKENS_PER_STEP === 0) yield
    TOKEN.lastIndex = index
    const token = TOKEN.exec(text)?.[0]
    const isSpace = token !== undefined && SPACE.test(token)
    const next: Expected | undefined = token === undefined || isSpace ? expected : step(expected, token, open)
    if (token === undefined || next === undefined) {
      return { line, column, found: text.slice(index, index + FOUND_LENGTH), isFirst }
    }
    isFirst &&= isSpace
    expected = next
    index += token.length
    column += token.length
    // Strings have no line breaks.
    if (!isSpace) continue
    const lines = token.split('\n')
    line += lines.length - 1
    if (lines.length > 1) column = (lines.at(-1) as string).length + 1
  }
}

const FOUND_LENGTH = 100

type Expected = 'value' | 'value or end' | 'name' | 'name or end' | 'colon' | 'comma or end'

const SPACE = /^[ \t\r\n]/

/** The pattern for strings is unrolled, so that long strings neither recurse nor backtrack. */
const TOKEN = new RegExp(
  [
    '[{}[\\],:]|[ \\t\\r\\n]+|true|false|null',
    '"[^"\\\\\\u0000-\\u001f]*(?:\\\\(?:["\\\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\\\\u0000-\\u001f]*)*"',
    '-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?(?:[eE][-+]?[0-9]+)?',
  ].join('|'),
  'y',
)

/** What may follow the token, or undefined if the token is not allowed here. */
function step(expected: Expected, token: string, open: ('{' | '[')[]): Expected | undefined {
  const isEnd = (kind: '{' | '[', alternative: Expected): boolean =>
    (expected === 'comma or end' || expected === alternative) && open.pop() === kind
  switch (token) {
    case ':':
      return expected === 'colon' ? 'value' : undefined
    case ',':
      if (expected !== 'comma or end' || open.length === 0) return undefined
      return open.at(-1) === '{' ? 'name' : 'value'
    case ']':
      return isEnd('[', 'value or end') ? 'comma or end' : undefined
    case '}':
      return isEnd('{', 'name or end') ? 'comma or end' : undefined
  }
  if (expected === 'name' || expected === 'name or end') return token.startsWith('"') ? 'colon' : undefined
  if (expected !== 'value' && expected !== 'value or end') return undefined
  if (token !== '{' && token !== '[') return 'comma or end'
  open.push(token)
  return token === '{' ? 'name or end' : 'value or end'
}

/** Deeper levels are not indented further, or indentation would be most of a deeply nested text. */
const MAX_INDENT = 40

/** Adds line breaks to JSON text. It works on the text because parsing would round large integers. */
export function breakLines(json: string): string {
  let depth = 0
  let text = ''
  let last = ''
  for (let start = 0, end = 0; start < json.length; start = end) {
    end = json[start] === '"' ? endOfString(json, start) : start + 1
    const token = json.slice(start, end)
    if (' \t\r\n'.includes(token)) continue
    const isEnd = token === '}' || token === ']'
    if (isEnd) depth--
    const isEmpty = isEnd && (last === '{' || last === '[')
    if (last === ',' || last === '{' || last === '[' ? !isEmpty : isEnd) {
      text += `\n${'  '.repeat(Math.min(depth, MAX_INDENT))}`
    }
    text += token === ':' ? ': ' : token
    if (token === '{' || token === '[') depth++
    last = token
  }
  return text
}
