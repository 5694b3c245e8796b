const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g

/** Breaks JSON into lines by its text alone: to parse it would round the ids that a number cannot hold. */
export function breakLines(json: string): string {
  let depth = 0
  let text = ''
  let last = ''
  const breakLine = () => {
    text += `\n${'  '.repeat(depth)}`
  }
  for (const [token] of json.matchAll(TOKEN)) {
    const isEnd = token === '}' || token === ']'
    if (isEnd) depth--
    const isEmpty = isEnd && (last === '{' || last === '[')
    if (last === ',' || last === '{' || last === '[' ? !isEmpty : isEnd) breakLine()
    text += token === ':' ? ': ' : token
    if (token === '{' || token === '[') depth++
    last = token
  }
  return text
}
