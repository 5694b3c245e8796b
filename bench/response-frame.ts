/** One HTTP response in a stream of bytes. */
export interface Frame {
  readonly status: number
  readonly head: string
  /** The start of the body, and the start of the next response. */
  readonly bodyStart: number
  readonly end: number
}

/**
 * The response at the start of the bytes, or undefined while it is incomplete. It parses no more of the head than
 * necessary, because the client must not be the bottleneck.
 */
export function findFrame(bytes: Buffer): Frame | undefined {
  const headEnd = bytes.indexOf('\r\n\r\n')
  if (headEnd < 0) return undefined
  const head = bytes.toString('latin1', 0, headEnd)
  const status = Number(head.slice(9, 12))
  const bodyStart = headEnd + 4
  const end = findEnd(bytes, head, bodyStart)
  return end === undefined || end > bytes.length ? undefined : { status, head, bodyStart, end }
}

function findEnd(bytes: Buffer, head: string, bodyStart: number): number | undefined {
  const length = /content-length: *(\d+)/i.exec(head)
  if (length) return bodyStart + Number(length[1])
  return /transfer-encoding: *chunked/i.test(head) ? findLastChunk(bytes, bodyStart) : bodyStart
}

function findLastChunk(bytes: Buffer, start: number): number | undefined {
  for (let at = start; ; ) {
    const lineEnd = bytes.indexOf('\r\n', at)
    if (lineEnd < 0) return undefined
    const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16)
    at = lineEnd + 2 + size + 2
    if (size === 0) return at
  }
}
