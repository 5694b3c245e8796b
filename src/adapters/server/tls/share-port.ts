import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { createServer, type TLSSocket } from 'node:tls'
import { MockError } from '../../../http/errors.js'
import type { Certificate } from './certificate.js'
import { type StreamOptions, serveStreams } from './serve-streams.js'

interface SharePortOptions extends StreamOptions {
  /** The HTTP/1.1 server that listens on the port. */
  readonly server: Server
  readonly certificate: Certificate
}

/** The first byte of a TLS connection. No HTTP request starts with it. */
const TLS_HANDSHAKE = 0x16

/** Makes the port of an HTTP server answer HTTPS, too. The first byte of a connection decides. */
export function sharePort({ server, connections, certificate, settings, exchange }: SharePortOptions): void {
  const { headersTimeoutMs } = settings
  const { cert, key, passphrase, clientCa } = certificate
  const tls = createServer({
    cert,
    key,
    ...(passphrase !== undefined && { passphrase }),
    ...(clientCa !== undefined && { ca: clientCa, requestCert: true }),
    ALPNProtocols: ['h2', 'http/1.1'],
    handshakeTimeout: headersTimeoutMs,
  })
  const serveHttp2 = serveStreams({ connections, settings, exchange })
  const serveHttp = takeListener(server)
  server.on('connection', (socket: Socket) => readFirstByte(socket, headersTimeoutMs, decide))

  /** The connections that are not decrypted yet. */
  const handshakes = new Map<string, Socket>()

  function decide(socket: Socket, firstByte: number): void {
    if (firstByte !== TLS_HANDSHAKE) {
      // Its parser rejects what is not HTTP either.
      serveHttp(socket)
      return
    }
    const address = addressOf(socket)
    handshakes.set(address, socket)
    socket.once('close', () => handshakes.delete(address))
    tls.emit('connection', socket)
  }

  tls.on('tlsClientError', (_error, socket) => socket.destroy())
  tls.on('secureConnection', (decrypted: TLSSocket) => {
    const socket = handshakes.get(addressOf(decrypted))
    if (socket === undefined) {
      decrypted.destroy()
      return
    }
    connections.replace(socket, decrypted)
    // Only the connection itself can be reset.
    decrypted.resetAndDestroy = () => {
      socket.resetAndDestroy()
      return decrypted
    }
    if (decrypted.alpnProtocol === 'h2') serveHttp2(decrypted)
    else serveHttp(decrypted)
  })
}

/**
 * Bun's server would go on serving its connections itself. Deno's loses connections when a second request arrives over
 * TLS.
 */
export function checkRuntime(): void {
  if (!('Bun' in globalThis) && !('Deno' in globalThis)) return
  const message = 'Option "https" requires Node: this runtime cannot serve HTTP and HTTPS on one port.'
  throw new MockError('INVALID_OPTION', message, { option: 'https' })
}

/** Removes the listener with which a server serves its connections, and returns it. */
function takeListener(server: Server): (socket: Socket) => void {
  const [listener] = server.listeners('connection') as [(socket: Socket) => void]
  server.off('connection', listener)
  return listener.bind(server)
}

/** The same for a connection and for its decrypted side, which Node does not relate to it. */
function addressOf({ localAddress, remoteAddress, remotePort }: Socket): string {
  return `${localAddress} ${remoteAddress} ${remotePort}`
}

/** Closes the connection if there is none in time. */
function readFirstByte(socket: Socket, timeoutMs: number, done: (socket: Socket, firstByte: number) => void): void {
  if (socket.destroyed) return
  let isWaiting = true
  // In the next turn of the event loop, because the byte may have arrived while the event loop was blocked.
  const timeout = setTimeout(() => setImmediate(() => isWaiting && socket.destroy()), timeoutMs)
  socket.once('close', () => clearTimeout(timeout))
  socket.once('readable', () => {
    isWaiting = false
    clearTimeout(timeout)
    const bytes: Buffer | null = socket.read(1)
    if (bytes === null) {
      socket.destroy()
      return
    }
    socket.unshift(bytes)
    done(socket, bytes[0] as number)
  })
}
