import { stripVTControlCharacters } from 'node:util'
import { describe } from 'vitest'
import { expect, test as petstoreTest } from '../../src/runners/vitest/index.js'
import { shop } from '../support/client.js'
import { testedBlocks } from '../support/docs-blocks.js'

const BASE = 'https://petstore.test'
const fixtures = shop([
  { id: 1, stock: 5 },
  { id: 2, stock: 5 },
])
const test = petstoreTest.extend({ petstoreOptions: { baseUrl: BASE, fixtures } })

async function order(body: object): Promise<void> {
  const headers = { 'content-type': 'application/json', 'x-client': 'shop' }
  await fetch(`${BASE}/store/orders`, { method: 'POST', headers, body: JSON.stringify(body) })
}

/** The message of an expectation that fails. */
function messageOf(act: () => void): string {
  try {
    act()
  } catch (error) {
    return (error as Error).message
  }
  throw new Error('The expectation should have failed.')
}

describe('toHaveReceived', () => {
  test('finds a request by its operation and any part of it', async ({ petstore }) => {
    await order({ petId: 1, quantity: 2 })
    await fetch(`${BASE}/pets?status=available&limit=5`)
    await fetch(`${BASE}/pets/1`)
    expect(petstore).toHaveReceived('createOrder')
    expect(petstore).toHaveReceived('createOrder', { body: { petId: 1 } })
    expect(petstore).toHaveReceived('createOrder', { body: { petId: 1n, quantity: 2 }, status: 201 })
    expect(petstore).toHaveReceived('createOrder', { body: { quantity: expect.any(Number) } })
    expect(petstore).toHaveReceived('createOrder', { headers: { 'x-client': 'shop' } })
    expect(petstore).toHaveReceived('listPets', { query: { status: ['available'], limit: 5 } })
    expect(petstore).toHaveReceived('getPet', { params: { petId: 1 } })
    expect(petstore).not.toHaveReceived('createOrder', { body: { petId: 2 } })
    expect(petstore).not.toHaveReceived('createOrder', { status: 409 })
    expect(petstore).not.toHaveReceived('getPet', { params: { petId: 2 } })
    expect(petstore).not.toHaveReceived('deletePet')
  })

  test('compares regular expressions, matchers and objects, at any depth', async ({ petstore }) => {
    await order({ petId: 1, quantity: 2, note: 'to Ada' })
    const expected = (note: unknown) => ({ body: { note } }) as object
    expect(petstore).toHaveReceived('createOrder', { headers: { 'x-client': /^sh/ } })
    expect(petstore).toHaveReceived('createOrder', { headers: expect.objectContaining({ 'x-client': 'shop' }) })
    expect(petstore).toHaveReceived('createOrder', expected(/Ada$/))
    expect(petstore).toHaveReceived('createOrder', expected(expect.stringContaining('Ada')))
    expect(petstore).not.toHaveReceived('createOrder', { headers: { 'x-client': /nope/ } })
    expect(petstore).not.toHaveReceived('createOrder', { headers: new Headers({ 'x-client': 'nope' }) })
    for (const other of [/nope/, {}, new Map([[1, 2]]), expect.any(Number), undefined, null]) {
      expect(petstore).not.toHaveReceived('createOrder', expected(other))
    }
    expect(petstore).toHaveReceived('createOrder', { body: { shipDate: undefined } } as object)
  })

  test('lists the other requests, closest first', async ({ petstore }) => {
    await order({ petId: 1, quantity: 3 })
    await order({ petId: 2, quantity: 3 })
    await fetch(`${BASE}/pets?limit=1`)
    const message = messageOf(() => expect(petstore).toHaveReceived('createOrder', { body: { petId: 2, quantity: 1 } }))
    expect(message).toContain(
      'expected the mock to have received createOrder with {"body": {"petId": 2, "quantity": 1}}',
    )
    const lines = message.split('\n').filter((line) => line.startsWith('  #'))
    expect(lines).toEqual([
      '  #2 createOrder: POST /store/orders {"petId":2,"quantity":3} → 201',
      '  #1 createOrder: POST /store/orders {"petId":1,"quantity":3} → 201',
      '  #3 listPets: GET /pets?limit=1 → 200',
    ])
    // The diff of the closest request shows only expected properties.
    expect(message).toMatch(/- +"quantity": 1,\S*\s+\S*\+ +"quantity": 3,/)
    expect(message).not.toContain('x-client')
  })

  test('prints what docs/unit-tests.md shows', async ({ petstore }) => {
    await order({ petId: 1, quantity: 1 })
    const message = messageOf(() => expect(petstore).toHaveReceived('createOrder', { body: { quantity: 2 } }))
    const [block] = testedBlocks('docs/unit-tests.md', 'test/vitest/matchers.test.ts')
    expect(stripVTControlCharacters(message)).toBe(block?.code)
  })

  test('says if there was no such operation, or no request at all', async ({ petstore }) => {
    expect(messageOf(() => expect(petstore).toHaveReceived('createOrder'))).toContain('It received nothing.')
    await fetch(`${BASE}/pets`)
    const message = messageOf(() => expect(petstore).toHaveReceived('createOrder'))
    expect(message).toContain('It received no createOrder, but:\n  #1 listPets: GET /pets → 200')
  })

  test('lists the requests that should not have been received', async ({ petstore }) => {
    await order({ petId: 1 })
    const message = messageOf(() => expect(petstore).not.toHaveReceived('createOrder'))
    expect(message).toContain('not to have received createOrder, but it did:\n  #1 createOrder')
  })

  test('lists at most five requests', async ({ petstore }) => {
    for (let count = 0; count < 9; count++) await fetch(`${BASE}/pets`)
    const message = messageOf(() => expect(petstore).toHaveReceived('createOrder'))
    expect(message.split('\n').filter((line) => line.startsWith('  #'))).toHaveLength(5)
    expect(message).toContain('and 4 more')
  })

  test('compares secrets without showing them', async ({ petstore }) => {
    await fetch(`${BASE}/pets`, { headers: { Authorization: 'Bearer abc' } })
    expect(petstore).toHaveReceived('listPets', { headers: { Authorization: 'Bearer abc' } })
    expect(petstore).not.toHaveReceived('listPets', { headers: { authorization: 'Bearer other' } })
    const message = messageOf(() =>
      expect(petstore).toHaveReceived('listPets', { headers: { authorization: 'Bearer other' } }),
    )
    expect(message).toContain('(hidden)')
    expect(message).not.toContain('abc')
  })

  test('requires a mock', () => {
    // @ts-expect-error not a mock
    expect(messageOf(() => expect({}).toHaveReceived('getPet'))).toContain('expect(petstore)')
    // @ts-expect-error not a mock
    expect(messageOf(() => expect(1).toHaveReceivedTimes('getPet', 1))).toContain('expect(petstore)')
  })
})

