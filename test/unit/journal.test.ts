import { describe, expect, it } from 'vitest'
import { createJournal } from '../../src/engine/log/journal.js'
import { createLog } from '../../src/engine/log/log.js'
import { completeEntry, createEntry } from '../../src/engine/log/stored-entry.js'
import type { Outcome, PlainRequest } from '../../src/http/messages.js'
import { createPetstore } from '../../src/index.js'
import { nextTurn } from '../../src/lib/steps.js'
import { storeContract } from '../../src/petstore/contract.js'

const REQUEST = { method: 'POST', path: '/pets', query: '', base: '', headers: {} }
const MAX_BODY_BYTES = 65_536

function store(request: PlainRequest, response: Outcome['response']) {
  const entry = createEntry(1, request, 0)
  completeEntry(entry, { response, trace: {} }, 0)
  return entry
}

describe('the stored part of a long body', () => {
  it('does not retain the rest', () => {
    const body = Buffer.alloc(1_000_000, 'x')
    const stored = store({ ...REQUEST, body }, { status: 200, headers: {}, body: 'y'.repeat(1_000_000) })
    const kept = stored.request.body as Uint8Array
    expect(stored).toMatchObject({ isRequestCut: true, isResponseCut: true })
    expect(kept.length).toBe(MAX_BODY_BYTES)
    // A view would retain the whole buffer.
    expect(kept.buffer.byteLength).toBe(MAX_BODY_BYTES)
  })

  it('is the start of the bytes of a raw response', () => {
    const response = { status: 200, headers: {}, bytes: new Uint8Array(1_000_000).fill(65) }
    const stored = store(REQUEST, response)
    expect(stored).toMatchObject({ isRequestCut: false, isResponseCut: true })
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
  const { bytes: emptyBytes } = store({ ...REQUEST, headers: { padding: '' } }, { status: 200, headers: {} })

  /** A journal with a limit in kilobytes, and a function that records entries of so many kilobytes. */
  function keep(size: number, kilobytes: number) {
    const log = createLog({ journalSize: size, journalBytes: kilobytes * KILOBYTE })
    const { journal, announce } = createJournal(log.journal, storeContract())
    const begin = (padding = '') => {
      const entry = log.begin({ ...REQUEST, headers: { padding } }, 0)
      log.list(entry, 'listPets')
      announce(entry)
      return entry
    }
    return {
      journal,
      begin,
      complete: log.complete,
      steps: () => log.steps().length,
      missing: () => log.missing,
      ids: () => journal.entries().map(({ id }) => id),
      record: (...sizes: number[]) => {
        for (const each of sizes) {
          const padding = 'x'.repeat(each * KILOBYTE - emptyBytes)
          const outcome = { response: { status: 200, headers: {} }, trace: { operation: 'listPets' } }
          log.complete(begin(padding), outcome, 0)
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

  it('counts the bytes of a response when it is there, if its entry was not evicted meanwhile', () => {
    const { journal, ids, begin, complete, record } = keep(3, 100)
    const outcome = { response: { status: 200, headers: {}, body: 'y'.repeat(60 * KILOBYTE) }, trace: {} }
    const [first, second] = [begin(), begin()]
    record(1, 1)
    expect(ids()).toEqual([2, 3, 4])
    complete(first, outcome, 0)
    record(90)
    expect(ids()).toEqual([3, 4, 5])
    complete(second, outcome, 0)
    expect(ids()).toEqual([3, 4, 5])
    const last = begin()
    expect(ids()).toEqual([4, 5, 6])
    complete(last, outcome, 0)
    expect(ids()).toEqual([6])
    expect(journal.find(6)).toMatchObject({ status: 200 })
  })

  it('is one view of the log, and the reproduction another: clearing it loses no step', () => {
    const { journal, ids, begin, complete, record, steps, missing } = keep(3, 100)
    record(1, 1)
    const pending = begin()
    journal.clear()
    record(1)
    expect([ids(), journal.total, journal.evicted]).toEqual([[1], 1, 0])
    expect([journal.find(0), journal.find(-1), journal.find(2)]).toEqual([undefined, undefined, undefined])
    expect([steps(), missing()]).toEqual([3, 1])
    expect(complete(pending, { response: { status: 200, headers: {} }, trace: {} }, 0)).toBe(false)
    record(1, 1, 1)
    expect([ids(), journal.total, journal.evicted]).toEqual([[2, 3, 4], 4, 1])
    expect([steps(), missing()]).toEqual([3, 4])
  })

  it('counts a request that was evicted before its response as a missing step', () => {
    const { begin, complete, record, steps, missing } = keep(1, 100)
    const pending = begin()
    record(1)
    expect([steps(), missing()]).toEqual([2, 0])
    complete(pending, { response: { status: 200, headers: {} }, trace: {} }, 0)
    expect([steps(), missing()]).toEqual([1, 1])
  })

  it.each([0, 2])('waits for more requests than the %i it keeps', async (size) => {
    const { journal, record } = keep(size, 100)
    const waiting = journal.waitFor('listPets', { times: 3 })
    record(1, 1, 1)
    expect((await waiting).map(({ id }) => id)).toEqual([1, 2, 3])
  })
})

it('has counts of the same moment as the entries, whatever arrives while they are written', async () => {
  const petstore = createPetstore({ journalSize: 10_000 })
  // Loads the admin API.
  await petstore.fetch('/__admin/health')
  const request = { method: 'GET', path: '/pets/1', query: '', base: '', headers: {} }
  for (let count = 0; count < 500; count++) void petstore.handle(request)
  let isDone = false
  const reading = petstore.fetch('/__admin/journal').finally(() => {
    isDone = true
  })
  while (!isDone) {
    void petstore.handle(request)
    await nextTurn()
  }
  const { entries, total } = (await (await reading).json()) as { entries: unknown[]; total: number }
  expect(petstore.journal.total).toBeGreaterThan(total)
  expect(entries.length).toBe(total)
})
