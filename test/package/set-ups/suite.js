/** One suite for every test runner, environment and client. The files `in-*` register it in each runner. */
import assert from 'node:assert/strict'
import { appendFileSync } from 'node:fs'
import { clearTimeout, setImmediate, setTimeout } from 'node:timers'
import { CLIENTS, EARLY_CLIENTS } from './clients.js'

/** At the origin of the page where there is one. */
export const BASE_URL = `${globalThis.location?.origin ?? 'http://localhost'}/api`

export const OPTIONS = {
  baseUrl: BASE_URL,
  fixtures: {
    categories: [{ id: 1, name: 'Dogs' }],
    pets: [{ id: 1, name: 'Rex', categoryId: 1 }],
  },
}

const JSON_TYPE = { 'Content-Type': 'application/json' }
const NEW_PET = { name: 'Ivy', categoryId: 1 }
const MINUTE_MS = 60_000

// Saved, because a test runner may fake them.
const saved = { clearTimeout, setImmediate, setTimeout }
const nextTurn = () => new Promise((resolve) => saved.setImmediate(resolve))

async function afterTurns(turns) {
  for (let turn = 0; turn < turns; turn++) await nextTurn()
}

const isAbort = ({ name }) => ['AbortError', 'CanceledError'].includes(name)

/** What each client must be able to do. */
const CASES = {
  async 'reads and creates'({ send, petstore }) {
    const text = '{"id":1,"name":"Rex","categoryId":1,"status":"available"}'
    assert.deepEqual(await send('/pets/1'), { status: 200, text })
    assert.equal((await send('/pets/abc')).status, 400)
    const created = await send('/pets', { method: 'POST', headers: JSON_TYPE, body: NEW_PET })
    assert.equal(created.status, 201)
    assert.equal(JSON.parse(created.text).name, 'Ivy')
    assert.equal(petstore.data.pets.all().length, 2)
  },

  async 'has bodies in the journal'({ send, petstore }) {
    const { text } = await send('/pets', { method: 'POST', headers: JSON_TYPE, body: NEW_PET })
    const [entry] = petstore.journal.entries()
    assert.deepEqual(entry.request.body, NEW_PET)
    assert.deepEqual(entry.response.body, JSON.parse(text))
  },

  async 'matches what was received'({ send, petstore, expectReceived }) {
    await send('/pets', { method: 'POST', headers: { ...JSON_TYPE, 'X-Trace': 'abc' }, body: NEW_PET })
    expectReceived(petstore, 'createPet', { body: { name: 'Ivy' }, headers: { 'x-trace': 'abc' }, status: 201 })
    assert.throws(() => expectReceived(petstore, 'createPet', { body: { name: 'Rex' } }), /The closest request/)
    assert.throws(() => expectReceived(petstore, 'deletePet'), /It received no deletePet/)
  },

  async 'gets the response of an override'({ send, petstore }) {
    petstore.override('getPet', { status: 404, body: { code: 'GONE', message: 'It was adopted.', status: 404 } })
    assert.equal(JSON.parse((await send('/pets/1')).text).code, 'GONE')
    let received
    petstore.override('createPet', ({ body, next }) => {
      received = body
      return next()
    })
    assert.equal((await send('/pets', { method: 'POST', headers: JSON_TYPE, body: NEW_PET })).status, 201)
    assert.deepEqual(received, NEW_PET)
  },

  async 'fails when a fault is applied'({ send, petstore }) {
    petstore.faults.add({ kind: 'error', status: 503, times: 1 })
    assert.equal((await send('/pets/1')).status, 503)
    petstore.faults.add({ kind: 'reset', times: 1 })
    await assert.rejects(() => send('/pets/1'))
    petstore.faults.add({ kind: 'malformed', times: 1 })
    const { text } = await send('/pets/1')
    assert.throws(() => JSON.parse(text))
    assert.deepEqual(
      petstore.journal.entries().map(({ fault, status }) => `${fault.kind} ${status}`),
      ['error 503', 'reset 0', 'malformed 200'],
    )
  },

  async 'reaches a sandbox'({ send, petstore }) {
    const sandbox = petstore.sandboxes.open('by-name')
    sandbox.reset()
    const post = { method: 'POST', body: NEW_PET }
    assert.equal((await send('/sandbox/by-name/pets', { ...post, headers: JSON_TYPE })).status, 201)
    const headers = { ...JSON_TYPE, 'X-Petstore-Sandbox': 'by-name' }
    assert.equal((await send('/pets', { ...post, headers })).status, 201)
    assert.equal(sandbox.data.pets.all().length, 3)
    assert.equal(petstore.data.pets.all().length, 1)
  },

  async 'can be aborted'({ send, petstore }) {
    await send('/pets/1')
    petstore.faults.add({ kind: 'timeout' })
    const controller = new AbortController()
    const unsubscribe = petstore.events.subscribe(({ type, change }) => {
      if (type === 'fault' && change === 'applied') controller.abort()
    })
    await assert.rejects(() => send('/pets/1', { signal: controller.signal }), isAbort)
    unsubscribe()
    assert.equal(petstore.journal.total, 2)
  },

  async 'can be aborted while its body is slow'({ send, petstore }) {
    await send('/pets/1')
    petstore.faults.add({ kind: 'slow', delayMs: 1000 })
    const controller = new AbortController()
    const unsubscribe = petstore.events.subscribe(({ type }) => {
      if (type === 'request') void afterTurns(20).then(() => controller.abort())
    })
    await assert.rejects(() => send('/pets/1', { signal: controller.signal }), isAbort)
    unsubscribe()
    // msw goes on with an XMLHttpRequest, and must not when the page is gone. This response ends after the aborted one.
    if (globalThis.XMLHttpRequest) await send('/pets/1')
    else await afterTurns(20)
  },

  async 'works while the date is faked'({ send, petstore, timers }) {
    petstore.sandboxes.open('idle').data.pets.create(NEW_PET)
    timers.fakeDate(Date.now() + 31 * MINUTE_MS)
    assert.equal((await send('/sandbox/idle/pets/2')).status, 200)
    assert.equal(petstore.clock.state().now, new Date().toISOString())
  },

  async 'works while all timers are faked'({ send, petstore, timers }) {
    petstore.faults.add({ operation: 'listPets', delayMs: MINUTE_MS })
    timers.fakeAll()
    assert.equal((await settle(send('/pets/1'))).status, 200)
    const delayed = await settle(send('/pets'), () => timers.advance(MINUTE_MS))
    assert.equal(delayed.status, 200)
  },
}

