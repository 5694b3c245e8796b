import { type IncomingHttpHeaders, type OutgoingHttpHeaders, type ServerResponse, validateHeaderValue } from 'node:http'
import { constants, Http2ServerRequest, Http2ServerResponse } from 'node:http2'
import { apiError } from '../../../engine/contract/errors.js'
import type { PlainResponse } from '../../../engine/contract/messages.js'
import type { Carrier } from '../carrier.js'
import type { HttpVersion } from '../exchange.js'
import { type CheckFraming, checkHeaderCount } from '../read-request.js'

/** A request with the headers that it would have in HTTP/1.1. */
export class StreamRequest extends Http2ServerRequest {
  readonly #headers = toHeaders(this.rawHeaders)

  // @ts-expect-error Declared as a property, but Node defines it with a getter, too.
  override get headers(): IncomingHttpHeaders {
    return this.#headers
  }

  get hasBody(): boolean {
    return !this.stream.endAfterHeaders
  }
}

function toHeaders(raw: readonly string[]): IncomingHttpHeaders {
  const headers: Record<string, string | undefined> = Object.create(null)
  const add = (name: string, value: string) => {
    const earlier = headers[name]
    headers[name] = earlier === undefined ? value : `${earlier}${name === 'cookie' ? '; ' : ', '}${value}`
  }
  let authority: string | undefined
  for (let at = 0; at < raw.length; at += 2) {
    const [name = '', value = ''] = [raw[at], raw[at + 1]]
    if (name === ':authority') authority = value
    else if (!name.startsWith(':')) add(name, value)
  }
  // If the two differ, the result is not a valid host, and the request is rejected.
  if (authority !== undefined && headers.host?.toLowerCase() !== authority.toLowerCase()) add('host', authority)
  return headers
}

type GivenHeaders = PlainResponse['headers'] | readonly string[]

/** Leaves out the headers that HTTP/2 forbids. */
export class StreamResponse extends Http2ServerResponse<StreamRequest> {
  #isBrokenOff = false

  /** Whether the client has reset the stream, even after the response was sent. */
  get wasReset(): boolean {
    return this.stream.rstCode !== constants.NGHTTP2_NO_ERROR && !this.#isBrokenOff
  }

  /** Closes the stream. The other streams of the connection go on. */
  breakOff(code: number): void {
    this.#isBrokenOff = true
    this.stream.close(code)
  }

  // @ts-expect-error Declared as a property, but missing.
  override get destroyed(): boolean {
    return this.stream.destroyed
  }

  override writeHead(status: number, headers: unknown): this {
    return super.writeHead(status, toAllowed(headers as GivenHeaders))
  }

  // @ts-expect-error Declared as a property. Node's own setter prints a warning.
  override set statusMessage(_message: '') {}
}

function toAllowed(headers: GivenHeaders): OutgoingHttpHeaders {
  const allowed: Record<string, string | string[]> = {}
  const add = (name: string, value: string) => {
    if (FORBIDDEN.has(name.toLowerCase())) return
    // Without this check, Node would send invalid values.
    validateHeaderValue(name, value)
    const earlier = allowed[name]
    allowed[name] = earlier === undefined ? value : [earlier, value].flat()
  }
  if (isList(headers)) for (let at = 0; at < headers.length; at += 2) add(headers[at] ?? '', headers[at + 1] ?? '')
  else for (const name in headers) add(name, headers[name] ?? '')
  return allowed
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

/** Each header counts with its name and its value, as in HTTP/1.1. */
const checkFraming: CheckFraming = ({ rawHeaders, headers }, { maxHeaders, maxHeaderBytes }) => {
  checkHeaderCount(Object.keys(headers).length, maxHeaders)
  const size = rawHeaders.reduce((sum, text) => sum + text.length, 0)
  if (size <= maxHeaderBytes) return
  throw apiError('HEADERS_TOO_LARGE', `The request line and headers exceed ${maxHeaderBytes} bytes.`)
}

const toStreamResponse = (response: ServerResponse) => response as unknown as StreamResponse

const breakOff = (response: ServerResponse) => toStreamResponse(response).breakOff(constants.NGHTTP2_INTERNAL_ERROR)

const streamCarrier: Carrier = {
  sendWhole: (response, body) => void response.end(body),
  reset: breakOff,
  breakOff,
  limitIdleTime(response, idleTimeoutMs) {
    const { stream } = toStreamResponse(response)
    stream.setTimeout(idleTimeoutMs, () => toStreamResponse(response).breakOff(constants.NGHTTP2_CANCEL))
  },
  // A client that stops waiting closes the stream.
  onClientEnd: () => () => {},
}

export const HTTP_2: HttpVersion = { checkFraming, carrier: streamCarrier }
