import { isBytes } from '../../lib/kind.js'
import { joinBytes } from '../../lib/utf8.js'

/** Reads a body up to a limit, and cancels it there. Rejects as soon as the signal is aborted. */
export async function readStream(
  body: ReadableStream<Uint8Array>,
  max: number,
  signal: AbortSignal,
): Promise<Uint8Array | 'too large'> {
  const reader = body.getReader()
  const cancel = () => void reader.cancel(signal.reason).catch(() => {})
  signal.addEventListener('abort', cancel, { once: true })
  try {
    const chunks: Uint8Array[] = []
    let size = 0
    for (;;) {
      const { done, value } = await reader.read()
      signal.throwIfAborted()
      if (done) return joinBytes(chunks)
      // As in `fetch`. Anything else would be read as zeros.
      if (!isBytes(value)) throw new TypeError('A chunk of the request body is not a Uint8Array.')
      chunks.push(value)
      size += value.length
      if (size > max) {
        cancel()
        return 'too large'
      }
    }
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}
