import { type ClientHttp2Session, type ClientHttp2Stream, connect, type OutgoingHttpHeaders } from 'node:http2'
import { onTestFinished } from 'vitest'
import type { PetstoreServer } from '../../src/adapters/server/index.js'

export interface StreamResult {
  /** 0 if the stream ended without a response. */
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly text: string
  /** The code that the stream was closed with. */
  readonly rstCode: number
}

/** Opens an HTTP/2 connection to a server, closed when the running test ends. */
export function openSession({ port, certificate }: PetstoreServer): ClientHttp2Session {
  const session = connect(`https://localhost:${port}`, certificate === undefined ? {} : { ca: certificate })
  // A session that the server closes is a result here, not a failure.
  session.on('error', () => {})
  onTestFinished(() => session.destroy())
  return session
}

export function request(session: ClientHttp2Session, path: string, headers: OutgoingHttpHeaders = {}, body?: string) {
  const stream = session.request({ ':path': path, ...headers }, { endStream: body === undefined })
  if (body !== undefined) stream.end(body)
  return readStream(stream)
}

/** Resolves when the stream is closed, however it ends. */
export function readStream(stream: ClientHttp2Stream): Promise<StreamResult> {
  return new Promise((resolve) => {
    let received: Record<string, unknown> = {}
    let text = ''
    stream.on('response', (headers) => {
      received = { ...headers }
    })
    stream.setEncoding('utf8')
    stream.on('data', (chunk: string) => {
      text += chunk
    })
    stream.on('error', () => {})
    stream.on('close', () => {
      resolve({ status: Number(received[':status'] ?? 0), headers: received, text, rstCode: stream.rstCode })
    })
  })
}
