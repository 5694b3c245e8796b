import { expect, it } from 'vitest'
import { describeAdapters, type RunningMock } from '../support/adapters.js'
import {
  type ApiResponse,
  expectError,
  expectResponse,
  expectUnchanged,
  openClient,
  readResponse,
  shop,
} from '../support/client.js'
import { type Operation, operations, type Parameter, STARTING_DATA, send, withId } from '../support/operations.js'

/** Spellings that are not the canonical one of any integer. */
const MALFORMED = [
  ...['abc', 'one', '-', '--1', '1-', '1a', 'a1', '1n', '1L', '#1', "'1'", '"1"', '[1]', '{1}', '1;2', '1,2', '1/2'],
  ...['1.5', '1.0', '1.', '.5', '1,0', '1_000', '1 000', '+1', '+0', '-0', '01', '007', '-01', '00'],
  ...[' 1', '1 ', '\t1', '1\n', '\r\n1', '1\u0000', '\u00a01', '1\u200b', '\ufeff1'],
  ...['1e0', '1E2', '1e+0', '10e-1', '0x1', '0X1F', '0b1', '0o7', '1f'],
  ...['NaN', 'Infinity', '-Infinity', 'null', 'undefined', 'true', 'false', '__proto__', 'constructor'],
  // Digits of other scripts, a minus sign that is none
  ...['٣', '１', '²', '१', '−1', '–1'],
]

/** Canonical spellings outside int64; the last two would wrap round to 0 and to 1. */
const OUT_OF_INT64 = [
  '9223372036854775808',
  '-9223372036854775809',
  '99999999999999999999',
  '-99999999999999999999',
  '1'.repeat(100),
  '18446744073709551616',
  '18446744073709551617',
]

/** Well-formed ids that nothing in `WORLD` has. */
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
  /** As it reads in a title. */
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

/** Sends an operation's request with one parameter spelled like this, escapes and all. */
async function ask(
  mock: RunningMock,
  { name, parameter, operation: asked }: Case,
  spelled: string,
): Promise<ApiResponse> {
  const changes = parameter.in === 'path' ? { id: spelled } : { query: `${name}=${spelled}` }
  return readResponse(await send(mock, asked, changes))
}

function expectInvalid(response: ApiResponse, name: string): void {
  expectError(response, 400, 'INVALID_REQUEST', new RegExp(`\\b${name}\\b`))
}

/** What is out of an integer's declared range, as far as it has one. */
function outOfRange({ format, minimum, maximum }: Parameter['schema']): string[] {
  if (format === 'int64') return OUT_OF_INT64
  if (minimum === undefined || maximum === undefined) return []
  return [...OUT_OF_INT64, String(minimum - 1), '-20', String(BigInt(maximum) + 1n)]
}

