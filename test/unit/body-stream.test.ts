import { describe, expect, it } from 'vitest'
import { readStream } from '../../src/engine/fetch/body-stream.js'
import { createPetstore } from '../../src/index.js'

const NEVER = new AbortController().signal

/** A body of parts that are made as they are read, and what became of it. */
function streamOf(part: Uint8Array, count = Number.POSITIVE_INFINITY) {
  const seen = { read: 0, cancelled: false }
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (seen.read === count) return controller.close()
        seen.read += 1
        controller.enqueue(part)
      },
      cancel() {
        seen.cancelled = true
      },
    },
    { highWaterMark: 0 },
  )
  return { body, seen }
}

describe('a body that is read up to a limit', () => {
  it('is all of its parts in their order', async () => {
    const body = new Blob(['{"name"', ':', '"Rex"}']).stream()
    expect(new TextDecoder().decode((await readStream(body, 100, NEVER)) as Uint8Array)).toBe('{"name":"Rex"}')
    expect(await readStream(new Blob([]).stream(), 0, NEVER)).toEqual(new Uint8Array())
  })

  it('may have exactly the limit', async () => {
    const { body } = streamOf(new Uint8Array(10), 10)
    expect(await readStream(body, 100, NEVER)).toHaveLength(100)
  })

  it('is let go of behind the limit, however long it goes on', async () => {
    const { body, seen } = streamOf(new Uint8Array(10))
    expect(await readStream(body, 99, NEVER)).toBe('too large')
    expect(seen).toEqual({ read: 10, cancelled: true })
  })

  it('is given up at once when nobody waits any more', async () => {
    const aborter = new AbortController()
    const stalled = new ReadableStream<Uint8Array>()
    const reading = readStream(stalled, 100, aborter.signal)
    aborter.abort()
    await expect(reading).rejects.toThrow(/abort/)
  })

  it('fails as its stream does', async () => {
    const broken = new ReadableStream<Uint8Array>({ start: (controller) => controller.error(new Error('torn')) })
    await expect(readStream(broken, 100, NEVER)).rejects.toThrow('torn')
  })
})

describe('the adapter in memory', () => {
  const post = (body: ReadableStream<Uint8Array>, signal?: AbortSignal) =>
    createPetstore().fetch('/pets', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      ...{ body, duplex: 'half', signal },
    } as RequestInit)

  it('refuses a body without an end', async () => {
    const { body, seen } = streamOf(new Uint8Array(100_000))
    expect((await post(body)).status).toBe(413)
    await expect.poll(() => seen.cancelled).toBe(true)
    expect(seen.read).toBeLessThan(50)
  })

  it('lets go of a request that is aborted before its body has come', async () => {
    const aborter = new AbortController()
    const answer = post(new ReadableStream<Uint8Array>(), aborter.signal)
    aborter.abort()
    await expect(answer).rejects.toThrow(/abort/)
  })
})
