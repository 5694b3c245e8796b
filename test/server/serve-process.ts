import { once } from 'node:events'
import { type ServerOptions, startServer } from '../../src/adapters/server/index.js'

/** Runs a server in a separate process, with the options that its parent sends first, and reports its state on request. */
const [options] = (await once(process, 'message')) as [ServerOptions]
const server = await startServer({ port: 0, ...options })

process.on('message', () => {
  globalThis.gc?.()
  const sockets = process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length
  process.send?.({ memory: process.memoryUsage().rss, sockets })
})
process.once('disconnect', () => void server.close())
process.send?.({ port: server.port })
