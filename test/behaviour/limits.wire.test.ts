import { expect, it } from 'vitest'
import type { PetstoreOptions } from '../../src/index.js'
import { describeEveryAdapter } from '../support/adapters.js'
import {
  expectAccepted,
  expectConsistent,
  expectRejectedUnchanged,
  lineOf,
  openPair,
  resetPair,
  type Sent,
  sendToPair,
} from '../support/bad-inputs.js'
import { forEachCase, sampleFor } from '../support/cases.js'
import { fillPath, operations, STARTING_DATA } from '../support/operations.js'

const withBody = operations.filter(({ body }) => body !== undefined)
const lists = operations.filter(({ parameters }) => parameters.some(({ name }) => name === 'limit'))

const withLimits = (limits: PetstoreOptions): PetstoreOptions => ({ ...STARTING_DATA, ...limits })

/** Adds an unknown field to a body: limits apply to it too. */
const withField = ({ body = '' }: Sent, value: string): Sent => ({ body: `{"spare":${value},${String(body).slice(1)}` })

const nestedArrays = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

const arrayOf = (length: number) => `[${Array(length).fill('1').join(',')}]`

const countMembers = ({ body = '' }: Sent) => Object.keys(JSON.parse(String(body))).length

describeEveryAdapter('the default limits', (adapter) => {
  it('allow a body to be nested 64 levels deep, and not one more', async () => {
    const pair = await openPair(adapter)
    const mentioning = 'nested deeper than 64 levels'
    const objects = `${'{"a":'.repeat(64)}1${'}'.repeat(64)}`
    await forEachCase(sampleFor(adapter, withBody), async (each) => {
      resetPair(pair)
      const { line, sent } = lineOf(each)
      for (const tooDeep of [withField(sent, nestedArrays(64)), withField(sent, objects)]) {
        await expectRejectedUnchanged(pair, ['', line, '400 INVALID_REQUEST', mentioning, tooDeep])
      }
      expect((await sendToPair(pair, line, withField(sent, nestedArrays(63)))).status).toBe(each.success)
      await expectConsistent(pair.api)
    })
  })

  it('allow a body to have 10,000 values, and not one more', async () => {
    const pair = await openPair(adapter)
    const mentioning = 'has more than 10000 values'
    await forEachCase(sampleFor(adapter, withBody), async (each) => {
      resetPair(pair)
      const { line, sent } = lineOf(each)
      const remaining = 10_000 - countMembers(sent) - 1
      const tooMany = withField(sent, arrayOf(remaining + 1))
      await expectRejectedUnchanged(pair, ['', line, '400 INVALID_REQUEST', mentioning, tooMany])
      expect((await sendToPair(pair, line, withField(sent, arrayOf(remaining)))).status).toBe(each.success)
      await expectConsistent(pair.api)
    })
  })

  it('allow path and query to have 8,192 characters, and not one more', async () => {
    const pair = await openPair(adapter)
    const mentioning = 'The path and query have 8193 characters. Maximum: 8192.'
    await forEachCase(sampleFor(adapter, operations), async (each) => {
      resetPair(pair)
      const { line, sent } = lineOf(each)
      const longest = `${line}?${'x'.repeat(8192 - fillPath(each.path).length - 1)}`
      await expectRejectedUnchanged(pair, ['', `${longest}x`, '414 URI_TOO_LONG', mentioning, sent])
      expect((await sendToPair(pair, longest, sent)).status).toBe(each.success)
      await expectConsistent(pair.api)
    })
    await forEachCase([`/${'x'.repeat(8191)}`, `/${'%3C'.repeat(2730)}x`], async (path) => {
      await expectRejectedUnchanged(pair, ['', `GET ${path}`, '404 ROUTE_NOT_FOUND', 'Unknown path'])
      await expectRejectedUnchanged(pair, ['', `GET ${path}x`, '414 URI_TOO_LONG', '8193 characters'])
    })
  })

  it('allow a query to have 256 parameters, and not one more', async () => {
    const pair = await openPair(adapter)
    const mentioning = 'The query has 257 parameters. Maximum: 256.'
    await forEachCase(lists, async (each) => {
      const longest = `GET ${each.path}?limit=1${'&z'.repeat(255)}`
      await expectRejectedUnchanged(pair, ['', `${longest}&z=1`, '400 INVALID_REQUEST', mentioning])
      expect((await sendToPair(pair, longest)).status).toBe(200)
    })
  })
})

