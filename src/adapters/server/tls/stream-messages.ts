import { type OutgoingHttpHeaders, type ServerResponse, validateHeaderValue } from 'node:http'
import {
  constants,
  Http2ServerRequest,
  Http2ServerResponse,
  type IncomingHttpHeaders,
  type ServerHttp2Stream,
} from 'node:http2'
import { apiError } from '../../../http/errors.js'
import type { PlainResponse } from '../../../http/messages.js'
import type { Carrier } from '../carrier.js'
import type { HttpVersion } from '../exchange.js'
import { type CheckFraming, checkHeaderCount, headersTooLarge } from '../read-request.js'
import type { RequestQueue } from './request-queue.js'

/** A request with the headers that it would have in HTTP/1.1. */
export class StreamRequest extends Http2ServerRequest {
  override readonly headers: IncomingHttpHeaders
  readonly hasBody = !this.stream.endAfterHeaders
  /** How often the timeout of its body was restarted. */
  restarts = 0

  constructor(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, rawHeaders: string[]) {
    super(stream, headers, {}, rawHeaders)
    this.headers = toHeaders(headers)
  }
}

function toHeaders(received: IncomingHttpHeaders): IncomingHttpHeaders {
  const { ':authority': authority, ':method': _, ':path': __, ':scheme': ___, host, ...headers } = received
  if (authority === undefined || host?.toLowerCase() === authority.toLowerCase()) return { ...headers, host }
  // If the two differ, the result is not a valid host, and the request is rejected.
  return { ...headers, host: host === undefined ? authority : `${host}, ${authority}` }
}

type GivenHeaders = PlainResponse['headers'] | readonly string[]

export class StreamResponse extends Http2ServerResponse<StreamRequest> {
  #isBrokenOff = false
  /** HTTP/2 has none, and Node's own setter prints a warning. */
  override statusMessage: '' = ''

  constructor(
    stream: ServerHttp2Stream,
    readonly queue: RequestQueue,
  ) {
    super(stream)
  }

  /** Whether the client has reset the stream, even after the response was sent. Its code may be that of no error. */
  get wasReset(): boolean {
    const { rstCode, aborted, writableFinished } = this.stream
    return (rstCode !== constants.NGHTTP2_NO_ERROR || aborted || !writableFinished) && !this.#isBrokenOff
  }

  // @ts-expect-error Declared as a property, but missing.
  override get destroyed(): boolean {
    return this.stream.destroyed || this.stream.closed
  }

  override writeHead(status: number, headers: unknown): this {
    return super.writeHead(status, toSentHeaders(headers as GivenHeaders))
  }

  /** Breaks off with INTERNAL_ERROR. The other streams of the connection go on. */
  override destroy(): this {
    this.#isBrokenOff = true
    // Not `close`, which would end the response first, so that a part of it would seem to be the whole.
    return super.destroy(new Error('The response was broken off.'))
  }
}

/** Without the headers that HTTP/2 forbids. */
function toSentHeaders(headers: GivenHeaders): OutgoingHttpHeaders {
  const sent: Record<string, string | string[]> = Object.create(null)
  const add = (name: string, value: string) => {
    if (FORBIDDEN.has(name.toLowerCase())) return
    // Without this check, Node would send invalid values.
    validateHeaderValue(name, value)
    const earlier = sent[name]
    sent[name] = earlier === undefined ? value : [earlier, value].flat()
  }
  if (isList(headers)) for (let at = 0; at < headers.length; at += 2) add(headers[at] ?? '', headers[at + 1] ?? '')
  else for (const name in headers) add(name, headers[name] ?? '')
  return sent
}

const isList = (headers: GivenHeaders): headers is readonly string[] => Array.isArray(headers)

/** RFC 9113, section 8.2.2. */
const FORBIDDEN = new Set([
  'connection',
  'http2-settings',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
])

const checkFraming: CheckFraming = ({ method, url = '', scheme = '', rawHeaders }, { maxHeaders, maxHeaderBytes }) => {
  let [count, size, hasCookie] = [0, 0, false]
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = [rawHeaders[at], rawHeaders[at + 1]]
    // Each header counts with its name and its value, as in HTTP/1.1.
    size += name.length + value.length
    // HTTP/2 clients may send each cookie in a header of its own.
    if (name.startsWith(':') || (hasCookie && name === 'cookie')) continue
    count += 1
    hasCookie ||= name === 'cookie'
  }
  checkHeaderCount(count, maxHeaders)
  if (size > maxHeaderBytes) throw headersTooLarge(maxHeaderBytes)
  // The library below Node checks the path of these schemes only.
  if (scheme !== 'http' && scheme !== 'https') throw apiError('BAD_REQUEST', 'The :scheme must be http or https.')
  if (!url.startsWith('/') && !(url === '*' && method === 'OPTIONS')) {
    throw apiError('BAD_REQUEST', 'The :path must start with a slash.')
  }
}

const breakOff = (response: ServerResponse) => void response.destroy()

const streamCarrier: Carrier = {
  sendWhole: (response, body) => void response.end(body),
  reset: breakOff,
  breakOff,
  limitIdleTime(response, idleTimeoutMs) {
    const { stream } = response as unknown as StreamResponse
    const expire = () => breakOff(response)
    stream.setTimeout(idleTimeoutMs, expire)
    return () => stream.setTimeout(0, expire)
  },
  // A client that stops waiting closes the stream.
  onClientEnd: () => () => {},
  onUnread: (response, change) => toStreamResponse(response).queue.addUnread(change),
  takeTurn: (response) => toStreamResponse(response).queue.takeTurn(response),
}

const toStreamResponse = (response: ServerResponse) => response as unknown as StreamResponse

export const HTTP_2: HttpVersion = { checkFraming, carrier: streamCarrier }
