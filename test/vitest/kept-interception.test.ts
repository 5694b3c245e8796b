import { AsyncResource } from 'node:async_hooks'
import { HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'
import { afterAll, beforeAll, describe, test as plainTest } from 'vitest'
import { expect, test } from '../../src/runners/vitest/index.js'
import { describeError } from '../node/listen.js'

// Between two tests, the interception goes on. Nothing else may notice.

const PETS = 'http://127.0.0.1:4010/pets'
const original = globalThis.fetch
let first: typeof fetch

test('starts to intercept', () => {
  first = globalThis.fetch
  expect(first).not.toBe(original)
})

test('goes on with the same interception, and its own mock', async ({ petstore }) => {
  expect(globalThis.fetch).toBe(first)
  expect((await fetch(PETS)).status).toBe(200)
  expect(petstore.journal.total).toBe(1)
})

let sendLate: () => Promise<unknown>

test('ends before its last request', () => {
  sendLate = AsyncResource.bind(() => fetch(PETS))
})

test('does not get the late request of another test', async ({ petstore }) => {
  expect(await sendLate().catch(describeError)).toContainEqual(
    expect.stringContaining('was made for a mock that is not listening. It may come from a test that has ended.'),
  )
  expect(petstore.journal.total).toBe(0)
})

test('rejects a request after its mock was closed', async ({ petstore }) => {
  petstore.close()
  expect(await fetch(PETS).catch(describeError)).toContainEqual(
    expect.stringContaining('was made for a mock that is not listening.'),
  )
})

describe('An msw server of the user', () => {
  const server = setupServer(http.get('https://rates.test/eur', () => HttpResponse.text('1.1')))
  beforeAll(() => server.listen({ onUnhandledRequest: 'error' }))
  afterAll(() => server.close())

  plainTest('responds in a test without a mock', async () => {
    expect(await (await fetch('https://rates.test/eur')).text()).toBe('1.1')
  })
})

describe('After that server', () => {
  test('a mock responds again', async () => {
    expect((await fetch(PETS)).status).toBe(200)
  })

  plainTest('a test without a mock has the original fetch', () => {
    expect(globalThis.fetch).toBe(original)
  })

  test('a mock responds once more', async () => {
    expect((await fetch(PETS)).status).toBe(200)
  })
})

describe('After a suite', () => {
  beforeAll(() => expect(globalThis.fetch).toBe(original))

  // Expected to fail: the mock cannot work beside it, and says so when it is closed.
  test.fails('a test that starts its own msw server fails', () => {
    const server = setupServer()
    server.listen()
    server.close()
  })

  test('which does not disturb the next one', async () => {
    expect((await fetch(PETS)).status).toBe(200)
  })
})