describeEveryAdapter('the options for limits', (adapter) => {
  it.each([1, 2, 7])(
    'allow a body to be nested maxJsonDepth %i levels deep, and not one more',
    async (maxJsonDepth) => {
      const pair = await openPair(adapter, withLimits({ maxJsonDepth }))
      const deep = (depth: number) => ({
        body: `{"name":"[[[[[[[[","spare":${depth === 1 ? 1 : nestedArrays(depth - 1)}}`,
      })
      const mentioning = `nested deeper than ${maxJsonDepth} levels`
      const tooDeep = deep(maxJsonDepth + 1)
      await expectRejectedUnchanged(pair, ['', 'POST /categories', '400 INVALID_REQUEST', mentioning, tooDeep])
      await expectAccepted(pair, 'POST /categories', 201, { id: 3, name: '[[[[[[[[' }, deep(maxJsonDepth))
    },
  )

  it('allow a body to have maxJsonValues values, and not one more', async () => {
    const pair = await openPair(adapter, withLimits({ maxJsonValues: 3 }))
    await forEachCase(
      [
        ['{"name":",,,{[","description":"x","a":1}', '{"name":",,,{[","description":"x","a":1,"b":2}'],
        ['{"name":",,,{[","a":[1]}', '{"name":",,,{[","a":[1,2]}'],
        ['{"name":",,,{[","a":{"b":[ ]}}', '{"name":",,,{[","a":[[],{ }]}'],
        ['{"name":",,,{[","a":[{}]}', '{"name":",,,{[","a":[{},[]]}'],
      ] as const,
      async ([three, four]) => {
        resetPair(pair)
        const mentioning = 'has more than 3 values'
        await expectRejectedUnchanged(pair, ['', 'POST /categories', '400 INVALID_REQUEST', mentioning, { body: four }])
        const response = await sendToPair(pair, 'POST /categories', { body: three })
        expect([response.status, response.body]).toEqual([201, expect.objectContaining({ id: 3, name: ',,,{[' })])
      },
    )
  })

  it.each([
    ['/pets?name=rex&limit=1&bogus=12345', 34],
    ['/sandbox/a/pets?name=rex&limit=1&12345', 38],
    ['/store/inventory/1?x=%3C%3C%3C', 30],
  ])('count every character of %s, which fits into a maxUrlLength of %i', async (path, maxUrlLength) => {
    expect(path).toHaveLength(maxUrlLength)
    const pair = await openPair(adapter, withLimits({ maxUrlLength }))
    expect((await sendToPair(pair, `GET ${path}`)).status).toBe(200)
    const mentioning = `have ${maxUrlLength + 1} characters. Maximum: ${maxUrlLength}.`
    await expectRejectedUnchanged(pair, ['', `GET ${path}x`, '414 URI_TOO_LONG', mentioning])
  })

  it('do not apply to the admin API', async () => {
    const pair = await openPair(adapter, withLimits({ maxUrlLength: 5, maxQueryParameters: 1 }))
    expect((await sendToPair(pair, 'GET /pets?x')).status).toBe(414)
    expect((await sendToPair(pair, 'GET /__admin/journal?limit=1&operation=getPet')).status).toBe(200)
  })

  it('allow a query to have maxQueryParameters parameters, and not one more', async () => {
    const pair = await openPair(adapter, withLimits({ maxQueryParameters: 3 }))
    await forEachCase(
      [
        ['with the same name', '&limit=1&z=1&z=2', '&z=3'],
        ['with different names', '&limit=1&a&b=', '&c'],
        ['beside empty ones, which do not count', '&&limit=1&&a&&b&&', '&__proto__=1'],
        ['that are declared', '&limit=1&offset=0&sort=id', '&name=a'],
      ] as const,
      async ([, query, more]) => {
        await expectAccepted(pair, `GET /pets?${query}`, 200, STARTING_DATA.fixtures.pets.slice(0, 1))
        const mentioning = 'The query has 4 parameters. Maximum: 3.'
        for (const path of ['/pets', '/nope']) {
          const line = `GET ${path}?${query}${more}`
          await expectRejectedUnchanged(pair, ['', line, '400 INVALID_REQUEST', mentioning])
        }
      },
    )
  })

  it.each([17, 60, 1_048_577])('allow a body to have maxBodyBytes %i bytes, and not one more', async (maxBodyBytes) => {
    const pair = await openPair(adapter, withLimits({ maxBodyBytes }))
    const body = '{"name":"Ö"}'.padEnd(maxBodyBytes - 1)
    const mentioning = `Request body exceeds ${maxBodyBytes} bytes.`
    const tooLarge = { body: `${body} ` }
    await expectRejectedUnchanged(pair, ['', 'POST /categories', '413 BODY_TOO_LARGE', mentioning, tooLarge])
    await expectAccepted(pair, 'POST /categories', 201, { id: 3, name: 'Ö' }, { body })
  })
})

