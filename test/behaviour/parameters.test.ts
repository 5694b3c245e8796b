import { expect, it } from 'vitest'
import { describeAdapters, type RunningMock } from '../support/adapters.js'
import { combine, forEachCase, sampleFor } from '../support/cases.js'
import { type ApiResponse, expectError, expectUnchanged, openClient, readResponse } from '../support/client.js'
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
const inQuery = parameters.filter(({ parameter }) => parameter.in === 'query')
const scalars = inQuery.filter(({ parameter }) => parameter.schema.type !== 'array')
const bounded = integers.filter(({ parameter }) => parameter.schema.minimum !== undefined)

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
