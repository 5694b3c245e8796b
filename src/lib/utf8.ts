const encoder = new TextEncoder()

/** Encoding into memory that is there already is faster than searching the text for other characters than ASCII. */
const scratch = new Uint8Array(65_536)

/** A UTF-16 unit takes at most three bytes. */
const MAX_SCRATCH_LENGTH = scratch.length / 3

export function utf8Length(text: string): number {
  return text.length <= MAX_SCRATCH_LENGTH ? encoder.encodeInto(text, scratch).written : encoder.encode(text).length
}

export function toBytes(body: string | Uint8Array = ''): Uint8Array {
  return typeof body === 'string' ? encoder.encode(body) : body
}

export function joinBytes(chunks: readonly Uint8Array[]): Uint8Array {
  const [only] = chunks
  if (chunks.length === 1 && only) return only
  const bytes = new Uint8Array(chunks.reduce((size, { length }) => size + length, 0))
  let place = 0
  for (const chunk of chunks) {
    bytes.set(chunk, place)
    place += chunk.length
  }
  return bytes
}
