import { expect, it } from 'vitest'
import { describeAdapters, type RunningMock } from '../support/adapters.js'
import { combine, forEachCase, sampleFor } from '../support/cases.js'
import {
  type ApiResponse,
  expectError,
  expectResponse,
  expectUnchanged,
  openClient,
  readResponse,
  shop,
} from '../support/client.js'
import { type Operation, operations, type Parameter, STARTING_DATA, send } from '../support/operations.js'

/** Not the canonical decimal notation of an integer. */
const MALFORMED = [
  ...['abc', 'one', '-', '--1', '1-', '1a', 'a1', '1n', '1L', '#1', "'1'", '"1"', '[1]', '{1}', '1;2', '1,2', '1/2'],
  ...['1.5', '1.0', '1.', '.5', '1,0', '1_000', '1 000', '+1', '+0', '-0', '01', '007', '-01', '00'],
  ...[' 1', '1 ', '\t1', '1\n', '\r\n1', '1\u0000', '\u00a01', '1\u200b', '\ufeff1'],
  ...['1e0', '1E2', '1e+0', '10e-1', '0x1', '0X1F', '0b1', '0o7', '1f'],
  ...['NaN', 'Infinity', '-Infinity', 'null', 'undefined', 'true', 'false', '__proto__', 'constructor'],
  // Digits of other scripts, and characters that look like a minus.
  ...['٣', '１', '²', '१', '−1', '–1'],
]

/** Integers outside int64. The last two would wrap round to 0 and 1. */
const OUT_OF_INT64 = [
  '9223372036854775808',
  '-9223372036854775809',
  '99999999999999999999',
  '-99999999999999999999',
  '1'.repeat(100),
  '18446744073709551616',
  '18446744073709551617',
]

/** Valid ids that no record of `STARTING_DATA` has. */
const UNUSED_IDS = [
  '-1',
  '0',
  '999999',
  '9007199254740992',
  '9007199254740993',
  '4294967297',
  '9223372036854775807',
  '-9223372036854775808',
]

const NOT_FOUND: Readonly<Record<string, string>> = {
  petId: 'PET_NOT_FOUND',
  categoryId: 'CATEGORY_NOT_FOUND',
  orderId: 'ORDER_NOT_FOUND',
}

interface Case {
  readonly id: string
  readonly name: string
  readonly parameter: Parameter
  readonly operation: Operation
}

const parameters: Case[] = operations.flatMap((each) =>
  each.parameters.map((parameter) => ({
    id: `${parameter.name} of ${each.id}`,
    name: parameter.name,
    parameter,
    operation: each,
  })),
)
const integers = parameters.filter(({ parameter }) => parameter.schema.type === 'integer')
const pathIds = parameters.filter(({ parameter }) => parameter.in === 'path')
const inQuery = parameters.filter(({ parameter }) => parameter.in === 'query')
const scalars = inQuery.filter(({ parameter }) => parameter.schema.type !== 'array')
const bounded = integers.filter(({ parameter }) => parameter.schema.minimum !== undefined)
const sorts = parameters.filter(({ name }) => name === 'sort')

/** Sends an operation's request with one parameter set to this text, percent-encoding included. */
async function request(
  mock: RunningMock,
  { name, parameter, operation: each }: Case,
  value: string,
): Promise<ApiResponse> {
  const changes = parameter.in === 'path' ? { id: value } : { query: `${name}=${value}` }
  return readResponse(await send(mock, each, changes))
}

function expectInvalid(response: ApiResponse, name: string): void {
  expectError(response, 400, 'INVALID_REQUEST', new RegExp(`\\b${name}\\b`))
}

/** Integers beyond the range that the schema declares. */
function outOfRange({ format, minimum, maximum }: Parameter['schema']): string[] {
  if (format === 'int64') return OUT_OF_INT64
  if (minimum === undefined || maximum === undefined) return []
  return [...OUT_OF_INT64, String(minimum - 1), '-20', String(BigInt(maximum) + 1n)]
}

