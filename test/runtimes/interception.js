/** Interception with the runtime's own test runner. The two files beside this one register these cases in it. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import http, { request as requestByName } from 'node:http'
import https from 'node:https'
import { text } from 'node:stream/consumers'
import axios from 'axios'
import { setupPetstore } from 'petstore-mock/node'

const URL_HTTP = 'http://pets.invalid'
const URL_HTTPS = 'https://pets.invalid'

const PET = { id: 1, name: 'Rex', categoryId: 2, status: 'available' }
const NEW_PET = { name: 'Ivy', categoryId: 1 }

/** Each sends a request and returns the status and the text of the response. */
const clients = {
  async fetch(path, { method = 'GET', body, signal } = {}) {
    const response = await fetch(URL_HTTP + path, { method, signal, ...(body && json(body)) })
    return { status: response.status, text: await response.text() }
  },
  'node:http': (path, options) => sendByNode(http, URL_HTTP + path, options),
  'node:https': (path, options) => sendByNode(https, URL_HTTPS + path, options),
  async axios(path, { method = 'GET', body, signal } = {}) {
    const { status, data } = await axios.request({
      ...{ url: URL_HTTPS + path, method, signal, data: body, proxy: false, validateStatus: () => true },
      ...{ responseType: 'text', transformResponse: (read) => read },
    })
    return { status, text: data }
  },
}

function json(body) {
  return { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }
}

function sendByNode({ request }, url, { method = 'GET', body, signal } = {}) {
  return new Promise((resolve, reject) => {
    const { body: sent, headers = {} } = body ? json(body) : {}
    const outgoing = request(url, { method, headers, signal }, (response) => {
      text(response).then((read) => resolve({ status: response.statusCode, text: read }), reject)
    })
    outgoing.on('error', reject)
    outgoing.end(sent)
  })
}

/** Runs a case with a mock of its own. */
async function withMock(act, options = {}) {
  const fixtures = {
    categories: [
      { id: 1, name: 'Dogs' },
      { id: 2, name: 'Cats' },
    ],
    pets: [PET],
  }
  const petstore = setupPetstore({ baseUrl: [URL_HTTP, URL_HTTPS], fixtures, ...options })
  petstore.listen()
  try {
    await act(petstore)
  } finally {
    petstore.close()
  }
}

const fetchBefore = globalThis.fetch

/** Requests that reach the network although a mock listens at their address. */
const notIntercepted = {
  'a function imported by name from node:http': (url) => sendByNode({ request: requestByName }, url),
  'a fetch saved before listen()': async (url) => ({ text: await (await fetchBefore(url)).text() }),
}

/** Expects that a request reaches the real server at an address that a mock listens at, too. */
export async function expectFromNetwork(send) {
  const server = http.createServer((_request, response) => response.end('from the network')).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const baseUrl = `http://127.0.0.1:${server.address().port}`
  try {
    await withMock(async () => assert.equal((await send(`${baseUrl}/pets/1`)).text, 'from the network'), { baseUrl })
  } finally {
    server.close()
    server.closeAllConnections()
  }
}

export const cases = {
  'closes without a trace': () => {
    const original = globalThis.fetch
    return withMock(() => assert.notEqual(globalThis.fetch, original)).then(() =>
      assert.equal(globalThis.fetch, original),
    )
  },
  'a request that is already aborted reaches no mock': () =>
    withMock(async (petstore) => {
      await assert.rejects(fetch(`${URL_HTTP}/pets`, { signal: AbortSignal.abort() }), { name: 'AbortError' })
      assert.equal(petstore.journal.total, 0)
    }),
}

for (const [name, send] of Object.entries(clients)) {
  Object.assign(cases, {
    [`${name} reads and creates, and the journal has the bodies`]: () =>
      withMock(async (petstore) => {
        assert.deepEqual(await send('/pets/1'), { status: 200, text: JSON.stringify(PET) })
        const { status, text: created } = await send('/pets', { method: 'POST', body: NEW_PET })
        assert.equal(status, 201)
        assert.equal((await send('/pets/abc')).status, 400)
        const [read, create] = petstore.journal.entries()
        assert.deepEqual(read.response.body, PET)
        assert.deepEqual(create.request.body, NEW_PET)
        assert.deepEqual(create.response.body, JSON.parse(created))
        assert.equal(petstore.data.pets.all().length, 2)
      }),

    [`${name} reaches a sandbox`]: () =>
      withMock(async (petstore) => {
        assert.equal((await send('/sandbox/a/pets', { method: 'POST', body: NEW_PET })).status, 201)
        assert.equal(petstore.sandboxes.get('a').data.pets.all().length, 2)
        assert.equal(petstore.data.pets.all().length, 1)
      }),

    [`${name} fails on a reset`]: () =>
      withMock(async (petstore) => {
        petstore.faults.add({ kind: 'reset' })
        await assert.rejects(send('/pets/1'))
        assert.equal(petstore.journal.entries()[0].status, 0)
      }),

    [`${name} fails on a truncated body`]: () =>
      withMock(async (petstore) => {
        petstore.faults.add({ kind: 'truncate' })
        await assert.rejects(send('/pets/1'))
      }),

    [`${name} gets a malformed, a slow, a delayed and an error response`]: () =>
      withMock(async (petstore) => {
        petstore.faults.add({ kind: 'malformed', times: 1 })
        const malformed = await send('/pets/1')
        assert.throws(() => JSON.parse(malformed.text), SyntaxError)
        petstore.faults.add({ kind: 'slow', delayMs: 30, times: 1 })
        petstore.faults.add({ delayMs: 20, times: 1 })
        for (let count = 0; count < 2; count++) assert.equal((await send('/pets/1')).text, JSON.stringify(PET))
        petstore.faults.add({ status: 503, times: 1 })
        assert.equal((await send('/pets/1')).status, 503)
        const kinds = petstore.journal.entries().map(({ fault }) => fault.kind)
        assert.deepEqual(kinds, ['malformed', 'slow', 'delay', 'error'])
      }),

    [`${name} can abort a request that never gets a response`]: () =>
      withMock(async (petstore) => {
        petstore.faults.add({ kind: 'timeout' })
        const aborter = new AbortController()
        petstore.events.subscribe(({ type, change }) => type === 'fault' && change === 'applied' && aborter.abort())
        await assert.rejects(send('/pets/1', { signal: aborter.signal }))
        assert.equal(petstore.journal.total, 1)
      }),

    [`${name} is blocked at another address, and close() reports it`]: async () => {
      const petstore = setupPetstore({ baseUrl: 'http://other.invalid' })
      petstore.listen()
      await assert.rejects(send('/pets/1'))
      assert.throws(() => petstore.close(), { code: 'UNHANDLED_REQUEST' })
    },
  })
}

for (const [name, send] of Object.entries(notIntercepted)) {
  cases[`${name} is not intercepted`] = () => expectFromNetwork(send)
}
