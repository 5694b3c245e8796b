/** The index at which a text stops being JSON. `JSON.parse` reports it only for some mistakes, depending on Node. */
export function findJsonError(text: string): number {
  const open: ('{' | '[')[] = []
  let expected: Expected = 'value'
  let index = 0
  for (;;) {
    WHITESPACE.lastIndex = index
    WHITESPACE.test(text)
    index = WHITESPACE.lastIndex
    TOKEN.lastIndex = index
    const token = TOKEN.exec(text)?.[0]
    const next: Expected | undefined = token === undefined ? undefined : step(expected, token, open)
    if (token === undefined || next === undefined) return index
    expected = next
    index += token.length
  }
}

type Expected = 'value' | 'value or end' | 'name' | 'name or end' | 'colon' | 'comma or end'

const WHITESPACE = /[ \t\r\n]*/y

/** The pattern for strings is unrolled, so that long strings neither recurse nor backtrack. */
const TOKEN = new RegExp(
  [
    '[{}[\\],:]|true|false|null',
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
