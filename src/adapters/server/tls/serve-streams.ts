import type { ServerResponse } from 'node:http'
import {
  constants,
  createServer,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2'
import type { TLSSocket } from 'node:tls'
import { toErrorOutcome } from '../../../document/contract/error-drafts.js'
import type { ApiError } from '../../../http/errors.js'
import { monotonicTime } from '../../../lib/clock.js'
import { type Connections, destroyLater } from '../connections.js'
import type { Exchange } from '../exchange.js'
import type { ServerSettings } from '../options.js'
import { notProxy, requestTimedOut, type ServerRequest } from '../read-request.js'
import { RequestQueue } from './request-queue.js'
import { StreamRequest, StreamResponse } from './stream-messages.js'

export interface StreamOptions {
  readonly connections: Connections
  readonly settings: ServerSettings
  /** The path of an HTTP/2 request through the server. */
  readonly exchange: Exchange
}

/** Called when a request begins, and when its stream has ended. */
interface Streams {
  readonly begin: () => void
  readonly end: (wasReset: boolean) => void
}

/** As many as browsers open at most, and enough to keep any client busy. */
const MAX_STREAMS = 100

/** How many streams a client may reset within this many milliseconds. More is an attack: a reset is cheaper than a response. */
const MAX_RESETS = 200
const RESETS_WITHIN_MS = 1000

/** Requests over the mock's own limits still arrive up to this factor, and get a response that names the limit. */
const MARGIN = 2

/**
 * Node's defaults, for each connection. The library below Node also limits resets, CONTINUATION frames, and the replies to
 * PING and SETTINGS that a client does not read.
 */
const NODE_LIMITS = {
  maxSettings: 32,
  /** In megabytes. */
  maxSessionMemory: 10,
  maxSessionInvalidFrames: 1000,
  maxSessionRejectedStreams: 100,
}

/** How many idle timeouts a client may take to answer a PING while it has requests in flight: a debugger may stop it. */
const MAX_UNANSWERED = 12

/** Returns a function that serves HTTP/2 on a connection. */
export function serveStreams({ connections, settings, exchange }: StreamOptions) {
  const { maxHeaders, maxHeaderBytes, idleTimeoutMs, requestTimeoutMs } = settings
  const server = createServer({
    settings: { maxConcurrentStreams: MAX_STREAMS, maxHeaderListSize: MARGIN * maxHeaderBytes },
    maxHeaderListPairs: MARGIN * maxHeaders,
    ...NODE_LIMITS,
  })

  function receive(request: StreamRequest, response: StreamResponse): void {
    if (request.method === 'CONNECT') {
      reject(response, notProxy())
      return
    }
    if (request.hasBody) limitRequestTime(request, response)
    exchange(request as unknown as ServerRequest, response as unknown as ServerResponse, () => {})
  }

  /** Responds to a request whose body does not arrive in time, and stops a client that sends more than it reads. */
  function limitRequestTime(request: StreamRequest, response: StreamResponse): void {
    const { stream } = response
    const expire = () => {
      if (request.complete || response.headersSent || response.destroyed) return
      if (connections.mustRestart(request, requestTimeoutMs)) {
        timeout.refresh()
        return
      }
      request.removeAllListeners('data').removeAllListeners('end')
      reject(response, requestTimedOut())
    }
    // In the next turn of the event loop, because the body may have arrived while the event loop was blocked.
    const timeout = setTimeout(() => setImmediate(expire), requestTimeoutMs)
    stream.once('end', () => clearTimeout(timeout))
    stream.once('close', () => clearTimeout(timeout))
    stream.once('finish', () => {
      if (!request.complete) stream.close(constants.NGHTTP2_NO_ERROR)
    })
  }

  server.on('sessionError', ignore)

  return (socket: TLSSocket): void => {
    // HTTP/2 ends connections in its own way.
    socket.allowHalfOpen = false
    server.once('session', (session: ServerHttp2Session) => {
      const streams = trackSession(session, socket)
      const queue = new RequestQueue()
      const open = (stream: ServerHttp2Stream, headers: IncomingHttpHeaders, _flags: number, rawHeaders: string[]) => {
        const response = new StreamResponse(stream, queue)
        streams.begin()
        stream.on('error', ignore).once('close', () => streams.end(response.wasReset))
        queue.run(() => response.destroyed || receive(new StreamRequest(stream, headers, rawHeaders), response))
      }
      session.on('stream', open)
    })
    server.emit('connection', socket)
  }

  function trackSession(session: ServerHttp2Session, socket: TLSSocket): Streams {
    const connection = connections.trackStreams(socket, () => close())
    // Not Node's own timeout of a session, which starts again with each PING of the client.
    const timeout = setTimeout(() => {
      if (session.destroyed) return
      if (connection.mustRestart(idleTimeoutMs)) timeout.refresh()
      else if (connection.isIdle()) close()
      else checkClient()
    }, idleTimeoutMs).unref()
    /** The requests in flight still get their responses. */
    function close(): void {
      session.close()
      if (connection.isIdle()) destroyLater(socket)
    }
    let unanswered = 0
    /** A client whose frames were invalid gets no responses any more, though Node does not close the connection. */
    const checkClient = () => {
      if (unanswered === MAX_UNANSWERED) {
        socket.destroy()
        return
      }
      // Not each time: to Node, a PING is progress of all responses, so those that are not read would never time out.
      if (unanswered === 1) {
        session.ping(() => {
          unanswered = 0
        })
      }
      unanswered += 1
      timeout.refresh()
    }
    const refuse = () => session.destroy(new Error('Too many resets.'), constants.NGHTTP2_ENHANCE_YOUR_CALM)
    let resets = 0
    let countedSince = 0
    return {
      begin() {
        // Node never closes a stream whose client resets it at once, without an error code.
        if (connection.begin() > MAX_STREAMS + MAX_RESETS) refuse()
      },
      end(wasReset) {
        connection.end()
        timeout.refresh()
        if (session.closed) close()
        if (!wasReset) return
        const now = monotonicTime.now()
        if (now - countedSince > RESETS_WITHIN_MS) {
          resets = 0
          countedSince = now
        }
        resets += 1
        if (resets > MAX_RESETS) refuse()
      },
    }
  }
}

/** Errors of a connection or a stream concern its client, which sees them itself. */
const ignore = () => {}

function reject(response: StreamResponse, error: ApiError): void {
  const { status, headers, body } = toErrorOutcome(error).response
  response.writeHead(status, headers)
  response.end(body ?? '')
}
