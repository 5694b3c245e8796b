import { expect, it } from 'vitest'
import { describeAdapters } from '../support/adapters.js'
import { expectError, expectUnchanged, openClient, readResponse, shop } from '../support/client.js'
import { bodyFields, bodyWith, type Schema, STARTING_DATA, send, withId } from '../support/operations.js'

const NOT_AN_INTEGER = [
  ...['"1"', '""', 'true', 'false', 'null', '[]', '[1]', '{}'],
  ...['1.5', '-0.5', '1e-1', '15e-1', '1e-999999999'],
  // A double would make an integer of each of these
  ...[
    '1.0000000000000000001',
    '0.99999999999999999999',
    '1e-400',
    '-1e-400',
    '9007199254740992.5',
    '9007199254740993.1',
  ],
  ...['123456789012345678.9', '4503599627370497000.5e-3', `1${'0'.repeat(30)}.5`],
]

/** Beyond a double; the last is beyond every number that could be worked out. */
const TOO_LARGE = [
  '1e400',
  '-1e400',
  '1e309',
  '0.1e310',
  '1'.repeat(400),
  '1'.repeat(401),
  `${'1'.repeat(400)}.5`,
  '1e999999999',
]

const WRONG: Readonly<Record<string, readonly string[]>> = {
  string: ['5', '1e2', 'true', 'null', '[]', '["x"]', '{}'],
  enum: ['5', 'null', '[]', '["sold"]', '""', '"SOLD"', '"Sold"', '" sold"', '"sold\\u0000"', '"__proto__"'],
  'date-time': ['5', '1704067200', 'null', '[]', '{}', '""', '"yesterday"', '"2024-02-30T00:00:00Z"', '"2024-01-01"'],
  boolean: ['1', '0', '"true"', '""', 'null', '[]', '{}'],
  integer: NOT_AN_INTEGER,
  int64: [
    ...NOT_AN_INTEGER,
    ...['9223372036854775808', '-9223372036854775809', '1e19', '92233720368547758080e-1', '9223372036854775807.5'],
    ...['18446744073709551616', '18446744073709551617', '1'.repeat(100)],
  ],
}

const integers = bodyFields.filter(({ schema }) => schema.type === 'integer')

const wrongFor = ({ enum: values, format, type = '' }: Schema) => WRONG[values ? 'enum' : (format ?? type)] ?? []