/** Every way to cancel the body of a response. */
const CANCELLATIONS = {
  cancel: (body) => body.cancel(),
  'cancel of a reader': (body) => body.getReader().cancel(),
  async 'leaving a loop early'(body) {
    for await (const _part of body) break
  },
}

async function cancelBodies() {
  for (const cancel of Object.values(CANCELLATIONS)) await cancel((await fetch(`${BASE_URL}/pets/1`)).body)
}

/** A response needs a few turns of the event loop, however busy the machine is. */
const MAX_TURNS = 10_000

/** Waits for a response while timers are faked. */
async function settle(promise, onTurn = () => {}) {
  let isPending = true
  const stop = () => {
    isPending = false
  }
  promise.then(stop, stop)
  for (let turn = 0; isPending; turn++) {
    if (turn === MAX_TURNS) throw new Error('No response arrived.')
    onTurn()
    await nextTurn()
  }
  return promise
}

/** Less than the time limit of the runners, so that a case that hangs is recorded. */
const TIMEOUT_MS = 60_000

/**
 * Registers the suite with `test(title, act)`, which must call `act` with a mock. Outcomes are recorded and not thrown:
 * `set-ups.test.ts` compares them with what is documented.
 */
export function registerSuite({ setUp, test, expectReceived, timers }) {
  function register(client, sendTo, title, act) {
    const send = (path, options) => sendTo(BASE_URL + path, options)
    test(`${client} ${title}`, async (petstore) => {
      const errors = [
        await findError(act({ send, petstore, expectReceived, timers })),
        await findError(check(petstore)),
      ].filter(Boolean)
      timers.restore()
      appendFileSync(process.env.OUTCOMES, `${JSON.stringify({ ...setUp, client, title, errors })}\n`)
    })
  }
  for (const [client, send] of Object.entries(CLIENTS)) {
    for (const [title, act] of Object.entries(CASES)) register(client, send, title, act)
  }
  register('fetch', CLIENTS.fetch, 'cancels a body', cancelBodies)
  const [title, act] = Object.entries(CASES)[0]
  for (const [client, send] of Object.entries(EARLY_CLIENTS)) register(client, send, title, act)
}

async function check(petstore) {
  petstore.check()
}

/** Returns undefined if there is none. */
function findError(promise) {
  return new Promise((resolve) => {
    const timer = saved.setTimeout(resolve, TIMEOUT_MS, 'The test timed out.')
    promise
      .then(
        () => resolve(),
        (error) => resolve(String(error)),
      )
      .finally(() => saved.clearTimeout(timer))
  })
}
