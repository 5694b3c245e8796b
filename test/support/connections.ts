import { connect, type Socket } from 'node:net'
import { onTestFinished, vi } from 'vitest'

/** Fits into the backlog of a listening socket. */
const OPENED_AT_ONCE = 250

/** Long enough for thousands of connections on a busy machine. */
const TIMEOUT_MS = 120_000

/** Many connections to a server, for clients that misbehave or do nothing. */
export interface Connections {
  /** What each connection has received so far. */
  received(): string[]
  /** How many connections the server has not closed. */
  openCount(): number
  send(bytes: string): void
  /** Keeps sending a byte on every open connection. */
  sendRepeatedly(byte: string, everyMs: number): void
  /** Waits until every connection has received this text. */
  waitForText(text: string): Promise<void>
  /** Waits until the server has closed every connection; resolves with what each has received. */
  waitUntilClosed(): Promise<string[]>
  closeAll(): void
}

/** Opens connections to a server on loopback, closed when the running test ends. With `mute`, they never read. */
export async function openConnections(
  port: number,
  size: number,
  options: { mute?: boolean } = {},
): Promise<Connections> {
  const sockets: Socket[] = []
  const received: string[] = []
  let openCount = 0
  let repeatTimer: NodeJS.Timeout | undefined
  const closeAll = (): void => {
    clearInterval(repeatTimer)
    for (const socket of sockets) socket.destroy()
  }
  onTestFinished(closeAll)

  function open(index: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true })
      sockets.push(socket)
      received[index] = ''
      socket.once('error', reject)
      socket.once('connect', () => {
        openCount += 1
        socket.off('error', reject).on('error', () => {})
        socket.once('close', () => {
          openCount -= 1
        })
        resolve()
      })
      if (options.mute) return
      socket.setEncoding('latin1').on('data', (text) => {
        received[index] = (received[index] ?? '') + text
      })
    })
  }
  for (let from = 0; from < size; from += OPENED_AT_ONCE) {
    const indexes = Array.from({ length: Math.min(OPENED_AT_ONCE, size - from) }, (_, index) => from + index)
    await Promise.all(indexes.map(open))
  }

  const send = (bytes: string): void => {
    for (const socket of sockets) if (socket.writable) socket.write(bytes)
  }
  const wait = (condition: () => boolean): Promise<unknown> =>
    vi.waitUntil(condition, { timeout: TIMEOUT_MS, interval: 20 })
  return {
    received: () => received,
    openCount: () => openCount,
    send,
    sendRepeatedly(byte, everyMs) {
      repeatTimer = setInterval(send, everyMs, byte)
    },
    async waitForText(text) {
      await wait(() => received.every((each) => each.includes(text)))
    },
    async waitUntilClosed() {
      await wait(() => openCount === 0)
      clearInterval(repeatTimer)
      return received
    },
    closeAll,
  }
}
