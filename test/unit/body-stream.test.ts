import { describe, expect, it } from 'vitest'
import { readStream } from '../../src/engine/fetch/response-body.js'
import { createPetstore } from '../../src/index.js'

const NEVER = new AbortController().signal

/** A body whose chunks are created as they are read, and counters of its use. */
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
  it('has all of its chunks in order', async () => {
    const body = new Blob(['{"name"', ':', '"Rex"}']).stream()
    expect(new TextDecoder().decode((await readStream(body, 100, NEVER)) as Uint8Array)).toBe('{"name":"Rex"}')
    expect(await readStream(new Blob([]).stream(), 0, NEVER)).toEqual(new Uint8Array())
  })

  it('is rejected if it has a chunk of text, as by fetch', async () => {
    const { body } = streamOf('{}' as never)
    await expect(readStream(body, 100, NEVER)).rejects.toThrow(TypeError)
  })

  it('is cancelled at the limit, even if it is endless', async () => {
    const { body, seen } = streamOf(new Uint8Array(10))
    expect(await readStream(body, 99, NEVER)).toBe('too large')
    expect(seen).toEqual({ read: 10, cancelled: true })
  })

  it('is cancelled immediately when the request is aborted', async () => {
    const aborter = new AbortController()
    const stalled = new ReadableStream<Uint8Array>()
    const reading = readStream(stalled, 100, aborter.signal)
    aborter.abort()
    await expect(reading).rejects.toThrow(/abort/)
  })

  it('fails with the error of its stream', async () => {
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

  it('rejects an endless body', async () => {
    const { body, seen } = streamOf(new Uint8Array(100_000))
    expect((await post(body)).status).toBe(413)
    await expect.poll(() => seen.cancelled).toBe(true)
    expect(seen.read).toBeLessThan(50)
  })
})
