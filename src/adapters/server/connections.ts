import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

/** Keeps requests of one connection in their order, and knows which connections nobody is waiting on. */
export interface Connections {
  /**
   * Runs once every earlier request of the same connection was answered. Node announces a request while the body of
   * the one before it is still arriving, so without this a read could overtake the write it was sent after. `run` calls
   * what it is handed once it has given its answer.
   */
  inTurn(request: IncomingMessage, response: ServerResponse, run: (answered: () => void) => void): void
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

/** What there is to know of a connection. */
interface Line {
  readonly socket: Duplex
  /** The request under way, and what waits behind it. */
  turns: Turn[]
  /** What was asked last, answered or not. */
  latest: IncomingMessage | undefined
  /** Nothing more is asked on it. */
  isConcluded: boolean
  /** Larger than that of every line that was used before. */
  lastUse: number
}

/** How many requests of a connection may wait for their turn. Nobody sends so many ahead without meaning harm. */
const MAX_AHEAD = 10_000

export function trackConnections(server: Server, max: number): Connections {
  const open = new Map<Duplex, Line>()
  let uses = 0
  let isEnding = false

  server.on('connection', (socket: Duplex) => {
    if (open.size >= max && !makeRoom()) {
      socket.destroy()
      return
    }
    const line: Line = { socket, turns: [], latest: undefined, isConcluded: false, lastUse: 0 }
    touch(line)
    open.set(socket, line)
    // One that breaks is nobody's mistake. Node listens by itself, but not to one that asked for a tunnel.
    socket.on('error', () => {})
    socket.once('close', () => {
      line.turns = []
      open.delete(socket)
    })
  })

  function touch(line: Line): void {
    uses += 1
    line.lastUse = uses
  }

  /** Gives up the connection that nobody is waiting on for longest, where there is one. */
  function makeRoom(): boolean {
    let longest: Line | undefined
    for (const line of open.values()) {
      if (line.turns.length === 0 && (longest === undefined || line.lastUse < longest.lastUse)) longest = line
    }
    if (longest === undefined) return false
    open.delete(longest.socket)
    longest.socket.destroy()
    return true
  }

  function enqueue({ turns, socket }: Line, turn: Turn): void {
    if (turns.length > MAX_AHEAD) {
      socket.destroy()
      return
    }
    turns.push(turn)
    if (turns.length === 1) turn.run()
  }

  /** What cannot be read is the body of the latest request: this is its answer, unless it has had one. */
  function answerUnfinished({ turns, socket }: Line, request: IncomingMessage, run: () => void): void {
    const place = turns.findIndex((turn) => turn.request === request)
    if (place > 0) {
      turns[place] = { run }
    } else if (place < 0 || turns[0]?.response?.headersSent) {
      endSoon(socket)
    } else {
      // What still comes of it is not to be taken for the whole of it.
      request.removeAllListeners('data').removeAllListeners('end').resume()
      run()
    }
  }

  function next(line: Line): void {
    const { socket, turns } = line
    turns.shift()
    const turn = socket.destroyed ? undefined : turns[0]
    if (turn) {
      turn.run()
      return
    }
    touch(line)
    // The head of its answer may have gone out before anybody knew that it is the last.
    if (isEnding) endSoon(socket)
  }

  return {
    inTurn(request, response, run) {
      const line = open.get(request.socket)
      if (line === undefined || line.isConcluded) return
      line.latest = request
      const answered = () => {
        // A listener with every request is felt, and nearly all answers are out at once. Node goes on to the next one in
        // a tick that it has asked for by now: before that nothing could be done to the connection for it.
        if (response.writableFinished) process.nextTick(next, line)
        else response.once('close', () => next(line))
      }
      enqueue(line, { run: () => run(answered), request, response })
    },
    conclude(socket, run) {
      const line = open.get(socket)
      // Node says the same of everything that is sent behind it.
      if (line === undefined || line.isConcluded) return
      line.isConcluded = true
      const request = line.latest
      if (request === undefined || request.complete) enqueue(line, { run })
      else answerUnfinished(line, request, run)
    },
    stopReading(socket) {
      const line = open.get(socket)
      if (line === undefined) return
      line.isConcluded = true
      line.turns.splice(1)
    },
    endUnused() {
      isEnding = true
      for (const { socket, turns } of open.values()) if (turns.length === 0) socket.destroy()
    },
  }
}

/** Once what was written to it is out. */
function endSoon(socket: Duplex): void {
  socket.end(() => socket.destroy())
}
