import { describe, expect, it } from 'vitest'
import { toKept } from '../../src/control/journal-entry.js'

const REQUEST = { method: 'POST', path: '/pets', query: '', base: '', headers: {} }
const MOST_KEPT = 65_536

describe('What the journal keeps of a long body', () => {
  it('does not hold on to the rest of it', () => {
    const body = Buffer.alloc(1_000_000, 'x')
    const { request, cut } = toKept({
      id: 1,
      at: 0,
      durationMs: 0,
      request: { ...REQUEST, body },
      response: { status: 200, headers: {}, body: 'y'.repeat(1_000_000) },
    })
    const kept = request.body as Uint8Array
    expect(cut).toEqual({ request: true, response: true })
    expect(kept.length).toBe(MOST_KEPT)
    // A view would have the buffer of the whole.
    expect(kept.buffer.byteLength).toBe(MOST_KEPT)
  })

  it('is all of it where it is short', () => {
    const entry = { id: 1, at: 0, durationMs: 0, request: REQUEST, response: { status: 204, headers: {} } }
    expect(toKept(entry)).toStrictEqual({ ...entry, bytes: expect.any(Number) })
  })
})
