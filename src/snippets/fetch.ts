import type { RecordedExchange, RecordedRequest } from '../engine/reproduction/reproduction.js'
import { findObstacle, readExactJson, remarksOn, splitHeaders, targetOf, titleOf } from './exchange.js'
import { quoteText, toCommentText, toLiteral, toObjectCode } from './literal.js'

/** `base` is the address of the API, `name` the variable for the response. */
export function toFetch(base: string, exchange: RecordedExchange, name = 'response'): string {
  const obstacle = findObstacle(exchange, 'fetch')
  if (obstacle !== undefined) return toComment(`${titleOf(exchange)} is left out, because ${obstacle}.`)
  const call = `const ${name} = await fetch(${toFetchArguments(base, exchange.request)})`
  return [...remarksOn(exchange).map(toComment), call].join('\n')
}

export const toComment = (text: string) => `// ${toCommentText(text)}`

/** The arguments of fetch. `more` are further members of the second one, as code. */
export function toFetchArguments(
  base: string,
  request: RecordedRequest,
  indent = '',
  more: Readonly<Record<string, string>> = {},
): string {
  const { method, headers } = request
  const { known } = splitHeaders(headers)
  const inner = `${indent}  `
  const init = {
    method: method === 'GET' ? undefined : quoteText(method),
    headers: known.length === 0 ? undefined : toLiteral(Object.fromEntries(known), inner),
    body: toBody(request, inner),
    ...more,
  }
  const url = quoteText(base + targetOf(request))
  const isPlain = Object.values(init).every((code) => code === undefined)
  return isPlain ? url : `${url}, ${toObjectCode(init, indent)}`
}

/** As bytes if there is no content type: with a string, `fetch` would send one. */
function toBody({ headers, body, isBase64 }: RecordedRequest, indent: string): string | undefined {
  if (body === undefined) return undefined
  if (isBase64) return toBytesCode(body)
  if (headers['content-type'] === undefined) return `new TextEncoder().encode(${quoteText(body)})`
  const value = readExactJson(body)
  return value === undefined ? quoteText(body) : `JSON.stringify(${toLiteral(value, indent)})`
}

/** Bytes from Base64. */
export function toBytesCode(base64: string): string {
  return `Uint8Array.from(atob(${quoteText(base64)}), (character) => character.charCodeAt(0))`
}
