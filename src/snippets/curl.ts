import type { RecordedExchange, RecordedRequest } from '../engine/reproduction/reproduction.js'
import { toBase64 } from '../lib/base64.js'
import { findObstacle, remarksOn, splitHeaders, targetOf, titleOf, toText } from './exchange.js'
import { isVisible, toCommentText } from './literal.js'

/** `base` is the address of the API. */
export function toCurl(base: string, exchange: RecordedExchange): string {
  const obstacle = findObstacle(exchange, 'curl')
  if (obstacle !== undefined) return toComment(`${titleOf(exchange)} is left out, because ${obstacle}.`)
  return [...remarksOn(exchange).map(toComment), toCommand(base, exchange.request)].join('\n')
}

const toComment = (text: string) => `# ${toCommentText(text)}`

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
