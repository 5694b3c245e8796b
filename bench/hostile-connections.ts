/** Opens slow connections, in a separate process: `hostile-connections.ts <port>`, then one message for each kind. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { CONNECTIONS, type Kind, type Report } from './hostile.js'

const OPENINGS: Readonly<Record<Kind, string>> = {
  headers: 'GET /pets HTTP/1.1\r\nHost: localhost\r\nX-Slow: ',
  bodies:
    'POST /pets HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"name":"',
  idle: 'GET /categories HTTP/1.1\r\nHost: localhost\r\n\r\n',
}

const port = Number(process.argv[2])
process.on('message', async (kind: Kind) => {
  const ends: Promise<{ notified: boolean; afterMs: number }>[] = []
  for (let count = 0; count < CONNECTIONS; count++) {
    const { opened, closed } = openSlowly(kind)
    await opened
    ends.push(closed)
  }
  // All connections are open.
  if (kind === 'idle') process.send?.({ kind })
  const reports = await Promise.all(ends)
  process.send?.({
    kind,
    cut: reports.length,
    notified: reports.filter(({ notified }) => notified).length,
    slowestMs: Math.max(...reports.map(({ afterMs }) => afterMs)),
  } satisfies Report)
})

/** Opens a connection that sends a byte a second, or nothing more. `opened` resolves on connect, or on the first response. */
function openSlowly(kind: Kind) {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true }).setEncoding('latin1')
  const startedAt = performance.now()
  let [text, respondedAt] = ['', 0]
  const opened = once(socket, kind === 'idle' ? 'data' : 'connect')
  socket.on('data', (part) => {
    text += part
    respondedAt = performance.now()
  })
  socket.on('error', () => {})
  socket.write(OPENINGS[kind])
  const drip = setInterval(() => kind !== 'idle' && socket.writable && socket.write('x'), 1000)
  const closed = new Promise<{ notified: boolean; afterMs: number }>((resolve) => {
    socket.once('close', () => {
      clearInterval(drip)
      resolve({ notified: text.startsWith('HTTP/1.1 408 '), afterMs: (respondedAt || performance.now()) - startedAt })
    })
  })
  return { opened, closed }
}
