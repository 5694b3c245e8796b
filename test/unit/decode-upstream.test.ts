import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { decode } from '../../src/adapters/upstream/forward.js'

const MIB = 1024 * 1024

/** A few kilobytes that become a mebibyte. */
const bomb = { status: 200, headers: [['Content-Encoding', 'gzip']] as const, body: gzipSync(Buffer.alloc(MIB)) }

/** Calls `onStart` when the decoding starts. */
function signalThat(onStart: () => void): AbortSignal {
  const { signal } = new AbortController()
  return Object.assign(signal, { throwIfAborted: onStart })
}

it('decodes one response at a time', async () => {
  let started = 0
  const decoded = Array.from({ length: 10 }, () =>
    decode(
      bomb,
      MIB,
      signalThat(() => {
        started += 1
      }),
    ),
  )
  expect((await decoded[0])?.body).toHaveLength(MIB)
  expect([1, 2]).toContain(started)
  expect((await Promise.all(decoded)).map(({ headers }) => headers)).toEqual(Array.from({ length: 10 }, () => []))
})

it('ends when the client is gone', async () => {
  const client = new AbortController()
  const decoded = decode(bomb, MIB, client.signal)
  client.abort()
  await expect(decoded).rejects.toThrow()
})

it('rejects more bytes than allowed', async () => {
  const { signal } = new AbortController()
  await expect(decode(bomb, MIB - 1, signal)).rejects.toThrow(`longer than ${MIB - 1} bytes`)
  expect((await decode(bomb, MIB, signal)).body).toHaveLength(MIB)
})
