import http, { type ClientRequest, type IncomingMessage } from 'node:http'
import https from 'node:https'
import { addAbortSignal } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import {
  type Forward,
  UpstreamFailure,
  type UpstreamRequest,
  type UpstreamResponse,
} from '../../engine/pipeline/upstream.js'
import type { ResponseDraft } from '../../http/messages.js'
import { isSafeMethod } from '../../http/methods.js'
import { explainConnectionError } from '../../lib/environment.js'

const DECODERS = new Map([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
])

/** Removes the content coding of a response, which a service should not use: it was not asked for. An unknown one stays. */
export async function decode(
  response: UpstreamResponse & { readonly body: Buffer },
  maxBytes: number,
  signal: AbortSignal,
): Promise<UpstreamResponse> {
  const coding = response.headers
    .find(([name]) => name.toLowerCase() === 'content-encoding')?.[1]
    .trim()
    .toLowerCase()
  const createDecoder = DECODERS.get(coding ?? '')
  if (createDecoder === undefined || response.body.length === 0) return response
  const headers = response.headers.filter(([name]) => name.toLowerCase() !== 'content-encoding')
  const decodeBody = async (): Promise<Buffer> => {
    signal.throwIfAborted()
    const decoder = addAbortSignal(signal, createDecoder())
    decoder.end(response.body)
    const chunks: Buffer[] = []
    let size = 0
    for await (const chunk of decoder as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      size += chunk.length
      if (size > maxBytes) throw new RangeError()
    }
    return Buffer.concat(chunks, size)
  }
  try {
    return { ...response, headers, body: await inTurn(decodeBody) }
  } catch {
    throw new UpstreamFailure(
      'unreachable',
      `returned a body that is not ${coding}, or is longer than ${maxBytes} bytes`,
    )
  }
}

let last: Promise<unknown> = Promise.resolve()

/** One after the other: a few bytes can become very many, and only those of one response are in memory. */
function inTurn<T>(task: () => Promise<T>): Promise<T> {
  const done = last.then(task)
  last = done.catch(() => {})
  return done
}

// Saved when this module is loaded: a mock that intercepts requests replaces them, and must not get its own.
const SEND = { 'http:': http.request, 'https:': https.request }

const MAX_HEADER_BYTES = 65_536

/** Of one response. It is in memory until it is complete. */
const MAX_BODY_BYTES = 16 * 1_048_576

/** Of all responses that are not complete. */
const MAX_HELD_BYTES = 8 * MAX_BODY_BYTES

const CLIENT_GONE = 'the client has disconnected'

/** So many connections stay open while nothing is sent. */
const MAX_IDLE_CONNECTIONS = 64

interface ForwardOptions {
  readonly url: URL
  /** The certificates to trust. Default: those that Node trusts. */
  readonly ca: string[] | undefined
  readonly timeoutMs: number
}