describe('toHaveReceivedTimes', () => {
  test('counts matching requests', async ({ petstore }) => {
    await order({ petId: 1 })
    await order({ petId: 2 })
    expect(petstore).toHaveReceivedTimes('createOrder', 2)
    expect(petstore).toHaveReceivedTimes('createOrder', 1, { body: { petId: 2 } })
    expect(petstore).toHaveReceivedTimes('deleteOrder', 0)
    expect(petstore).not.toHaveReceivedTimes('createOrder', 1)
    const message = messageOf(() => expect(petstore).toHaveReceivedTimes('createOrder', 3))
    expect(message).toContain('createOrder 3 times, but it did 2 times\n  #1 createOrder')
    expect(messageOf(() => expect(petstore).not.toHaveReceivedTimes('createOrder', 2))).toContain('but it did')
  })
})

describe('toHaveNoContractViolations', () => {
  test('passes if every request conforms to the OpenAPI document, even if its response is an error', async ({
    petstore,
  }) => {
    await order({ petId: 1, quantity: 99 })
    await fetch(`${BASE}/pets/77`)
    expect(petstore).toHaveNoContractViolations()
    expect(messageOf(() => expect(petstore).not.toHaveNoContractViolations())).toContain('all 2 conform to it')
  })

  test('lists the requests that violate the document, and why', async ({ petstore }) => {
    await order({ petId: 'one' })
    await fetch(`${BASE}/petz`)
    const message = messageOf(() => expect(petstore).toHaveNoContractViolations())
    expect(message).toContain(
      'but 2 did not:\n  #1 createOrder: POST /store/orders {"petId":"one"} → 400\n    /petId must be',
    )
    expect(message).toContain('  #2 no operation: GET /petz → 404\n    Unknown path')
    expect(petstore).not.toHaveNoContractViolations()
  })
})

describe('With requests missing from the journal', () => {
  const shortTest = test.extend({ petstoreOptions: { baseUrl: BASE, fixtures, journalSize: 1 } })

  shortTest('no expectation passes that they could change', async ({ petstore }) => {
    await order({ petId: 1 })
    await fetch(`${BASE}/pets`)
    expect(petstore).toHaveReceived('listPets')
    for (const act of [
      () => expect(petstore).toHaveReceived('createOrder'),
      () => expect(petstore).not.toHaveReceived('createOrder'),
      () => expect(petstore).toHaveReceivedTimes('listPets', 1),
      () => expect(petstore).not.toHaveReceivedTimes('listPets', 2),
      () => expect(petstore).toHaveNoContractViolations(),
    ]) {
      expect(messageOf(act)).toContain('Increase journalSize')
    }
  })
})

describe('The types of the matchers', () => {
  test('follow the OpenAPI document', async ({ petstore }) => {
    // @ts-expect-error unknown operation
    expect(() => expect(petstore).not.toHaveReceived('getPets')).toThrow('Unknown operation "getPets"')
    // @ts-expect-error unknown property of a request
    expect(() => expect(petstore).not.toHaveReceived('createOrder', { boddy: {} })).toThrow('Available: params, query')
    // @ts-expect-error unknown field of an order
    expect(petstore).not.toHaveReceived('createOrder', { body: { pet: 1 } })
    // @ts-expect-error the operation has no path parameters
    expect(petstore).not.toHaveReceived('createOrder', { params: { petId: 1 } })
    // @ts-expect-error unknown path parameter
    expect(petstore).not.toHaveReceived('getPet', { params: { id: 1 } })
  })
})
