import { describe, expect, it } from 'vitest'
import { createJournal } from '../../src/engine/control/journal.js'
import { toStored } from '../../src/engine/control/stored-entry.js'
import { createPetstore } from '../../src/index.js'
import { storeContract } from '../../src/petstore/contract.js'

const REQUEST = { method: 'POST', path: '/pets', query: '', base: '', headers: {} }
const MAX_BODY_BYTES = 65_536

describe('the stored part of a long body', () => {
  it('does not retain the rest', () => {
    const body = Buffer.alloc(1_000_000, 'x')
    const { request, cut } = toStored({
      id: 1,
      at: 0,
      durationMs: 0,
      request: { ...REQUEST, body },
      response: { status: 200, headers: {}, body: 'y'.repeat(1_000_000) },
      trace: {},
    })
    const kept = request.body as Uint8Array
    expect(cut).toEqual({ request: true, response: true })
    expect(kept.length).toBe(MAX_BODY_BYTES)
    // A view would retain the whole buffer.
    expect(kept.buffer.byteLength).toBe(MAX_BODY_BYTES)
  })

  it('is the start of the bytes of a raw response', () => {
    const response = { status: 200, headers: {}, bytes: new Uint8Array(1_000_000).fill(65) }
    const stored = toStored({ id: 1, at: 0, durationMs: 0, request: REQUEST, response, trace: {} })
    expect(stored.cut).toEqual({ request: false, response: true })
    expect(stored.response.bytes?.buffer.byteLength).toBe(MAX_BODY_BYTES)
    expect(stored.bytes).toBeGreaterThan(MAX_BODY_BYTES)
  })
})

describe('a filter of the journal', () => {
  const { journal } = createPetstore()

  it.each([
    [{ status: '404' }, 'Option "status" must be a whole number of 0 or more. Received: "404".'],
    [{ limit: -1 }, 'Option "limit" must be a whole number of 0 or more. Received: -1.'],
    [{ since: 1.5 }, 'Option "since" must be a whole number of 0 or more. Received: 1.5.'],
    [{ method: 7 }, 'Option "method" must be a string. Received: 7.'],
  ])('is rejected: %j', (filter, message) => {
    expect(() => journal.entries(filter as never)).toThrow(message)
  })
})

it('hides secret headers of requests and responses, also in HAR', async () => {
  const petstore = createPetstore()
  petstore.override('getPet', {
    status: 404,
    body: { code: 'X', message: 'x', status: 404 },
    headers: { 'Set-Cookie': 'secret-1' },
  })
  const names = ['authorization', 'cookie', 'proxy-authorization', 'x-api-key']
  // Not with fetch, which does not send a cookie.
  const headers = Object.fromEntries(names.map((name) => [name, `secret-${name}`]))
  await petstore.handle({ method: 'GET', path: '/pets/1', query: '', base: '', headers })
  const [entry] = petstore.journal.entries()
  expect(entry?.response.headers['set-cookie']).toBe('(hidden)')
  for (const name of names) expect(entry?.request.headers[name]).toBe('(hidden)')
  expect(JSON.stringify([entry, petstore.journal.toHar()])).not.toContain('secret')
})

describe('a journal', () => {
  const KILOBYTE = 1000
  /** The size of an entry whose only header is empty. */
  const { bytes: emptyBytes } = toStored({
    ...{ id: 1, at: 0, durationMs: 0, trace: {} },
    request: { ...REQUEST, headers: { padding: '' } },
    response: { status: 200, headers: {} },
  })

  /** A journal with a limit in kilobytes, and a function that records entries of so many kilobytes. */
  function keep(size: number, kilobytes: number) {
    const { journal, record } = createJournal({
      ...{ size, bytes: kilobytes * KILOBYTE },
      contract: storeContract(),
      clock: { now: () => 0 },
    })
    return {
      journal,
      ids: () => journal.entries().map(({ id }) => id),
      record: (...sizes: number[]) => {
        for (const each of sizes) {
          const padding = 'x'.repeat(each * KILOBYTE - emptyBytes)
          const outcome = { response: { status: 200, headers: {} }, trace: { operation: 'listPets' } }
          record({ ...REQUEST, headers: { padding } }, outcome, 0)
        }
      },
    }
  }

  it('keeps no more bytes than its limit, and counts the evicted entries', () => {
    const { journal, ids, record } = keep(10, 100)
    record(40, 40, 20)
    expect(ids()).toEqual([1, 2, 3])
    record(1)
    expect(ids()).toEqual([2, 3, 4])
    record(99)
    expect(ids()).toEqual([4, 5])
    expect(journal).toMatchObject({ total: 5, evicted: 3 })
    expect(journal.find(3)).toBeUndefined()
  })

  it('does not keep an entry that is larger than its limit', () => {
    const { journal, ids, record } = keep(10, 100)
    record(50, 101)
    expect(ids()).toEqual([])
    record(50)
    expect(ids()).toEqual([3])
    expect(journal).toMatchObject({ total: 3, evicted: 2 })
  })

  it.each([0, 2])('waits for more requests than the %i it keeps', async (size) => {
    const { journal, record } = keep(size, 100)
    const waiting = journal.waitFor('listPets', { times: 3 })
    record(1, 1, 1)
    expect((await waiting).map(({ id }) => id)).toEqual([1, 2, 3])
  })
})