describeAdapters('the values of a body', (adapter) => {
  it('are tried in every field', () => {
    expect(bodyFields).toHaveLength(19)
    expect(bodyFields.filter(({ schema }) => wrongFor(schema).length === 0)).toEqual([])
    expect(integers).toHaveLength(7)
  })

  it.each(withId(bodyFields))('must hold a right value for %s', async (_, { name, schema, operation: each }) => {
    const { mock } = await openClient(adapter, STARTING_DATA)
    await expectUnchanged(mock, async () => {
      for (const spelled of wrongFor(schema)) {
        const response = await readResponse(await send(mock, each, { body: bodyWith(each, name, spelled) }))
        expect([spelled, response.status]).toEqual([spelled, 400])
        expectError(response, 400, 'INVALID_REQUEST', new RegExp(`^/${name}\\b`))
      }
    })
  })

  it.each(withId(integers))(
    'must hold a number that a double can hold for %s',
    async (_, { name, operation: each }) => {
      const { mock } = await openClient(adapter, STARTING_DATA)
      await expectUnchanged(mock, async () => {
        for (const spelled of TOO_LARGE) {
          const response = await readResponse(await send(mock, each, { body: bodyWith(each, name, spelled) }))
          expectError(response, 400, 'INVALID_REQUEST', new RegExp(`^/${name}\\b`))
        }
      })
    },
  )

  it.each(withId(bodyFields))('are echoed with at most 200 characters of %s', async (_, { name, operation: each }) => {
    const { mock } = await openClient(adapter, STARTING_DATA)
    const long = ['1'.repeat(5000), `"${'x'.repeat(5000)}"`, `["${'x'.repeat(5000)}"]`, `{"${'x'.repeat(5000)}":1}`]
    const refused: string[] = []
    for (const spelled of long) {
      const { status, text } = await readResponse(await send(mock, each, { body: bodyWith(each, name, spelled) }))
      if (status === 400) refused.push(text)
    }
    expect(refused.length).toBeGreaterThanOrEqual(3)
    for (const text of refused) expect(text).not.toMatch(/x{201}|1{201}/)
  })

  it.each([
    ['1', ['1', '1.0', '1e0', '10e-1', '0.1e1', '1.000000000000000000000', '1000000000000000000000e-21']],
    ['100', ['1e2', '1E2', '1e+2', '1e0000002', '100.000', '0.00001e7', '10000000000000000000e-17']],
    ['9007199254740993', ['9007199254740993', '9007199254740993.0', '90071992547409930e-1', '9.007199254740993e15']],
    ['9223372036854775807', ['9223372036854775807', '9223372036854775807.00', '922337203685477580700E-2']],
    ['-9223372036854775808', ['-9223372036854775808', '-9.223372036854775808e18', '-9223372036854775808e-0']],
  ])('may spell the id %s in any way of JSON, and it stays exact', async (id, spellings) => {
    const fixtures = { ...shop([{ id, categoryId: id, stock: 100 }]), categories: [{ id, name: 'Dogs' }] }
    const { post, put } = await openClient(adapter, { fixtures })
    for (const spelled of spellings) {
      const pet = `{"name":"${spelled}","categoryId":${spelled}}`
      for (const response of [await post('/pets', pet), await put(`/pets/${id}`, pet)]) {
        expect(response.text).toMatch(new RegExp(`"name":"${spelled.replace('+', '\\+')}","categoryId":${id},`))
      }
      expect((await post('/store/orders', `{"petId":${spelled}}`)).text).toContain(`"petId":${id},`)
    }
  })

  it.each([
    ['1.0', '1'],
    ['20e-1', '2'],
    ['1e2', '100'],
    ['1.00E+2', '100'],
    ['9007199254740991.0', '9007199254740991'],
    ['-0', '0'],
    ['0e999999999', '0'],
  ])('may spell the quantity %s, which is %s', async (spelled, quantity) => {
    const { put } = await openClient(adapter, STARTING_DATA)
    const response = await put('/store/inventory/1', `{"quantity":${spelled}}`)
    expect([response.status, /"quantity":([^,]*),/.exec(response.text)?.[1]]).toEqual([200, quantity])
  })

  it.each(['-0', '0', '0.0', '-0e5', '0e999999999999', '9223372036854775807', '-1', '9007199254740993'])(
    'may name %s, but there is no such category',
    async (id) => {
      const { mock, post } = await openClient(adapter, STARTING_DATA)
      const response = await expectUnchanged(mock, () => post('/pets', `{"name":"a","categoryId":${id}}`))
      const exact = String(BigInt(Number(id) === 0 ? 0 : id))
      expectError(response, 422, 'UNKNOWN_CATEGORY', new RegExp(`(^|[^-0-9])${exact}\\b`))
    },
  )

  it.each([
    ['no character', ''],
    ['three blanks', '   '],
    ['a hundred thousand characters', 'ab'.repeat(50_000)],
    ['two hundred thousand escapes', '\n"'.repeat(100_000)],
    ['letters of many scripts', 'Žofie 한국 ‏שלום 🐕‍🦺 e\u0301 é'],
    ['control characters', '\u0000\u0001\b\t\n\f\r\u001b\u007f\u0085\u2028\u2029\ufeff\ufffd'],
    ['half a surrogate pair', 'a\ud83db'],
    ['markup', '<img src=x onerror=alert(1)></script>&amp;<!--'],
    ['template and shell syntax', "{{1+1}} #{7*7} $(id) `id` %s %00 ../../etc ' OR 1=1 --"],
    ['the name of a prototype', '__proto__'],
    ['JSON', '{"id":7,"quantity":1e400}\\'],
  ])('may name a pet or a category with %s, and it stays as it is', async (_, name) => {
    const { get, post, put } = await openClient(adapter, STARTING_DATA)
    for (const [path, kind] of [
      ['/pets', { categoryId: 2 }],
      ['/categories', { description: name }],
    ] as const) {
      const body = JSON.stringify({ name, ...kind, spare: 0 }).replace(':0}', ':1e5}')
      const created = await post(path, body)
      expect([created.status, created.body]).toEqual([201, expect.objectContaining({ name, ...kind })])
      expect((await put(`${path}/1`, body)).body).toMatchObject({ name, ...kind })
      expect((await get(`${path}/1`)).body).toMatchObject({ name, ...kind })
      const listed = (await get(`${path}?sort=-id`)).body as { name: string }[]
      expect([listed.at(0)?.name, listed.at(-1)?.name]).toEqual([name, name])
    }
  })
})
