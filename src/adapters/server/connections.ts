import { closeSync, openSync } from 'node:fs'
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { devNull } from 'node:os'
import { toErrorOutcome } from '../../document/contract/error-drafts.js'
import type { ApiError } from '../../http/errors.js'
import { every, monotonicTime } from '../../lib/clock.js'
import type { ServerLimits } from './options.js'

const INTERVAL_MS = 100

/** Notices when the event loop is blocked, for example by a breakpoint or by synchronous code of a test. */
function watchEventLoop() {
  let lastTick = monotonicTime.now()
  let lastBlocked = Number.NEGATIVE_INFINITY

  function update(): number {
    const now = monotonicTime.now()
    if (now - lastTick > 2 * INTERVAL_MS) lastBlocked = now
    return now
  }

  const stop = every(INTERVAL_MS, () => {
    lastTick = update()
  })
  return {
    stop,
    /** Whether the loop was blocked in this time. If so, a timeout that has expired should start again. */
    wasBlocked: (withinMs: number): boolean => update() - lastBlocked <= withinMs,
  }
}

export interface Connections {
  /**
   * Runs a request when all earlier requests on its connection have been responded to. Node emits a request while the
   * body of the previous one is still arriving, so without this a read could overtake the write before it. `run` calls
   * its argument when it has ended the response.
   */
  runInTurn(request: IncomingMessage, response: ServerResponse, run: (ended: () => void) => void): void
  rejectAndClose(socket: Socket, error: ApiError): void
  rejectLate(socket: Socket, error: ApiError): void
  mustRestart(restartable: { restarts: number } | undefined, timeoutMs: number): boolean
  /** Tracks what is read from a connection instead of the connection itself: with TLS, its decrypted bytes. */
  replace(socket: Socket, decrypted: Socket): void
  /** Tracks an HTTP/2 connection, whose requests are handled at the same time. */
  trackStreams(
    socket: Socket,
    closeGracefully: () => void,
  ): { begin(): number; end(): void; isIdle: () => boolean; mustRestart: (timeoutMs: number) => boolean }
  /** Drops all requests after the current one. */
  stopReading(socket: Socket): void
  /**
   * Closes the connections without a request in flight, including those that have not sent anything yet, and those
   * whose client has ended its side: most likely it no longer waits for its response.
   */
  closeIdle(): void
  closeAll(): void
}

interface Turn {
  readonly run: () => void
  /** Missing for an error that belongs to no readable request. */
  readonly response?: ServerResponse
}

interface Connection {
  readonly socket: Socket
  /** The request in flight, then those that wait for it. */
  turns: Turn[]
  /** The request that arrived last, even if it was already responded to. */
  latest: IncomingMessage | undefined
  /** The requests in flight on an HTTP/2 connection, which do not wait for each other. */
  streams: number
  /** Closes an HTTP/2 connection when its requests in flight have their responses. */
  closeGracefully: (() => void) | undefined
  /** Whether further requests are dropped. */
  isEnding: boolean
  /** Larger than that of every connection that was used earlier. */
  lastUse: number
  /** How often a timeout was restarted since then. */
  restarts: number
}

/** How many requests may wait on one connection. Only an attacker sends more without reading responses. */
const MAX_WAITING_REQUESTS = 10_000

/**
 * How often a timeout starts again because the event loop was blocked. There is a limit, because the event loop of an
 * overloaded server is blocked all the time.
 */
const MAX_RESTARTS = 3