/** Sends requests to the host of one URL, and to no other: redirects are returned. */
export function createForward({ url, ca, timeoutMs }: ForwardOptions): Forward {
  const { Agent } = url.protocol === 'https:' ? https : http
  const trust = ca && { ca }
  const agents = {
    reading: new Agent({ ...trust, keepAlive: true, maxFreeSockets: MAX_IDLE_CONNECTIONS }),
    // The service may close an idle connection just when it is used again, and a write must not be sent twice.
    writing: new Agent({ ...trust, keepAlive: false }),
  }
  const address = { protocol: url.protocol, hostname: url.hostname.replaceAll(/^\[|\]$/g, ''), port: url.port }
  let heldBytes = 0

  function open({ method, target, headers }: UpstreamRequest): ClientRequest {
    return SEND[url.protocol as keyof typeof SEND]({
      ...address,
      method,
      path: target,
      headers,
      agent: isSafeMethod(method) ? agents.reading : agents.writing,
      maxHeaderSize: MAX_HEADER_BYTES,
    })
  }

  function attempt(
    sent: UpstreamRequest,
    signal: AbortSignal | undefined,
    mayRetry: boolean,
  ): Promise<UpstreamResponse> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(new UpstreamFailure('aborted', CLIENT_GONE))
      const outgoing = open(sent)
      let hasResponse = false
      let isSettled = false
      let size = 0
      const over = new AbortController()
      const timer = setTimeout(() => fail('timeout', `did not respond within ${timeoutMs} ms`), timeoutMs)
      const abort = () => fail('aborted', CLIENT_GONE)
      const settle = () => {
        isSettled = true
        heldBytes -= size
        size = 0
        clearTimeout(timer)
        signal?.removeEventListener('abort', abort)
      }
      function fail(kind: UpstreamFailure['kind'], reason: string): void {
        settle()
        over.abort()
        // Otherwise Deno sends it again over another connection: https://github.com/denoland/deno/issues/36786
        outgoing.reusedSocket = false
        outgoing.destroy()
        reject(new UpstreamFailure(kind, reason))
      }
      signal?.addEventListener('abort', abort)
      outgoing.on('error', (error: NodeJS.ErrnoException) => {
        // Destroying the request causes one more error, which looks like that of a stale connection.
        if (isSettled) return
        if (mayRetry && outgoing.reusedSocket && error.code === 'ECONNRESET' && !hasResponse) {
          settle()
          resolve(attempt(sent, signal, false))
        } else
          fail(
            'unreachable',
            `could not be reached: ${explainConnectionError(error, 'upstreamCa (--upstream-ca <file>)')}`,
          )
      })
      outgoing.on('upgrade', (_incoming, socket) => {
        socket.destroy()
        fail('unreachable', 'returned 101, and other protocols are not passed through')
      })
      outgoing.on('response', (incoming) => {
        hasResponse = true
        const { statusCode: status = 0 } = incoming
        const headers = toPairs(incoming.rawHeaders)
        incoming.on('error', () => fail('unreachable', 'broke off its response'))
        if (status < 200 || status > 599) return fail('unreachable', `returned the status ${status}, which is unknown`)
        if (isEventStream(incoming) && sent.method !== 'HEAD') {
          // A stream that is not read ends with the timeout.
          return resolve({ status, headers, stream: toStream(incoming, settle, signal) })
        }
        const chunks: Buffer[] = []
        incoming.on('data', (chunk: Buffer) => {
          if (isSettled) return
          chunks.push(chunk)
          size += chunk.length
          heldBytes += chunk.length
          if (size > MAX_BODY_BYTES) fail('unreachable', `returned more than ${MAX_BODY_BYTES} bytes`)
          else if (heldBytes > MAX_HELD_BYTES)
            fail('unreachable', `returned so much that incomplete responses exceed ${MAX_HELD_BYTES} bytes together`)
        })
        incoming.on('end', () => {
          if (isSettled) return
          const isEmpty = sent.method === 'HEAD' || [204, 205, 304].includes(status)
          const body = isEmpty ? undefined : Buffer.concat(chunks, size)
          const decoded = body
            ? decode({ status, headers, body }, MAX_BODY_BYTES, over.signal)
            : Promise.resolve({ status, headers })
          decoded.then(resolve, reject).finally(() => isSettled || settle())
        })
      })
      outgoing.end(sent.body)
    })
  }

  return (request, signal) => attempt(request, signal, isSafeMethod(request.method))
}

function toPairs(raw: readonly string[]): (readonly [string, string])[] {
  return Array.from({ length: raw.length / 2 }, (_, index) => [raw[2 * index] ?? '', raw[2 * index + 1] ?? ''])
}

function isEventStream({ headers }: IncomingMessage): boolean {
  return /^text\/event-stream\b/i.test(headers['content-type'] ?? '') && headers['content-encoding'] === undefined
}

/** Ends with its reader, or with the service. */
function toStream(
  incoming: IncomingMessage,
  onRead: () => void,
  signal: AbortSignal | undefined,
): ResponseDraft['stream'] {
  return (write, end) => {
    onRead()
    const stop = () => void incoming.destroy()
    signal?.addEventListener('abort', stop)
    incoming.setEncoding('utf8').on('data', write).on('close', end)
    return stop
  }
}
