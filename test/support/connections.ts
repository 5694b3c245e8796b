import { connect, type Socket } from 'node:net'
import { onTestFinished, vi } from 'vitest'

/** As many as the queue of a listening socket surely holds. */
const AT_ONCE = 250

/** Long enough for thousands of connections on a busy machine. */
const PATIENCE_MS = 120_000

/** Many connections of clients that each behave badly, or not at all. */
export interface Connections {
  /** What each has received so far. */
  received(): string[]
  /** How many the server has not hung up on. */
  openCount(): number
  send(bytes: string): void
  /** Sends a byte on every connection again and again, for as long as it is open. */
  sendRepeatedly(byte: string, everyMs: number): void
  /** Waits until every connection has received this. */
  waitForText(text: string): Promise<void>
  /** Waits until the server has hung up on all, and gives back what each has received. */
  waitUntilClosed(): Promise<string[]>
  closeAll(): void
}

/** Opens connections to a server on this machine, given up when the running test ends. `mute` ones never read. */
export async function openConnections(
  port: number,
  size: number,
  options: { mute?: boolean } = {},
): Promise<Connections> {
  const sockets: Socket[] = []
  const received: string[] = []
  let open = 0
  let dripping: NodeJS.Timeout | undefined
  const leave = (): void => {
    clearInterval(dripping)
    for (const socket of sockets) socket.destroy()
  }
  onTestFinished(leave)

  function join(index: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true })
      sockets.push(socket)
      received[index] = ''
      socket.once('error', reject)
      socket.once('connect', () => {
        open += 1
        socket.off('error', reject).on('error', () => {})
        socket.once('close', () => {
          open -= 1
        })
        resolve()
      })
      if (options.mute) return
      socket.setEncoding('latin1').on('data', (text) => {
        received[index] = (received[index] ?? '') + text
      })
    })
  }
  for (let from = 0; from < size; from += AT_ONCE) {
    const indexes = Array.from({ length: Math.min(AT_ONCE, size - from) }, (_, index) => from + index)
    await Promise.all(indexes.map(join))
  }

  const send = (bytes: string): void => {
    for (const socket of sockets) if (socket.writable) socket.write(bytes)
  }
  const wait = (condition: () => boolean): Promise<unknown> =>
    vi.waitUntil(condition, { timeout: PATIENCE_MS, interval: 20 })
  return {
    received: () => received,
    openCount: () => open,
    send,
    sendRepeatedly(byte, everyMs) {
      dripping = setInterval(send, everyMs, byte)
    },
    async waitForText(text) {
      await wait(() => received.every((each) => each.includes(text)))
    },
    async waitUntilClosed() {
      await wait(() => open === 0)
      clearInterval(dripping)
      return received
    },
    closeAll: leave,
  }
}

/** Whether this process, and one that it starts, may hold so many connections. */
export function canHoldConnections(connections: number): boolean {
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft: number | string } } }
  const limit = userLimits?.open_files?.soft
  return limit === 'unlimited' || Number(limit) > connections + 200
}
