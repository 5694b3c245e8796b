import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Keeps requests of one connection in their order, and knows which connections nobody is waiting on. */
export interface Connections {
  /**
   * Runs once every earlier request of the same connection was answered. Node announces a request while the body of
   * the one before it is still arriving, so without this a read could overtake the write it was sent after.
   */
  inTurn(request: IncomingMessage, response: ServerResponse, run: () => void): void
  /**
   * Ends the connections that have no request under way, those that have not sent anything yet included; the others end
   * with the answer.
   */
  endUnused(): void
}

export function trackConnections(server: Server, max: number): Connections {
  /** The longest unused come first. */
  const open = new Set<Socket>()
  /** The connections with a request under way, and the requests that wait behind it. */
  const waiting = new Map<Socket, (() => void)[]>()
  let isEnding = false

  server.on('connection', (socket: Socket) => {
    if (open.size >= max && !makeRoom()) {
      socket.destroy()
      return
    }
    open.add(socket)
    socket.once('close', () => {
      open.delete(socket)
      waiting.delete(socket)
    })
  })

  /** Gives up a connection that nobody is waiting on, where there is one. */
  function makeRoom(): boolean {
    for (const socket of open) {
      if (waiting.has(socket)) continue
      open.delete(socket)
      socket.destroy()
      return true
    }
    return false
  }

  function next(socket: Socket): void {
    const run = socket.destroyed ? undefined : waiting.get(socket)?.shift()
    if (run) {
      run()
      return
    }
    waiting.delete(socket)
    if (open.delete(socket)) open.add(socket)
    // The head of its answer may have gone out before anybody knew that it is the last.
    if (isEnding) socket.destroySoon()
  }

  return {
    inTurn(request, response, run) {
      const { socket } = request
      response.once('close', () => next(socket))
      const queue = waiting.get(socket)
      if (queue) {
        queue.push(run)
      } else {
        waiting.set(socket, [])
        run()
      }
    },
    endUnused() {
      isEnding = true
      for (const socket of open) if (!waiting.has(socket)) socket.destroy()
    },
  }
}
