/** Where a text stops being JSON. `JSON.parse` tells it for some mistakes only, and not the same on every Node. */
export function findJsonError(text: string): number {
  const open: ('{' | '[')[] = []
  let expected: Expected = 'value'
  let index = 0
  for (;;) {
    BLANKS.lastIndex = index
    BLANKS.test(text)
    index = BLANKS.lastIndex
    TOKEN.lastIndex = index
    const token = TOKEN.exec(text)?.[0]
    const next: Expected | undefined = token === undefined ? undefined : step(expected, token, open)
    if (token === undefined || next === undefined) return index
    expected = next
    index += token.length
  }
}

type Expected = 'value' | 'value or end' | 'name' | 'name or end' | 'colon' | 'comma or end'

const BLANKS = /[ \t\r\n]*/y

/** The string's pattern is unrolled, so that a long one neither recurses nor is tried in more than one way. */
const TOKEN = new RegExp(
  [
    '[{}[\\],:]|true|false|null',
    '"[^"\\\\\\u0000-\\u001f]*(?:\\\\(?:["\\\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\\\\u0000-\\u001f]*)*"',
    '-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?(?:[eE][-+]?[0-9]+)?',
  ].join('|'),
  'y',
)

/** What may follow this token, or nothing where the token itself may not stand here. */
function step(expected: Expected, token: string, open: ('{' | '[')[]): Expected | undefined {
  switch (token) {
    case ':':
      return expected === 'colon' ? 'value' : undefined
    case ',':
      if (expected !== 'comma or end' || open.length === 0) return undefined
      return open.at(-1) === '{' ? 'name' : 'value'
    case ']':
      return close(open, '[', expected === 'comma or end' || expected === 'value or end')
    case '}':
      return close(open, '{', expected === 'comma or end' || expected === 'name or end')
    default:
      return value(expected, token, open)
  }
}

function close(open: ('{' | '[')[], kind: '{' | '[', expected: boolean): Expected | undefined {
  return expected && open.pop() === kind ? 'comma or end' : undefined
}

function value(expected: Expected, token: string, open: ('{' | '[')[]): Expected | undefined {
  if (expected === 'name' || expected === 'name or end') return token.startsWith('"') ? 'colon' : undefined
  if (expected !== 'value' && expected !== 'value or end') return undefined
  if (token !== '{' && token !== '[') return 'comma or end'
  open.push(token)
  return token === '{' ? 'name or end' : 'value or end'
}
