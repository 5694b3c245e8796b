/** Connections that misbehave, in a process of their own: `hostile-crowd.ts <port>`, then a message for every kind. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { type Fate, type Kind, MANY } from './hostile.js'

const OPENINGS: Readonly<Record<Kind, string>> = {
  headers: 'GET /pets HTTP/1.1\r\nHost: localhost\r\nX-Slow: ',
  bodies:
    'POST /pets HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"name":"',
  idle: 'GET /categories HTTP/1.1\r\nHost: localhost\r\n\r\n',
}

const port = Number(process.argv[2])
process.on('message', async (kind: Kind) => {
  const ends: Promise<{ told: boolean; afterMs: number }>[] = []
  for (let count = 0; count < MANY; count++) {
    const { opened, gone } = misbehave(kind)
    await opened
    ends.push(gone)
  }
  // Everybody is there.
  if (kind === 'idle') process.send?.({ kind })
  const fates = await Promise.all(ends)
  process.send?.({
    kind,
    cut: fates.length,
    told: fates.filter(({ told }) => told).length,
    slowestMs: Math.max(...fates.map(({ afterMs }) => afterMs)),
  } satisfies Fate)
})

/** One connection that sends a byte a second, or nothing more. `opened` is when it was connected, or answered. */
function misbehave(kind: Kind) {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true }).setEncoding('latin1')
  const startedAt = performance.now()
  let [text, toldAt] = ['', 0]
  const opened = once(socket, kind === 'idle' ? 'data' : 'connect')
  socket.on('data', (part) => {
    text += part
    toldAt = performance.now()
  })
  socket.on('error', () => {})
  socket.write(OPENINGS[kind])
  const drip = setInterval(() => kind !== 'idle' && socket.writable && socket.write('x'), 1000)
  const gone = new Promise<{ told: boolean; afterMs: number }>((resolve) => {
    socket.once('close', () => {
      clearInterval(drip)
      resolve({ told: text.startsWith('HTTP/1.1 408 '), afterMs: (toldAt || performance.now()) - startedAt })
    })
  })
  return { opened, gone }
}
