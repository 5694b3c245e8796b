/** The client for HTTP/2, as cheap as the one for HTTP/1.1: it sends frames prepared in advance, and decodes no headers. */
import { once } from 'node:events'
import { connect, type TLSSocket } from 'node:tls'
import type { Step } from './cases.js'
import type { Budget } from './load.js'

const [DATA, WINDOW_UPDATE] = [0, 8]
export const HEADERS = 1
export const SETTINGS = 4
export const END_STREAM = 1
export const END_HEADERS = 4
const ACK = 1
const FRAME_HEAD = 9

/** `:status: 200` in HPACK's static table. */
const STATUS_200 = 0x88

export async function openStreams(port: number, ca: string): Promise<TLSSocket> {
  const socket = connect({ port, host: 'localhost', ca, ALPNProtocols: ['h2'] })
  await once(socket, 'secureConnect')
  socket.setNoDelay()
  socket.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')
  socket.write(frame(SETTINGS, 0, 0, Buffer.alloc(0)))
  // More than the responses of a sample need.
  socket.write(frame(WINDOW_UPDATE, 0, 0, Buffer.from([0x7f, 0, 0, 0])))
  return socket
}

/** Keeps a number of requests in flight until the budget is used up. Every response must have status 200. */
export function sendOnStreams(socket: TLSSocket, step: Step, streams: number, budget: Budget): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = frame(HEADERS, END_HEADERS | END_STREAM, 0, toHeaderBlock(step))
    let nextId = 1
    let inFlight = 0
    let rest: Buffer = Buffer.alloc(0)
    const send = () => {
      request.writeUInt32BE(nextId, 5)
      nextId += 2
      inFlight += 1
      budget.left -= 1
      socket.write(Buffer.from(request))
    }
    const receive = (type: number, flags: number, firstByte: number | undefined) => {
      if (type === SETTINGS && (flags & ACK) === 0) socket.write(frame(SETTINGS, ACK, 0, Buffer.alloc(0)))
      if (type === HEADERS && firstByte !== STATUS_200) reject(new Error(`${step.target} did not return 200.`))
      if ((type !== DATA && type !== HEADERS) || (flags & END_STREAM) === 0) return
      inFlight -= 1
      budget.done += 1
      if (budget.left > 0 && performance.now() < budget.deadline) send()
      else if (inFlight === 0) resolve()
    }
    socket.on('close', () => reject(new Error('The server closed a connection.'))).on('error', reject)
    socket.on('data', (part: Buffer) => {
      const bytes = rest.length === 0 ? part : Buffer.concat([rest, part])
      let at = 0
      socket.cork()
      while (at + FRAME_HEAD <= bytes.length) {
        const end = at + FRAME_HEAD + bytes.readUIntBE(at, 3)
        if (end > bytes.length) break
        receive(bytes[at + 3] as number, bytes[at + 4] as number, bytes[at + FRAME_HEAD])
        at = end
      }
      socket.uncork()
      rest = bytes.subarray(at)
    })
    for (let stream = 0; stream < streams; stream++) send()
  })
}

export function frame(type: number, flags: number, stream: number, payload: Buffer): Buffer {
  const bytes = Buffer.alloc(FRAME_HEAD + payload.length)
  bytes.writeUIntBE(payload.length, 0, 3)
  bytes.set([type, flags], 3)
  bytes.writeUInt32BE(stream, 5)
  bytes.set(payload, FRAME_HEAD)
  return bytes
}

/** The headers of a GET request: two entries of HPACK's static table, then names of it with values. */
export function toHeaderBlock({ target }: Pick<Step, 'target'>): Buffer {
  const withValue = (name: number[], value: string) => [...name, value.length, ...Buffer.from(value)]
  const [path, authority, accept] = [[0x04], [0x01], [0x0f, 0x04]]
  return Buffer.from([
    ...[0x82, 0x87],
    ...withValue(path, target),
    ...withValue(authority, 'localhost'),
    ...withValue(accept, '*/*'),
  ])
}
