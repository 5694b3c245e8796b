import { endOfString } from './json.js'

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
