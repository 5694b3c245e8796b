import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

/** Keeps requests of one connection in their order, and knows which connections nobody is waiting on. */
export interface Connections {
  /**
   * Runs once every earlier request of the same connection was answered. Node announces a request while the body of
   * the one before it is still arriving, so without this a read could overtake the write it was sent after.
   */
  inTurn(request: IncomingMessage, response: ServerResponse, run: () => void): void
  /** Has the last word on a connection, once what was asked before has been answered. Nothing more is read from it. */
  conclude(socket: Duplex, run: () => void): void
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
const MOST_WAITING = 1000

export function trackConnections(server: Server, max: number): Connections {
  /** The longest unused come first. */
  const open = new Set<Duplex>()
  /** The connections with a request under way: that, and what waits behind it. */
  const turns = new Map<Duplex, Turn[]>()
  const concluded = new WeakSet<Duplex>()
  let isEnding = false

  server.on('connection', (socket: Duplex) => {
    if (open.size >= max && !makeRoom()) {
      socket.destroy()
      return
    }
    open.add(socket)
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
    } else if (queue.length > MOST_WAITING) {
      socket.destroy()
    } else {
      queue.push(turn)
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
      response.once('close', () => next(socket))
      enqueue(socket, { run, request, response })
    },
    conclude(socket, run) {
      // Node says the same of everything that is sent behind it.
      if (concluded.has(socket)) return
      concluded.add(socket)
      const queue = turns.get(socket)
      const last = queue?.at(-1)
      if (queue === undefined || last?.request?.complete !== false) {
        enqueue(socket, { run })
      } else if (queue.length > 1) {
        // What cannot be read is the body of one that still waits: this is its answer.
        queue[queue.length - 1] = { run }
      } else if (last.response?.headersSent) {
        // It was refused before its body had arrived, and is answered once.
        endSoon(socket)
      } else {
        run()
      }
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