describeAdapters('parameters', (adapter) => {
  it('are all tested', () => {
    expect([parameters.length, integers.length, pathIds.length, scalars.length]).toEqual([31, 22, 11, 18])
    expect([bounded.length, sorts.length]).toEqual([8, 4])
  })

  it('that are integers must be in canonical decimal notation and in range', async () => {
    const { mock } = await openClient(adapter, STARTING_DATA)
    const invalid = combine(adapter, integers, ({ parameter }) => [
      ...[...MALFORMED, ...outOfRange(parameter.schema)].map(encodeURIComponent),
      ...['+1', '1+'],
    ])
    await expectUnchanged(mock, () =>
      forEachCase(invalid, async ([, value, each]) => expectInvalid(await request(mock, each, value), each.name)),
    )
  })

  it('in a path return 404 for every unused int64', async () => {
    const { mock } = await openClient(adapter, STARTING_DATA)
    await expectUnchanged(mock, () =>
      forEachCase(
        combine(adapter, pathIds, () => UNUSED_IDS),
        async ([, id, each]) => {
          const mentioning = new RegExp(`(^|[^-0-9])${id}\\b`)
          expectError(await request(mock, each, id), 404, NOT_FOUND[each.name] ?? '', mentioning)
        },
      ),
    )
  })

  it('in a path are percent-decoded once', async () => {
    const { mock } = await openClient(adapter, STARTING_DATA)
    await forEachCase(pathIds, async (each) => {
      mock.petstore.reset()
      expectInvalid(await request(mock, each, '%2531'), each.name)
      expect((await request(mock, each, '%31')).status).toBe(each.operation.success)
    })
  })

  it.each([
    ['9007199254740992', '9007199254740993'],
    ['9007199254740993', '9007199254740992'],
    ['9223372036854775807', '9223372036854775806'],
    ['-9223372036854775808', '-9223372036854775807'],
    ['-9007199254740993', '-9007199254740992'],
  ])('do not confuse the id %s with %s', async (id, neighbour) => {
    const pet = { id, name: 'Rex', categoryId: id }
    const { get } = await openClient(adapter, {
      fixtures: {
        ...shop([pet], [{ id, petId: id }]),
        categories: [
          { id, name: 'Dogs' },
          { id: neighbour, name: 'Cats' },
        ],
      },
    })
    expect((await get(`/pets/${id}`)).text).toBe(`{"id":${id},"name":"Rex","categoryId":${id},"status":"available"}`)
    expectError(await get(`/pets/${neighbour}`), 404, 'PET_NOT_FOUND', neighbour)
    expectError(await get(`/store/inventory/${neighbour}`), 404, 'PET_NOT_FOUND', neighbour)
    expectError(await get(`/store/orders/${neighbour}`), 404, 'ORDER_NOT_FOUND', neighbour)
    expect((await get(`/categories/${neighbour}`)).body).toMatchObject({ name: 'Cats' })
    expect((await get(`/pets?categoryId=${id}`)).headers.get('x-total-count')).toBe('1')
    expectResponse(await get(`/pets?categoryId=${neighbour}`), 200, [])
    expect((await get(`/store/orders?petId=${id}`)).headers.get('x-total-count')).toBe('1')
    expectResponse(await get(`/store/orders?petId=${neighbour}`), 200, [])
  })

  it('may have their minimum and maximum', async () => {
    const { mock, get } = await openClient(adapter, STARTING_DATA)
    const limits = combine(adapter, bounded, ({ parameter: { schema } }) => [
      String(schema.minimum),
      String(schema.maximum),
    ])
    await forEachCase(limits, async ([, value, each]) => {
      expect((await request(mock, each, value)).status).toBe(200)
    })
    await forEachCase(['0', '-1', '-9007199254740991', '9007199254740991'], async (maxQuantity) => {
      expect((await get(`/store/inventory?maxQuantity=${maxQuantity}`)).status).toBe(200)
    })
  })

  it.each(['True', 'TRUE', '1', 'yes', 'null'])('that are booleans must be true or false, not %s', async (value) => {
    const { get } = await openClient(adapter, STARTING_DATA)
    const message = `query parameter complete must be true or false, but is "${value}"`
    expectError(await get(`/store/orders?complete=${value}`), 400, 'INVALID_REQUEST', message)
  })

  it('in a query must not be empty, except name', async () => {
    const { mock } = await openClient(adapter, STARTING_DATA)
    await forEachCase(inQuery, async (each) => {
      for (const query of sampleFor(adapter, [`${each.name}=`, each.name, `bogus=1&${each.name}=&more=2`])) {
        const response = await readResponse(await send(mock, each.operation, { query }))
        if (each.name === 'name') expect(response.status).toBe(200)
        else expectInvalid(response, each.name)
      }
    })
  })

  it('in a query must not be given twice, even with the same value', async () => {
    const { mock } = await openClient(adapter, STARTING_DATA)
    await forEachCase(scalars, async (each) => {
      const [value, other] =
        each.name === 'sort' ? ['status', '-status'] : each.name === 'complete' ? [true, false] : [1, 2]
      for (const second of sampleFor(adapter, [value, other])) {
        const query = `${each.name}=${value}&bogus=1&${each.name}=${second}`
        expectInvalid(await readResponse(await send(mock, each.operation, { query })), each.name)
      }
    })
  })

  it('that are enumerations accept only their declared values', async () => {
    const { mock, get } = await openClient(adapter, STARTING_DATA)
    const statuses = [
      ...['Available', 'SOLD', 'availabl', 'available ', ' sold', 'available,pending', 'none', '0'],
      ...['__proto__', 'toString'],
    ]
    await forEachCase(sampleFor(adapter, statuses), async (status) => {
      for (const path of ['/pets', '/store/inventory']) {
        expectInvalid(await get(`${path}?status=${encodeURIComponent(status)}`), 'status')
        expectInvalid(await get(`${path}?status=sold&status=${encodeURIComponent(status)}`), 'status')
      }
    })
    const booleans = ['TRUE', 'True', '1', '0', 'yes', 'no', 'null', 'on', ' true', 'true ', 'true,false']
    await forEachCase(sampleFor(adapter, booleans), async (complete) => {
      expectInvalid(await get(`/store/orders?complete=${encodeURIComponent(complete)}`), 'complete')
    })
    const fields = ['colour', 'ID', '--id', '+id', 'id-', ' id', 'stock', 'id,name', 'id:desc', '__proto__', '-', 'at']
    await forEachCase(
      combine(adapter, sorts, () => fields.map(encodeURIComponent)),
      async ([, field, each]) => expectInvalid(await request(mock, each, field), 'sort'),
    )
  })

  it('that are declared are accepted in strict mode', async () => {
    const { get } = await openClient(adapter, { ...STARTING_DATA, strict: true })
    expect((await get('/pets?limit=5&offset=0&sort=-name&status=sold&status=pending&categoryId=2&name=m')).status).toBe(
      200,
    )
    expectError(await get('/pets?complete=true'), 400, 'INVALID_REQUEST', 'complete')
    expectError(await get('/store/orders?name=a'), 400, 'INVALID_REQUEST', 'name')
  })

  it('are repeated in an error with at most 200 characters', async () => {
    const { get } = await openClient(adapter, { ...STARTING_DATA, strict: true })
    const targets = ['/pets/X', '/store/orders/X', '/pets?limit=X', '/pets?sort=X', '/pets?status=X']
    await forEachCase([...targets, '/store/orders?complete=X', '/pets?X=1'], async (target) => {
      for (const part of sampleFor(adapter, ['%C3%A9', 'x', '%22', '%3C'])) {
        const response = await get(target.replace('X', part.repeat(Math.floor(6000 / part.length))))
        expectError(response, 400, 'INVALID_REQUEST')
        expect((response.body as { message: string }).message).not.toContain(decodeURIComponent(part).repeat(201))
      }
    })
  })
})