/** Keeps the requests of each connection in order, limits the number of connections, and closes idle ones. */
export function trackConnections(server: Server, limits: ServerLimits, closing: AbortSignal): Connections {
  const { maxConnections, idleTimeoutMs } = limits
  const requestTimeoutMs = Math.min(limits.headersTimeoutMs, limits.requestTimeoutMs)
  const open = new Map<Socket, Connection>()
  const eventLoop = watchEventLoop()
  closing.addEventListener('abort', eventLoop.stop)
  let uses = 0

  server.on('connection', accept)

  /** Closes the connection if there are too many. */
  function accept(socket: Socket): void {
    if ((open.size < maxConnections && canOpenFile()) || closeLongestIdle()) track(socket)
    else socket.destroy()
  }

  function track(socket: Socket): Connection {
    uses += 1
    const connection: Connection = {
      socket,
      turns: [],
      latest: undefined,
      streams: 0,
      closeGracefully: undefined,
      isEnding: false,
      lastUse: uses,
      restarts: 0,
    }
    open.set(socket, connection)
    // Node handles socket errors itself, but not after a CONNECT request.
    socket.on('error', () => {})
    socket.once('end', () => {
      const { latest, isEnding } = connection
      // Node rejects a request that ends too early, except one with Upgrade.
      const isIncomplete = latest !== undefined && !latest.complete && !isEnding
      if (closing.aborted || isIncomplete) socket.destroy()
    })
    socket.once('close', () => {
      connection.turns = []
      open.delete(socket)
    })
    return connection
  }

  // Without this listener, Node would destroy a socket whose timeout has passed while the event loop was blocked, even
  // if a request has already arrived.
  server.on('timeout', (socket: Socket) => {
    if (mustRestart(open.get(socket), idleTimeoutMs)) {
      socket.setTimeout(idleTimeoutMs)
      return
    }
    const { bytesRead } = socket
    setImmediate(() => {
      if (socket.bytesRead === bytesRead) socket.destroy()
    })
  })

  /** Whether a timeout of this length must start again, because the event loop was blocked. */
  function mustRestart(restartable: { restarts: number } | undefined, timeoutMs: number): boolean {
    if (restartable === undefined || restartable.restarts === MAX_RESTARTS) return false
    if (!eventLoop.wasBlocked(timeoutMs)) return false
    restartable.restarts += 1
    return true
  }

  function closeLongestIdle(): boolean {
    let longest: Connection | undefined
    for (const connection of open.values()) {
      if (isIdle(connection) && (longest === undefined || connection.lastUse < longest.lastUse)) longest = connection
    }
    if (longest === undefined) return false
    open.delete(longest.socket)
    longest.socket.destroy()
    return true
  }

  function enqueue({ turns, socket }: Connection, turn: Turn): void {
    if (turns.length > MAX_WAITING_REQUESTS) {
      socket.destroy()
      return
    }
    turns.push(turn)
    if (turns.length === 1) turn.run()
  }

  function next(connection: Connection): void {
    const { socket, turns } = connection
    turns.shift()
    const turn = socket.destroyed ? undefined : turns[0]
    if (turn) {
      turn.run()
      return
    }
    markUse(connection)
    // The last response may have been sent without `Connection: close`, before the server was closed.
    if (closing.aborted) endAndDestroy(socket)
  }

  function markUse(connection: Connection): void {
    uses += 1
    connection.lastUse = uses
    connection.restarts = 0
  }

  /** Rejects a request whose body cannot be read, unless it was already responded to. */
  function rejectUnfinished({ turns, socket }: Connection, request: IncomingMessage, reject: () => void): void {
    const place = turns.findIndex(({ response }) => response?.req === request)
    if (place > 0) {
      turns[place] = { run: reject }
    } else if (place < 0 || turns[0]?.response?.headersSent) {
      endAndDestroy(socket)
    } else {
      // The rest of the body may still arrive, and must not be handled as a complete request.
      request.removeAllListeners('data').removeAllListeners('end').resume()
      reject()
    }
  }

  /** Sends an error that belongs to no readable request, after the responses to earlier requests, and closes. */
  function rejectAndClose(socket: Socket, error: ApiError): void {
    const connection = open.get(socket)
    // Node reports the same error again for everything that is sent after it.
    if (connection === undefined || connection.isEnding) return
    connection.isEnding = true
    const { latest } = connection
    const reject = () => sendAndClose(socket, error)
    if (latest === undefined || latest.complete) enqueue(connection, { run: reject })
    else rejectUnfinished(connection, latest, reject)
  }

  /** Rejects a request that has not arrived in time. If the event loop was blocked, it gets more time. */
  function rejectLate(socket: Socket, error: ApiError): void {
    const connection = open.get(socket)
    if (connection === undefined || !mustRestart(connection, requestTimeoutMs)) {
      rejectAndClose(socket, error)
      return
    }
    const { latest } = connection
    const isComplete = latest?.complete
    setTimeout(() => {
      if (connection.latest === latest && latest?.complete === isComplete) rejectLate(socket, error)
    }, requestTimeoutMs).unref()
  }

  return {
    runInTurn(request: IncomingMessage, response: ServerResponse, run: (ended: () => void) => void): void {
      const connection = open.get(request.socket)
      if (connection === undefined || connection.isEnding) return
      connection.latest = request
      const ended = () => {
        // Most responses are sent at once. A listener for each of them would be slow, and Node has already scheduled the
        // tick in which it prepares the connection for the next response.
        if (response.writableFinished) process.nextTick(next, connection)
        else response.once('close', () => next(connection))
      }
      enqueue(connection, { run: () => run(ended), response })
    },
    rejectAndClose,
    rejectLate,
    mustRestart,
    replace(socket: Socket, decrypted: Socket): void {
      open.delete(socket)
      track(decrypted)
    },
    trackStreams(socket: Socket, closeGracefully: () => void) {
      const connection = open.get(socket) as Connection
      connection.closeGracefully = closeGracefully
      if (closing.aborted) process.nextTick(closeGracefully)
      return {
        /** Returns how many are in flight. */
        begin(): number {
          connection.streams += 1
          return connection.streams
        },
        end(): void {
          connection.streams -= 1
          markUse(connection)
        },
        isIdle: () => connection.streams === 0,
        mustRestart: (timeoutMs: number) => mustRestart(connection, timeoutMs),
      }
    },
    stopReading(socket: Socket): void {
      const connection = open.get(socket)
      if (connection === undefined) return
      connection.isEnding = true
      connection.turns.splice(1)
    },
    closeIdle(): void {
      for (const connection of open.values()) {
        const { socket, closeGracefully } = connection
        if (closeGracefully) closeGracefully()
        else if (isIdle(connection) || socket.readableEnded) socket.destroy()
      }
    },
    closeAll(): void {
      for (const { socket } of open.values()) socket.destroy()
    },
  }
}

function isIdle({ turns, streams }: Connection): boolean {
  return turns.length === 0 && streams === 0
}

/** False at the limit of open files, where the system drops further connections without Node noticing. */
function canOpenFile(): boolean {
  try {
    closeSync(openSync(devNull, 'r'))
    return true
  } catch (error) {
    // Any other error, for example a missing permission on Deno, says nothing about the limit.
    return !['EMFILE', 'ENFILE'].includes((error as NodeJS.ErrnoException).code ?? '')
  }
}

const LINGER_MS = 1000

/** Writes an error response to a socket that has no ServerResponse. */
function sendAndClose(socket: Socket, error: ApiError): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const { status, headers, body } = toErrorOutcome(error).response
  const head = Object.entries({ ...headers, Connection: 'close' }).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head.join('')}\r\n${body}`)
  // If it were destroyed at once, a client that is still sending might not get to read the response.
  destroyLater(socket)
}

/** Gives the client time to close a connection that the server has ended. */
export function destroyLater(socket: Socket): void {
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
}

function endAndDestroy(socket: Socket): void {
  socket.end(() => socket.destroy())
}
