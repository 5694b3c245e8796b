import { describe, expect, it } from 'vitest'
import type { PetstoreOptions } from '../../src/index.js'
import { type Adapter, adapters, describeAdapters } from '../support/adapters.js'
import {
  expectAccepted,
  expectRejectedUnchanged,
  lineOf,
  openPair,
  type Sent,
  sendLine,
  sendToPair,
} from '../support/bad-inputs.js'
import { expectError, expectResponse, expectUnchanged, openClient } from '../support/client.js'
import { fillPath, operations, STARTING_DATA, withId } from '../support/operations.js'

const withBody = operations.filter(({ body }) => body !== undefined)
const lists = operations.filter(({ parameters }) => parameters.some(({ name }) => name === 'limit'))

/** A store with one limit, or with the one that it has by itself. */
const limited = (limits: PetstoreOptions): PetstoreOptions => ({ ...STARTING_DATA, ...limits })

/** A field that nobody knows, added to a body: what is in it counts all the same. */
const withField = ({ body = '' }: Sent, value: string): Sent => ({ body: `{"spare":${value},${String(body).slice(1)}` })

/** A list in a list, so many deep. */
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

/** A list of so many numbers. */
const long = (length: number) => `[${Array(length).fill('1').join(',')}]`

/** How many members a body of an operation has. */
const membersOf = ({ body = '' }: Sent) => Object.keys(JSON.parse(String(body))).length

