import type { IncomingMessage } from 'node:http'

/**
 * How much of a body that is too large is still read and thrown away, so that its sender gets to read the answer
 * instead of a broken connection.
 */
const MAX_DISCARDED = 32 * 1_048_576

export function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length']
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0')
}

/** Reads a body up to a limit. `done` is not called when the client goes away before it has sent all of it. */
export function readBody(
  request: IncomingMessage,
  maxBytes: number,
  done: (body: Uint8Array | 'too large', readAll: boolean) => void,
): void {
  let chunks: Buffer[] = []
  let size = 0
  request.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size <= maxBytes) {
      chunks.push(chunk)
    } else if (size > maxBytes + MAX_DISCARDED) {
      request.removeAllListeners('data').removeAllListeners('end').pause()
      done('too large', false)
    } else {
      chunks = []
    }
  })
  request.on('end', () => done(size > maxBytes ? 'too large' : inOnePiece(chunks, size), true))
}

/** Most bodies come in one, which has memory of its own and need not be copied. */
function inOnePiece(chunks: readonly Buffer[], size: number): Uint8Array {
  return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, size)
}
