/**
 * Reads the plain YAML that this project's documents are written in, so that a document is carried once and both its
 * spellings are served. What it knows: maps and lists by indentation, lists of plain values in brackets, quoted and
 * plain values of one line, text blocks (`|`, `>-`), and lines that are a comment. `npm run generate` refuses a
 * document that it reads wrongly.
 */
export function parseYaml(text: string): unknown {
  const lines = text.split('\n').map(toLine)
  let at = 0

  /** The next line with content, if it is indented at least so far. */
  function peek(indent: number): Line | undefined {
    while (/^(?:#|$)/.test(lines[at]?.content ?? '-')) at++
    const line = lines[at]
    return line && line.indent >= indent ? line : undefined
  }

  function readNode(indent: number): unknown {
    const line = peek(indent)
    if (line === undefined) return null
    return isItem(line) ? readList(line.indent) : readMap(line.indent)
  }

  function readList(indent: number): unknown[] {
    const list: unknown[] = []
    for (let line = peek(indent); line?.indent === indent && isItem(line); line = peek(indent)) {
      const content = line.content.slice(2)
      if (ENTRY.test(content)) {
        // `- key: value` begins a map whose other keys stand below that first one.
        lines[at] = { indent: indent + 2, content }
        list.push(readMap(indent + 2))
      } else {
        at++
        list.push(readScalar(content))
      }
    }
    return list
  }

  function readMap(indent: number): Record<string, unknown> {
    const map: Record<string, unknown> = {}
    for (let line = peek(indent); line?.indent === indent && !isItem(line); line = peek(indent)) {
      const [, key = '', value = ''] = ENTRY.exec(line.content) ?? []
      at++
      map[unquote(key)] = readValue(value, indent)
    }
    return map
  }

  function readValue(value: string, indent: number): unknown {
    if (value === '|') return `${readBlock(indent).join('\n')}\n`
    if (value === '>-') return readBlock(indent).join(' ')
    if (value !== '') return readScalar(value)
    const next = peek(indent)
    // A list may stand as far to the left as its key.
    return readNode(next && isItem(next) ? indent : indent + 1)
  }

  function readBlock(indent: number): string[] {
    const block: Line[] = []
    for (let line = lines[at]; line && (line.content === '' || line.indent > indent); line = lines[++at])
      block.push(line)
    while (block.at(-1)?.content === '') block.pop()
    const margin = block[0]?.indent ?? 0
    return block.map((line) => (line.content === '' ? '' : ' '.repeat(line.indent - margin) + line.content))
  }

  return readNode(0)
}

interface Line {
  readonly indent: number
  readonly content: string
}

/** A key, and the value behind it, if there is one on the line. */
const ENTRY = /^('[^']*'|[^\s'"[{][^:]*):(?: (.*))?$/

function toLine(text: string): Line {
  const content = text.trimStart()
  return { indent: text.length - content.length, content }
}

function isItem({ content }: Line): boolean {
  return content.startsWith('- ')
}

function readScalar(text: string): unknown {
  if (text === '{}') return {}
  if (text === '[]') return []
  if (text.startsWith('[')) return text.slice(1, -1).split(', ').map(readScalar)
  if (text === 'true' || text === 'false') return text === 'true'
  return /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : unquote(text)
}

function unquote(text: string): string {
  return text.startsWith("'") ? text.slice(1, -1).replaceAll("''", "'") : text
}