describeAdapters('limits', (adapter) => {
  it.each(withId(withBody))('let the body of %s be nested 64 levels deep, and not one more', async (_, each) => {
    const { line, sent } = lineOf(each)
    const pair = await openPair(adapter)
    const naming = 'nested deeper than 64 levels'
    await expectRejectedUnchanged(pair, ['', line, '400 INVALID_REQUEST', naming, withField(sent, nested(64))])
    const objects = `${'{"a":'.repeat(64)}1${'}'.repeat(64)}`
    await expectRejectedUnchanged(pair, ['', line, '400 INVALID_REQUEST', naming, withField(sent, objects)])
    const response = await sendToPair(pair, line, withField(sent, nested(63)))
    expect(response.status).toBe(each.success)
  })

  it.each([1, 2, 7])('let a body be nested as deep as maxJsonDepth %i says, and not one more', async (maxJsonDepth) => {
    const pair = await openPair(adapter, limited({ maxJsonDepth }))
    const deep = (depth: number) => ({ body: `{"name":"[[[[[[[[","spare":${depth === 1 ? 1 : nested(depth - 1)}}` })
    const naming = `nested deeper than ${maxJsonDepth} levels`
    await expectRejectedUnchanged(pair, ['', 'POST /categories', '400 INVALID_REQUEST', naming, deep(maxJsonDepth + 1)])
    await expectAccepted(pair, 'POST /categories', 201, { id: 3, name: '[[[[[[[[' }, deep(maxJsonDepth))
  })

  it.each(withId(withBody))('let the body of %s hold 10,000 values, and not one more', async (_, each) => {
    const { line, sent } = lineOf(each)
    const pair = await openPair(adapter)
    const rest = 10_000 - membersOf(sent) - 1
    const naming = 'of more than 10000 values'
    await expectRejectedUnchanged(pair, ['', line, '400 INVALID_REQUEST', naming, withField(sent, long(rest + 1))])
    const response = await sendToPair(pair, line, withField(sent, long(rest)))
    expect(response.status).toBe(each.success)
  })

  it.each([
    ['in an object', '{"name":",,,{[","description":"x","a":1}', '{"name":",,,{[","description":"x","a":1,"b":2}'],
    ['in a list', '{"name":",,,{[","a":[1]}', '{"name":",,,{[","a":[1,2]}'],
    ['in what is nested', '{"name":",,,{[","a":{"b":[ ]}}', '{"name":",,,{[","a":[[],{ }]}'],
    ['which are empty', '{"name":",,,{[","a":[{}]}', '{"name":",,,{[","a":[{},[]]}'],
  ])('let a body hold as many values as maxJsonValues says, and not one more %s', async (_, taken, refused) => {
    const pair = await openPair(adapter, limited({ maxJsonValues: 3 }))
    const naming = 'of more than 3 values'
    await expectRejectedUnchanged(pair, ['', 'POST /categories', '400 INVALID_REQUEST', naming, { body: refused }])
    const response = await sendToPair(pair, 'POST /categories', { body: taken })
    expect([response.status, response.body]).toEqual([201, expect.objectContaining({ id: 3, name: ',,,{[' })])
  })

  it.each(withId(operations))('let the address of %s have 8,192 characters, and not one more', async (_, each) => {
    const { line, sent } = lineOf(each)
    const pair = await openPair(adapter)
    const taken = `${line}?${'x'.repeat(8192 - fillPath(each.path).length - 1)}`
    const naming = /path and query have 8193 characters, and at most 8192 are taken/
    await expectRejectedUnchanged(pair, ['', `${taken}x`, '414 URI_TOO_LONG', naming, sent])
    const response = await sendToPair(pair, taken, sent)
    expect(response.status).toBe(each.success)
  })

  it('let a path have 8,192 characters, and not one more', async () => {
    const pair = await openPair(adapter)
    const path = `/${'x'.repeat(8191)}`
    await expectRejectedUnchanged(pair, ['', `GET ${path}`, '404 ROUTE_NOT_FOUND', 'there is no path'])
    await expectRejectedUnchanged(pair, ['', `GET ${path}x`, '414 URI_TOO_LONG', '8193 characters'])
    const escaped = `/${'%3C'.repeat(2730)}x`
    await expectRejectedUnchanged(pair, ['', `GET ${escaped}`, '404 ROUTE_NOT_FOUND', 'there is no path'])
    await expectRejectedUnchanged(pair, ['', `GET ${escaped}x`, '414 URI_TOO_LONG', '8193 characters'])
  })

  it.each([
    ['/pets?name=rex&limit=1&bogus=12345', 34],
    ['/sandbox/a/pets?name=rex&limit=1&12345', 38],
    ['/store/inventory/1?x=%3C%3C%3C', 30],
  ])('count every character of %s: a maxUrlLength of %i is enough for it', async (path, maxUrlLength) => {
    expect(path).toHaveLength(maxUrlLength)
    const pair = await openPair(adapter, limited({ maxUrlLength }))
    expect((await sendToPair(pair, `GET ${path}`)).status).toBe(200)
    const naming = `have ${maxUrlLength + 1} characters, and at most ${maxUrlLength} are taken`
    await expectRejectedUnchanged(pair, ['', `GET ${path}x`, '414 URI_TOO_LONG', naming])
  })

  it.each(withId(lists))('let a query of %s have 256 parameters, and not one more', async (_, each) => {
    const pair = await openPair(adapter)
    const taken = `GET ${each.path}?limit=1${'&z'.repeat(255)}`
    const naming = 'the query has 257 parameters, and at most 256 are taken'
    await expectRejectedUnchanged(pair, ['', `${taken}&z=1`, '400 INVALID_REQUEST', naming])
    expect((await sendToPair(pair, taken)).status).toBe(200)
  })

  it.each([
    ['of one name', '&limit=1&z=1&z=2', '&z=3'],
    ['of many names', '&limit=1&a&b=', '&c'],
    ['beside empty ones, which are none', '&&limit=1&&a&&b&&', '&__proto__=1'],
    ['that are declared', '&limit=1&offset=0&sort=id', '&name=a'],
  ])('let a query have as many parameters as maxQueryParameters says %s', async (_, query, more) => {
    const pair = await openPair(adapter, limited({ maxQueryParameters: 3 }))
    await expectAccepted(pair, `GET /pets?${query}`, 200, STARTING_DATA.fixtures.pets.slice(0, 1))
    const naming = 'the query has 4 parameters, and at most 3 are taken'
    await expectRejectedUnchanged(pair, ['', `GET /pets?${query}${more}`, '400 INVALID_REQUEST', naming])
    await expectRejectedUnchanged(pair, ['', `GET /nope?${query}${more}`, '400 INVALID_REQUEST', naming])
  })

  it.each([17, 60, 1_048_577])(
    'let a body be as large as maxBodyBytes %i says, and not one more',
    async (maxBodyBytes) => {
      const pair = await openPair(adapter, limited({ maxBodyBytes }))
      const body = '{"name":"Ö"}'.padEnd(maxBodyBytes - 1)
      const naming = `the body is larger than ${maxBodyBytes} bytes`
      await expectRejectedUnchanged(pair, ['', 'POST /categories', '413 BODY_TOO_LARGE', naming, { body: `${body} ` }])
      await expectAccepted(pair, 'POST /categories', 201, { id: 3, name: 'Ö' }, { body })
    },
  )

  it('let a body be a mebibyte, and not one byte more', async () => {
    const pair = await openPair(adapter)
    const body = '{"name":"Ö"}'.padStart(1_048_575)
    const naming = 'the body is larger than 1048576 bytes'
    await expectRejectedUnchanged(pair, ['', 'POST /categories', '413 BODY_TOO_LARGE', naming, { body: ` ${body}` }])
    await expectAccepted(pair, 'POST /categories', 201, { id: 3, name: 'Ö' }, { body })
  })
})

