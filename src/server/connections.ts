import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

/** Keeps requests of one connection in their order, and knows which connections nobody is waiting on. */
export interface Connections {
  /**
   * Runs once every earlier request of the same connection was answered. Node announces a request while the body of
   * the one before it is still arriving, so without this a read could overtake the write it was sent after.
   */
  inTurn(request: IncomingMessage, response: ServerResponse, run: () => void): void
  /** Has the last word on a connection, once what was asked before has been answered. */
  conclude(socket: Duplex, run: () => void): void
  /** Nothing that comes behind the request under way is looked at: its answer is the last. */
  stopReading(socket: Duplex): void
  /**
   * Ends the connections that have no request under way, those that have not sent anything yet included; the others end
   * with the answer.
   */
  endUnused(): void
}

interface Turn {
  readonly run: () => void
  /** What is answered, unless it is the last word. */
  readonly request?: IncomingMessage
  readonly response?: ServerResponse
}

/** How many requests of a connection may wait for their turn. Nobody sends so many ahead without meaning harm. */
const MOST_AHEAD = 10_000

export function trackConnections(server: Server, max: number): Connections {
  /** The longest unused come first. */
  const open = new Set<Duplex>()
  /** The connections with a request under way: that, and what waits behind it. */
  const turns = new Map<Duplex, Turn[]>()
  /** What each connection has asked last, answered or not. */
  const latest = new WeakMap<Duplex, IncomingMessage>()
  /** Those on which nothing more is asked. */
  const concluded = new WeakSet<Duplex>()
  let isEnding = false

  server.on('connection', (socket: Duplex) => {
    if (open.size >= max && !makeRoom()) {
      socket.destroy()
      return
    }
    open.add(socket)
    // One that breaks is nobody's mistake. Node listens by itself, but not to one that asked for a tunnel.
    socket.on('error', () => {})
    socket.once('close', () => {
      open.delete(socket)
      turns.delete(socket)
    })
  })

  /** Gives up a connection that nobody is waiting on, where there is one. */
  function makeRoom(): boolean {
    for (const socket of open) {
      if (turns.has(socket)) continue
      open.delete(socket)
      socket.destroy()
      return true
    }
    return false
  }

  function enqueue(socket: Duplex, turn: Turn): void {
    const queue = turns.get(socket)
    if (queue === undefined) {
      turns.set(socket, [turn])
      turn.run()
    } else if (queue.length > MOST_AHEAD) {
      socket.destroy()
    } else {
      queue.push(turn)
    }
  }

  /** What cannot be read is the body of the latest request: this is its answer, unless it has had one. */
  function answerUnfinished(socket: Duplex, request: IncomingMessage, run: () => void): void {
    const queue = turns.get(socket) ?? []
    const place = queue.findIndex((turn) => turn.request === request)
    if (place > 0) {
      queue[place] = { run }
    } else if (place < 0 || queue[0]?.response?.headersSent) {
      endSoon(socket)
    } else {
      // What still comes of it is not to be taken for the whole of it.
      request.removeAllListeners('data').removeAllListeners('end').resume()
      run()
    }
  }

  function next(socket: Duplex): void {
    const queue = socket.destroyed ? undefined : turns.get(socket)
    queue?.shift()
    const turn = queue?.[0]
    if (turn) {
      turn.run()
      return
    }
    turns.delete(socket)
    if (open.delete(socket)) open.add(socket)
    // The head of its answer may have gone out before anybody knew that it is the last.
    if (isEnding) endSoon(socket)
  }

  return {
    inTurn(request, response, run) {
      const { socket } = request
      if (concluded.has(socket)) return
      response.once('close', () => next(socket))
      latest.set(socket, request)
      enqueue(socket, { run, request, response })
    },
    conclude(socket, run) {
      // Node says the same of everything that is sent behind it.
      if (concluded.has(socket)) return
      concluded.add(socket)
      const request = latest.get(socket)
      if (request === undefined || request.complete) enqueue(socket, { run })
      else answerUnfinished(socket, request, run)
    },
    stopReading(socket) {
      concluded.add(socket)
      turns.get(socket)?.splice(1)
    },
    endUnused() {
      isEnding = true
      for (const socket of open) if (!turns.has(socket)) socket.destroy()
    },
  }
}

/** Once what was written to it is out. */
function endSoon(socket: Duplex): void {
  socket.end(() => socket.destroy())
}
