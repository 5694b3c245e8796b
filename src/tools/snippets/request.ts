import type { RecordedExchange, RecordedRequest } from '../../engine/log/reproduction.js'
import { isVisible, toBase64 } from '../../lib/text.js'
import {
  type Client,
  findObstacle,
  leftOut,
  readExactJson,
  remarksOn,
  splitHeaders,
  targetOf,
  toText,
} from './exchange.js'
import { quoteText, toBytesCode, toLiteral, toObjectCode } from './literal.js'

/** `base` is the address of the API. */
export function toCurl(base: string, exchange: RecordedExchange): string {
  return withRemarks(exchange, 'curl', '#', toCommand(base, exchange.request))
}

/** `base` is the address of the API, `name` the variable for the response. */
export function toFetch(base: string, exchange: RecordedExchange, name = 'response'): string {
  return withRemarks(
    exchange,
    'fetch',
    '//',
    `const ${name} = await fetch(${toFetchArguments(base, exchange.request)})`,
  )
}

function withRemarks(exchange: RecordedExchange, client: Client, mark: string, code: string): string {
  const obstacle = findObstacle(exchange, client)
  return obstacle === undefined ? [...remarksOn(exchange, mark), code].join('\n') : leftOut(exchange, obstacle, mark)
}

function toCommand(base: string, request: RecordedRequest): string {
  const { method, headers, body } = request
  const bytes = toPipedBytes(request)
  const verb = method === 'HEAD' ? '--head' : `-X ${quoteForShell(method)}`
  const parts = [
    `curl ${verb} --globoff --path-as-is ${quoteForShell(base + targetOf(request))}`,
    // curl's notation for a header with an empty value is a semicolon.
    ...splitHeaders(headers).known.map(
      ([name, value]) => `-H ${quoteForShell(value === '' ? `${name};` : `${name}: ${toText(value)}`)}`,
    ),
    // Otherwise curl sends that of a form.
    ...(body !== undefined && headers['content-type'] === undefined ? ['-H content-type:'] : []),
    ...(bytes !== undefined ? ['--data-binary @-'] : body === undefined ? [] : [`--data-raw ${quoteForShell(body)}`]),
  ]
  const command = parts.join(' \\\n  ')
  return bytes === undefined ? command : `printf %s ${quoteForShell(bytes)} | base64 -d | ${command}`
}

/** The body as Base64, if a shell cannot pass its characters on or a terminal cannot show them. */
function toPipedBytes({ body, isBase64 }: RecordedRequest): string | undefined {
  if (body === undefined || isBase64) return body
  return isVisible(body) ? undefined : toBase64(new TextEncoder().encode(body))
}

/** Quotes text as a single word for a POSIX shell. */
export function quoteForShell(text: string): string {
  return /^[A-Za-z0-9_./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}

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
