import { connect, type TLSSocket } from 'node:tls'
import { onTestFinished } from 'vitest'
import type { PetstoreServer } from '../../src/adapters/server/index.js'

export const TYPES = {
  DATA: 0,
  HEADERS: 1,
  RST_STREAM: 3,
  SETTINGS: 4,
  PING: 6,
  GOAWAY: 7,
  WINDOW_UPDATE: 8,
  CONTINUATION: 9,
}

export const END_STREAM = 1
export const END_HEADERS = 4

export function frame(type: number, flags: number, stream: number, payload: Buffer = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(9)
  head.writeUIntBE(payload.length, 0, 3)
  head.writeUInt8(type, 3)
  head.writeUInt8(flags, 4)
  head.writeUInt32BE(stream, 5)
  return Buffer.concat([head, payload])
}

/** A header that is not in HPACK's static table, and is not added to the dynamic one. */
export function literal(name: string, value: string): Buffer {
  return Buffer.concat([
    Buffer.from([0, name.length]),
    Buffer.from(name),
    Buffer.from([value.length]),
    Buffer.from(value),
  ])
}

/** The pseudo-headers of a request with this method and path to localhost, in HPACK. */
export function pseudoHeaders(method: 'GET' | 'POST', path: string): Buffer {
  const indexed = (name: number, value: string) =>
    Buffer.concat([Buffer.from([name, value.length]), Buffer.from(value)])
  return Buffer.concat([
    Buffer.from([method === 'GET' ? 0x82 : 0x83, 0x87]),
    indexed(0x44, path),
    indexed(0x41, 'localhost'),
  ])
}

export interface FrameConnection {
  readonly socket: TLSSocket
  send(...frames: Buffer[]): void
  /** The types of all frames that were received so far. */
  received(): number[]
  /** The error code of a GOAWAY frame that was received. */
  goawayCode(): number | undefined
  /** Resolves when the server has closed the connection. */
  readonly closed: Promise<void>
}

/** Opens an HTTP/2 connection that sends frames as they are. Without `reads` it never reads. */
export async function openFrames({ port, certificate }: PetstoreServer, reads = true): Promise<FrameConnection> {
  const socket = connect({ port, host: 'localhost', ca: certificate, ALPNProtocols: ['h2'] })
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => {})
  const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()))
  await new Promise((resolve) => socket.once('secureConnect', resolve))
  let bytes = Buffer.alloc(0)
  if (reads) {
    socket.on('data', (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk])
    })
  } else {
    socket.pause()
  }
  socket.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')
  socket.write(frame(TYPES.SETTINGS, 0, 0))
  return {
    socket,
    send: (...frames) => void (socket.writable && socket.write(Buffer.concat(frames))),
    closed,
    received: () => [...framesIn(bytes)].map(({ type }) => type),
    goawayCode: () => [...framesIn(bytes)].find(({ type }) => type === TYPES.GOAWAY)?.payload.readUInt32BE(4),
  }
}

function* framesIn(bytes: Buffer): Generator<{ type: number; payload: Buffer }> {
  for (let at = 0; at + 9 <= bytes.length; ) {
    const end = at + 9 + bytes.readUIntBE(at, 3)
    yield { type: bytes.readUInt8(at + 3), payload: bytes.subarray(at + 9, end) }
    at = end
  }
}