describeAdapters('limits of the control plane', (adapter) => {
  const STATE = 'PUT /__admin/state'
  const owls = { categories: [{ id: 9, name: 'Owls' }] }

  it.each([60, 2_000_000])(
    'let a state be as large as maxStateBytes %i says, and not one more',
    async (maxStateBytes) => {
      const pair = await openPair(adapter, limited({ maxStateBytes, maxBodyBytes: 10 }))
      const body = JSON.stringify(owls).padEnd(maxStateBytes)
      const naming = `the body is larger than ${maxStateBytes} bytes`
      await expectRejectedUnchanged(pair, ['', STATE, '413 BODY_TOO_LARGE', naming, { body: `${body} ` }])
      await expectAccepted(pair, STATE, 204, undefined, { body })
      await expectAccepted(pair, 'GET /categories', 200, owls.categories)
    },
  )

  it('let a state hold more values than another body may', async () => {
    const pair = await openPair(adapter)
    const categories = Array.from({ length: 5000 }, (_, index) => ({ id: index + 1, name: 'Owls' }))
    await expectAccepted(pair, STATE, 204, undefined, { body: JSON.stringify({ categories }) })
    const { headers } = await pair.api.get('/categories?limit=1')
    expect(headers.get('x-total-count')).toBe('5000')
  })

  it('let another body be a mebibyte, and not one byte more', async () => {
    const pair = await openPair(adapter)
    const body = '{"name":"kept"}'.padEnd(1_048_576)
    const naming = 'the body is larger than 1048576 bytes'
    await expectRejectedUnchanged(pair, [
      '',
      'POST /__admin/snapshots',
      '413 BODY_TOO_LARGE',
      naming,
      { body: `${body} ` },
    ])
    expect((await sendToPair(pair, 'POST /__admin/snapshots', { body })).status).toBe(201)
  })

  it('are not those of the store', async () => {
    const pair = await openPair(adapter, limited({ maxBodyBytes: 1, maxJsonDepth: 1, maxJsonValues: 1 }))
    await expectAccepted(pair, STATE, 204, undefined, { body: JSON.stringify(owls) })
    await expectAccepted(pair, 'GET /categories', 200, owls.categories)
    await expectRejectedUnchanged(pair, ['', 'POST /pets', '413 BODY_TOO_LARGE', 'larger than 1 bytes', { body: '{}' }])
  })

  it('let a body be nested 64 levels deep, and not one more', async () => {
    const pair = await openPair(adapter)
    const state = (depth: number) => ({ body: `{"categories":${nested(depth - 1)}}` })
    const naming = 'nested deeper than 64 levels'
    await expectRejectedUnchanged(pair, ['', STATE, '400 INVALID_REQUEST', naming, state(65)])
    await expectRejectedUnchanged(pair, ['', STATE, '400 INVALID_REQUEST', '/categories/0 must be', state(64)])
  })
})

describe('the largest state', () => {
  // In memory alone: the other adapters take the same limit from the same place, and so much takes them seconds.
  it('may have 64 mebibytes, and not one byte more', async () => {
    const { mock, get } = await openClient(adapters[0] as Adapter, STARTING_DATA)
    const body = new Uint8Array(67_108_865).fill(0x20)
    body.set(new TextEncoder().encode('{"categories":[{"id":9,"name":"Owls"}]}'))
    const response = await expectUnchanged(mock, () => sendLine(mock, 'PUT /__admin/state', { body }))
    expectError(response, 413, 'BODY_TOO_LARGE', 'the body is larger than 67108864 bytes')
    expectResponse(await sendLine(mock, 'PUT /__admin/state', { body: body.subarray(0, -1) }), 204)
    expectResponse(await get('/categories'), 200, [{ id: 9, name: 'Owls' }])
  })
})