describeEveryAdapter('the limits of the admin API', (adapter) => {
  const STATE = 'PUT /__admin/state'
  const owls = { categories: [{ id: 9, name: 'Owls' }] }

  it.each([60, 2_000_000])('allow a state to have maxStateBytes %i bytes, and not one more', async (maxStateBytes) => {
    const pair = await openPair(adapter, withLimits({ maxStateBytes, maxBodyBytes: 10 }))
    const body = JSON.stringify(owls).padEnd(maxStateBytes)
    const mentioning = `Request body exceeds ${maxStateBytes} bytes.`
    await expectRejectedUnchanged(pair, ['', STATE, '413 BODY_TOO_LARGE', mentioning, { body: `${body} ` }])
    await expectAccepted(pair, STATE, 204, undefined, { body })
    await expectAccepted(pair, 'GET /categories', 200, owls.categories)
  })

  it('allow another body to have a mebibyte, and not one byte more', async () => {
    const pair = await openPair(adapter)
    const body = '{"name":"kept"}'.padEnd(1_048_576)
    const mentioning = 'Request body exceeds 1048576 bytes.'
    const line = 'POST /__admin/snapshots'
    await expectRejectedUnchanged(pair, ['', line, '413 BODY_TOO_LARGE', mentioning, { body: `${body} ` }])
    expect((await sendToPair(pair, line, { body })).status).toBe(201)
  })

  it('are not those of the API', async () => {
    const pair = await openPair(adapter, withLimits({ maxBodyBytes: 1, maxJsonDepth: 1, maxJsonValues: 1 }))
    await expectAccepted(pair, STATE, 204, undefined, { body: JSON.stringify(owls) })
    await expectAccepted(pair, 'GET /categories', 200, owls.categories)
    await expectRejectedUnchanged(pair, ['', 'POST /pets', '413 BODY_TOO_LARGE', 'exceeds 1 bytes', { body: '{}' }])
  })

  it('allow a body to be nested 64 levels deep, and not one more', async () => {
    const pair = await openPair(adapter)
    const state = (depth: number) => ({ body: `{"categories":${nestedArrays(depth - 1)}}` })
    const mentioning = 'nested deeper than 64 levels'
    await expectRejectedUnchanged(pair, ['', STATE, '400 INVALID_REQUEST', mentioning, state(65)])
    await expectRejectedUnchanged(pair, ['', STATE, '400 INVALID_REQUEST', '/categories/0 must be', state(64)])
  })
})
