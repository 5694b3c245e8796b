import { type OutgoingHttpHeaders, type ServerResponse, validateHeaderValue } from 'node:http'
import { constants, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2'
import { apiError } from '../../../engine/contract/errors.js'
import type { PlainResponse } from '../../../engine/contract/messages.js'
import { machineDate } from '../../../lib/clock.js'
import { setMember } from '../../../lib/set-member.js'
import type { Carrier } from '../carrier.js'
import type { HttpVersion } from '../exchange.js'
import { type CheckFraming, checkHeaderCount, headersTooLarge } from '../read-request.js'
import type { RequestQueue } from './request-queue.js'

type Headers = Record<string, string | undefined>

/** What the server uses of Node's IncomingMessage, for a stream. Node's own Http2ServerRequest makes each request slower. */
export class StreamRequest {
  readonly httpVersion = '2.0'
  readonly method: string
  readonly url: string
  readonly scheme: string | undefined
  /** As they would be in HTTP/1.1. */
  readonly headers: Headers
  readonly hasBody: boolean
  /** How often the timeout of its body was restarted. */
  restarts = 0

  constructor(
    readonly stream: ServerHttp2Stream,
    pseudoHeaders: IncomingHttpHeaders,
    readonly rawHeaders: readonly string[],
  ) {
    this.method = pseudoHeaders[':method'] ?? ''
    this.url = pseudoHeaders[':path'] ?? ''
    this.scheme = pseudoHeaders[':scheme']
    this.headers = toHeaders(rawHeaders)
    this.hasBody = !stream.endAfterHeaders
  }

  /** Whether the whole body has arrived. */
  get complete(): boolean {
    return this.stream.readableEnded && !this.stream.aborted
  }

  on(event: 'data' | 'end', listener: (chunk: Buffer) => void): this {
    // A stream that was reset ends, too.
    this.stream.on(event, (chunk) => (event === 'data' || this.complete) && listener(chunk))
    return this
  }

  removeAllListeners(event: string): this {
    this.stream.removeAllListeners(event)
    return this
  }

  pause(): this {
    this.stream.pause()
    return this
  }
}

function toHeaders(raw: readonly string[]): Headers {
  const headers: Headers = Object.create(null)
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

/** What the server uses of Node's ServerResponse, for a stream. */
export class StreamResponse {
  #isBrokenOff = false
  /** HTTP/2 has none. */
  statusMessage = ''

  constructor(
    readonly stream: ServerHttp2Stream,
    readonly queue: RequestQueue,
  ) {}

  /** Whether the client has reset the stream, even after the response was sent. Its code may be that of no error. */
  get wasReset(): boolean {
    const { rstCode, aborted, writableFinished } = this.stream
    return (rstCode !== constants.NGHTTP2_NO_ERROR || aborted || !writableFinished) && !this.#isBrokenOff
  }

  get destroyed(): boolean {
    return this.stream.destroyed || this.stream.closed
  }

  get headersSent(): boolean {
    return this.stream.headersSent
  }

  get writableLength(): number {
    return this.stream.writableLength
  }

  writeContinue(): void {
    if (!this.destroyed) this.stream.additionalHeaders({ ':status': constants.HTTP_STATUS_CONTINUE })
  }

  writeHead(status: number, headers: GivenHeaders): void {
    this.stream.respond(toSentHeaders(status, headers))
  }

  write(chunk: string | Uint8Array, written?: () => void): boolean {
    if (this.#hasBody) return this.stream.write(chunk, written)
    if (written) process.nextTick(written)
    return true
  }

  end(body?: string | Uint8Array): void {
    if (this.#hasBody) this.stream.end(body)
  }

  /** Node ends the stream with the head of a response that cannot have a body, for example of one to HEAD. */
  get #hasBody(): boolean {
    return !this.stream.writableEnded
  }

  /** Breaks off with INTERNAL_ERROR. The other streams of the connection go on. */
  destroy(): void {
    this.#isBrokenOff = true
    // Not `close`, which would end the response first, so that a part of it would seem to be the whole.
    this.stream.destroy(new Error('The response was broken off.'))
  }

  on(event: string, listener: () => void): this {
    this.stream.on(event, listener)
    return this
  }

  once(event: string, listener: () => void): this {
    this.stream.once(event, listener)
    return this
  }

  off(event: string, listener: () => void): this {
    this.stream.off(event, listener)
    return this
  }
}

/** In lower case, and without the headers that HTTP/2 forbids. */
function toSentHeaders(status: number, headers: GivenHeaders): OutgoingHttpHeaders {
  const sent: Record<string, string | string[]> = { ':status': String(status) }
  const add = (givenName: string, value: string) => {
    const name = givenName.toLowerCase()
    if (FORBIDDEN.has(name)) return
    // Without this check, Node would send invalid values.
    validateHeaderValue(name, value)
    // An object without a prototype would be slower.
    const earlier = Object.hasOwn(sent, name) ? sent[name] : undefined
    setMember(sent, name, earlier === undefined ? value : [earlier, value].flat())
  }
  if (isList(headers)) for (let at = 0; at < headers.length; at += 2) add(headers[at] ?? '', headers[at + 1] ?? '')
  else for (const name in headers) add(name, headers[name] ?? '')
  // Node would add it, too, but then a response takes a tenth longer.
  sent.date ??= currentDate()
  return sent
}

let second = 0
let date = ''

/** The machine's date, as HTTP writes it. */
function currentDate(): string {
  const now = Math.floor(machineDate.now() / 1000)
  if (now !== second) {
    second = now
    date = new Date(now * 1000).toUTCString()
  }
  return date
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
  onUnread: (response, change) => queueOf(response).addUnread(change),
  takeTurn: (response) => queueOf(response).takeTurn(response),
}

const queueOf = (response: ServerResponse) => (response as unknown as StreamResponse).queue

export const HTTP_2: HttpVersion = { checkFraming, carrier: streamCarrier }
