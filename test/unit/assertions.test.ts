import { beforeEach, describe, expect, it, vi } from 'vitest'
import { createPetstore, type Petstore } from '../../src/index.js'
import {
  assertNoContractViolations,
  assertReceived,
  assertReceivedTimes,
  PetstoreAssertionError,
} from '../../src/runners/assertions/index.js'
import { connect } from '../../src/tools/client/index.js'
import { shop } from '../support/client.js'

let petstore: Petstore

beforeEach(async () => {
  petstore = createPetstore({ fixtures: shop([{ id: 1, stock: 5 }]) })
  await petstore.ready
  const headers = { 'Content-Type': 'application/json', Authorization: 'Bearer secret' }
  const body = '{"petId":1,"quantity":2}'
  await petstore.fetch('/store/orders', { method: 'POST', headers, body })
  await petstore.fetch('/pets?status=available&limit=5')
})

describe('assertReceived', () => {
  it('accepts a request by any part of it', () => {
    assertReceived(petstore, 'createOrder')
    assertReceived(petstore, 'createOrder', { body: { petId: 1 }, status: 201 })
    assertReceived(petstore, 'createOrder', { body: { petId: 1n as never } })
    assertReceived(petstore, 'createOrder', { headers: { authorization: 'Bearer secret' } })
    assertReceived(petstore, 'createOrder', { headers: new Headers({ Authorization: 'Bearer secret' }) })
  })

  it('accepts a global regular expression each time', () => {
    const expected = { headers: { authorization: /Bearer/g } }
    assertReceived(petstore, 'createOrder', expected)
    assertReceived(petstore, 'createOrder', expected)
  })

  // Which requests match is tested in test/vitest/matchers.test.ts.
  it('throws for another type, and shows the closest request', () => {
    const act = () => assertReceived(petstore, 'createOrder', { body: { petId: '1' as never } })
    expect(act).toThrow(PetstoreAssertionError)
    expect(act).toThrow('#1 createOrder: POST /store/orders {"petId":1,"quantity":2} → 201')
  })

  it('shows regular expressions and asymmetric matchers', () => {
    const body = { petId: expect.any(String) as never, shipDate: /^2030/ as never }
    expect(() => assertReceived(petstore, 'createOrder', { body })).toThrow(
      'createOrder with {"body":{"petId":"Any<String>","shipDate":"/^2030/"}}',
    )
  })

  it('throws for lists of another length, and for an operation that was not called', () => {
    expect(() => assertReceived(petstore, 'listPets', { query: { status: [] } })).toThrow('listPets with')
    expect(() => assertReceived(petstore, 'deletePet')).toThrow('It received no deletePet, but:')
  })
})

it.each<[title: string, expected: object | null, message: string]>([
  ['a query that is not an object', { query: new URLSearchParams('limit=5') }, '"query" must be an object'],
  ['headers that are a list', { headers: [['a', 'b']] }, '"headers" must be an object'],
  ['null', null, '"expected" must be an object'],
])('assertReceived rejects %s, which could match anything', (_, expected, message) => {
  expect(() => assertReceived(petstore, 'listPets', expected as object)).toThrow(message)
})

it.each([undefined, '1', -1, 0.5])('assertReceivedTimes rejects %s times', (times) => {
  const act = () => assertReceivedTimes(petstore, 'createOrder', times as number)
  expect(act).toThrow('Option "times" must be a whole number of 0 or more')
})

it('assertReceived says that it needs a mock in this process', () => {
  const client = connect('http://127.0.0.1:4010')
  expect(() => assertReceived(client as never, 'listPets')).toThrow('With a client, use its journal.waitFor')
})

it('reads the whole journal only for a message', () => {
  const entries = vi.spyOn(petstore.journal, 'entries')
  assertReceived(petstore, 'listPets')
  expect(entries.mock.calls).toEqual([[{ operation: 'listPets' }]])
})

it('assertReceivedTimes counts', () => {
  assertReceivedTimes(petstore, 'createOrder', 1, { body: { quantity: 2 } })
  assertReceivedTimes(petstore, 'createOrder', 0, { body: { quantity: 3 } })
  expect(() => assertReceivedTimes(petstore, 'createOrder', 2)).toThrow('2 times, but it did once')
})

it('assertNoContractViolations shows the requests that violate the contract', async () => {
  assertNoContractViolations(petstore)
  await petstore.fetch('/pets/x')
  expect(() => assertNoContractViolations(petstore)).toThrow('GET /pets/x → 400')
})
