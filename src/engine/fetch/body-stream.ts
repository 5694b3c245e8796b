/**
 * Reads a body up to a limit, and lets go of it there. Rejects as soon as nobody waits any more, even where nothing more
 * comes of it.
 */
export async function readStream(
  body: ReadableStream<Uint8Array>,
  most: number,
  signal: AbortSignal,
): Promise<Uint8Array | 'too large'> {
  const reader = body.getReader()
  const letGo = () => void reader.cancel(signal.reason).catch(() => {})
  signal.addEventListener('abort', letGo, { once: true })
  try {
    const chunks: Uint8Array[] = []
    let size = 0
    for (;;) {
      const { done, value } = await reader.read()
      signal.throwIfAborted()
      if (done) return join(chunks, size)
      chunks.push(value)
      size += value.length
      if (size > most) {
        letGo()
        return 'too large'
      }
    }
  } finally {
    signal.removeEventListener('abort', letGo)
  }
}

function join(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const [only] = chunks
  if (chunks.length === 1 && only) return only
  const bytes = new Uint8Array(size)
  let place = 0
  for (const chunk of chunks) {
    bytes.set(chunk, place)
    place += chunk.length
  }
  return bytes
}
