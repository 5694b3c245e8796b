import type { RecordedExchange } from '../../engine/log/reproduction.js'
import { leftOut, readExactBigJson, secretRemark, splitHeaders } from './exchange.js'
import { type MockName, quoteText, toBytesCode, toComment, toLiteral, toObjectCode } from './literal.js'

/** Headers that belong to the recorded response alone, or that the mock sets itself. */
const OWN_HEADERS =
  /^(?:content-length|content-type|date|connection|keep-alive|vary|x-petstore-.*|access-control-.*|link|deprecation|sunset|x-stability|preference-applied)$/

/** An override with another media type is a raw one. */
const PLAIN_JSON = /^application\/json\s*(?:;|$)/i

interface RecordedOverride {
  readonly operation: string
  readonly response: {
    readonly status: number
    readonly headers?: Readonly<Record<string, string>>
    /** Base64 if the recorded body is. */
    readonly body?: unknown
  }
  readonly options: { readonly raw?: true; readonly unchecked?: true }
  /** The names of the headers that are left out, because they are secrets. */
  readonly hidden: readonly string[]
}

/** An override that returns a recorded response, or undefined if there cannot be one. */
export function toRecordedOverride(exchange: RecordedExchange): RecordedOverride | undefined {
  const { operation, request, response, fault, override } = exchange
  if (operation === undefined || response === undefined || findObstacle(exchange) !== undefined) return undefined
  const { status, headers, body, isBase64 } = response
  const value = body === undefined || isBase64 ? undefined : readExactBigJson(body)
  const type = headers['content-type']
  const isRaw = body !== undefined && (value === undefined || (type !== undefined && !PLAIN_JSON.test(type)))
  const { known, hidden } = splitHeaders(headers, OWN_HEADERS)
  const all = { ...(isRaw && type !== undefined && { 'content-type': type }), ...Object.fromEntries(known) }
  // A fault, an override or a request for the headers alone may have a response that the contract does not have.
  const isUnchecked = !isRaw && (fault !== undefined || override !== undefined || request.method === 'HEAD')
  return {
    operation,
    response: {
      status,
      ...(Object.keys(all).length > 0 && { headers: all }),
      // A raw override sends text as it is: a text in JSON needs its quotes.
      ...(body !== undefined && { body: isRaw && Object(value) !== value ? body : value }),
    },
    options: { ...(isRaw && { raw: true }), ...(isUnchecked && { unchecked: true }) },
    hidden,
  }
}

/** Why no override returns a recorded response, in the words that follow "because". */
function findObstacle({ operation, response }: RecordedExchange): string | undefined {
  if (operation === undefined) return 'no operation received it'
  if (response === undefined || response.status < 200) return 'it has no response'
  return response.cut ? 'its response was too long to record' : undefined
}

/** A line for each response. An operation with several returns them one after the other, and then the last one. */
export function toOverrides(mock: MockName, exchanges: readonly RecordedExchange[]): string {
  const lines: string[] = []
  const byOperation = new Map<string, RecordedExchange[]>()
  for (const exchange of exchanges) {
    const obstacle = findObstacle(exchange)
    if (obstacle !== undefined) lines.push(leftOut(exchange, obstacle))
    else {
      const operation = exchange.operation as string
      byOperation.set(operation, [...(byOperation.get(operation) ?? []), exchange])
    }
  }
  for (const each of byOperation.values()) {
    if (each.length > 1) lines.push(toComment('The newest override decides, so the first response comes last.'))
    const last = each.at(-1)
    for (const exchange of each.toReversed())
      lines.push(...toOverrideLines(mock, exchange, exchange === last ? {} : { times: 1 }))
  }
  return lines.join('\n')
}

/** The statement, with comments about what it leaves out. `options` are more options of the override. */
export function toOverrideLines(
  mock: MockName,
  exchange: RecordedExchange,
  options: { readonly times?: number },
  indent = '',
): string[] {
  const override = toRecordedOverride(exchange)
  if (override === undefined) return []
  const { status, headers, body } = override.response
  const inner = `${indent}  `
  const response = toObjectCode(
    {
      status: String(status),
      headers: headers && toLiteral(headers, inner),
      body:
        body === undefined
          ? undefined
          : exchange.response?.isBase64
            ? toBytesCode(String(body))
            : toLiteral(body, inner),
    },
    indent,
  )
  const all = { ...options, ...override.options }
  return [
    ...override.hidden.map((name) => secretRemark(`header ${name}`)),
    toOverrideCall(mock, override.operation, response, all, indent),
  ]
}

/** `response` is code. */
export function toOverrideCall(
  mock: MockName,
  operation: string,
  response: string,
  options: object,
  indent: string,
): string {
  const more = Object.keys(options).length > 0 ? [toLiteral(options, indent)] : []
  return `${mock}.override(${[quoteText(operation), response, ...more].join(', ')})`
}