describeAdapters('parameters', (adapter) => {
  it('are all tried', () => {
    expect([parameters.length, integers.length, pathIds.length, scalars.length]).toEqual([31, 22, 11, 18])
    expect([bounded.length, sorts.length]).toEqual([8, 4])
  })

  it.each(withId(integers))('%s takes the canonical decimal spelling and nothing else', async (_, each) => {
    const { mock } = await openClient(adapter, STARTING_DATA)
    const refused = [...MALFORMED, ...outOfRange(each.parameter.schema)].map(encodeURIComponent)
    await expectUnchanged(mock, async () => {
      for (const spelled of [...refused, '+1', '1+']) expectInvalid(await ask(mock, each, spelled), each.name)
    })
  })

  it.each(withId(pathIds))('%s answers 404 for every int64 that nothing has', async (_, each) => {
    const { mock } = await openClient(adapter, STARTING_DATA)
    await expectUnchanged(mock, async () => {
      for (const id of UNUSED_IDS) {
        expectError(await ask(mock, each, id), 404, NOT_FOUND[each.name] ?? '', new RegExp(`(^|[^-0-9])${id}\\b`))
      }
    })
  })

  it.each(withId(pathIds))('%s is decoded once', async (_, each) => {
    const { mock } = await openClient(adapter, STARTING_DATA)
    expectInvalid(await ask(mock, each, '%2531'), each.name)
    expect((await ask(mock, each, '%31')).status).toBe(each.operation.success)
  })

  it.each([
    ['9007199254740992', '9007199254740993'],
    ['9007199254740993', '9007199254740992'],
    ['9223372036854775807', '9223372036854775806'],
    ['-9223372036854775808', '-9223372036854775807'],
    ['-9007199254740993', '-9007199254740992'],
  ])('never take the id %s for its neighbour %s', async (id, neighbour) => {
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

  it.each(withId(bounded))('%s may be as small and as large as declared', async (_, each) => {
    const { mock } = await openClient(adapter, STARTING_DATA)
    const { minimum, maximum } = each.parameter.schema
    for (const spelled of [minimum, maximum]) expect((await ask(mock, each, String(spelled))).status).toBe(200)
  })

  it.each(['0', '-1', '-9007199254740991', '9007199254740991'])('maxQuantity may be %s', async (spelled) => {
    const { get } = await openClient(adapter, STARTING_DATA)
    expect((await get(`/store/inventory?maxQuantity=${spelled}`)).status).toBe(200)
  })

  it.each(withId(inQuery))('%s answers 400 when it is empty, unless it is a text', async (_, each) => {
    const { mock } = await openClient(adapter, STARTING_DATA)
    for (const query of [`${each.name}=`, each.name, `bogus=1&${each.name}=&more=2`]) {
      const response = await readResponse(await send(mock, each.operation, { query }))
      if (each.name === 'name') expect(response.status).toBe(200)
      else expectInvalid(response, each.name)
    }
  })

  it.each(withId(scalars))('%s answers 400 when it is given twice, even alike', async (_, each) => {
    const { mock } = await openClient(adapter, STARTING_DATA)
    const [value, other] =
      each.name === 'sort' ? ['status', '-status'] : each.name === 'complete' ? [true, false] : [1, 2]
    for (const second of [value, other]) {
      const query = `${each.name}=${value}&bogus=1&${each.name}=${second}`
      expectInvalid(await readResponse(await send(mock, each.operation, { query })), each.name)
    }
  })

  it.each([
    'Available',
    'SOLD',
    'availabl',
    'available ',
    ' sold',
    'available,pending',
    'none',
    '0',
    '__proto__',
    'toString',
  ])('status answers 400 for "%s"', async (status) => {
    const { get } = await openClient(adapter)
    for (const path of ['/pets', '/store/inventory']) {
      expectInvalid(await get(`${path}?status=${encodeURIComponent(status)}`), 'status')
      expectInvalid(await get(`${path}?status=sold&status=${encodeURIComponent(status)}`), 'status')
    }
  })

  it('status takes several values', async () => {
    const { get } = await openClient(adapter, STARTING_DATA)
    expectResponse(await get('/store/inventory?status=sold&status=pending&status=sold'), 200, [
      { petId: 2, quantity: 0, status: 'pending' },
      { petId: 3, quantity: 0, status: 'sold' },
    ])
  })

  it.each(['TRUE', 'True', '1', '0', 'yes', 'no', 'null', 'on', ' true', 'true ', 'true,false'])(
    'complete answers 400 for "%s"',
    async (complete) => {
      const { get } = await openClient(adapter)
      expectInvalid(await get(`/store/orders?complete=${encodeURIComponent(complete)}`), 'complete')
    },
  )

  it.each(withId(sorts))('%s answers 400 for what is not a field of the item', async (_, each) => {
    const { mock } = await openClient(adapter)
    const unknown = ['colour', 'ID', '--id', '+id', 'id-', ' id', 'stock', 'id,name', 'id:desc', '__proto__', '-', 'at']
    for (const field of unknown) expectInvalid(await ask(mock, each, encodeURIComponent(field)), 'sort')
  })

  it('that are declared are taken under the strict option', async () => {
    const { get } = await openClient(adapter, { ...STARTING_DATA, strict: true })
    expect((await get('/pets?limit=5&offset=0&sort=-name&status=sold&status=pending&categoryId=2&name=m')).status).toBe(
      200,
    )
    expectError(await get('/pets?complete=true'), 400, 'INVALID_REQUEST', 'complete')
    expectError(await get('/store/orders?name=a'), 400, 'INVALID_REQUEST', 'name')
  })

  it.each([
    ['/pets/X', {}],
    ['/store/orders/X', {}],
    ['/pets?limit=X', {}],
    ['/pets?sort=X', {}],
    ['/pets?status=X', {}],
    ['/store/orders?complete=X', {}],
    ['/pets?X=1', { strict: true }],
  ])('echo at most 200 characters of what was sent in %s', async (target, options) => {
    const { get } = await openClient(adapter, options)
    for (const part of ['x', '%22', '%3C', '%C3%A9']) {
      const response = await get(target.replace('X', part.repeat(Math.floor(6000 / part.length))))
      expectError(response, 400, 'INVALID_REQUEST')
      expect((response.body as { message: string }).message).not.toContain(decodeURIComponent(part).repeat(201))
    }
  })
})
