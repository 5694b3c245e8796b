import { expect, it } from 'vitest'
import { describeAdapters } from '../support/adapters.js'
import { combine, forEachCase } from '../support/cases.js'
import { expectError, expectUnchanged, openClient, readResponse, shop } from '../support/client.js'
import { bodyFields, bodyWith, type Schema, STARTING_DATA, send } from '../support/operations.js'

const NOT_AN_INTEGER = [
  ...['"1"', '""', 'true', 'false', 'null', '[]', '[1]', '{}'],
  ...['1.5', '-0.5', '1e-1', '15e-1', '1e-999999999'],
  // Rounded to a double, each of these would be an integer.
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

/** Beyond the range of a double. */
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
  it('are tested in every field', () => {
    expect(bodyFields).toHaveLength(19)
    expect(bodyFields.filter(({ schema }) => wrongFor(schema).length === 0)).toEqual([])
    expect(integers).toHaveLength(7)
  })

  it('must match the schema of their field', async () => {
    const { mock } = await openClient(adapter, STARTING_DATA)
    const wrong = combine(adapter, bodyFields, ({ schema }) => wrongFor(schema))
    const tooLarge = combine(adapter, integers, () => TOO_LARGE)
    await expectUnchanged(mock, () =>
      forEachCase([...wrong, ...tooLarge], async ([, json, { name, operation: each }]) => {
        const response = await readResponse(await send(mock, each, { body: bodyWith(each, name, json) }))
        expectError(response, 400, 'INVALID_REQUEST', new RegExp(`^/${name}\\b`))
      }),
    )
  })

  it('are repeated in an error with at most 200 characters', async () => {
    const { mock } = await openClient(adapter, STARTING_DATA)
    const long = ['1'.repeat(5000), `"${'x'.repeat(5000)}"`, `["${'x'.repeat(5000)}"]`, `{"${'x'.repeat(5000)}":1}`]
    await forEachCase(bodyFields, async ({ name, operation: each }) => {
      const errors: string[] = []
      for (const json of long) {
        const { status, text } = await readResponse(await send(mock, each, { body: bodyWith(each, name, json) }))
        if (status === 400) errors.push(text)
      }
      expect(errors.length).toBeGreaterThanOrEqual(3)
      for (const text of errors) expect(text).not.toMatch(/x{201}|1{201}/)
    })
  })

  it.each([
    ['1', ['1', '1.0', '1e0', '10e-1', '0.1e1', '1.000000000000000000000', '1000000000000000000000e-21']],
    ['100', ['1e2', '1E2', '1e+2', '1e0000002', '100.000', '0.00001e7', '10000000000000000000e-17']],
    ['9007199254740993', ['9007199254740993', '9007199254740993.0', '90071992547409930e-1', '9.007199254740993e15']],
    ['9223372036854775807', ['9223372036854775807', '9223372036854775807.00', '922337203685477580700E-2']],
    ['-9223372036854775808', ['-9223372036854775808', '-9.223372036854775808e18', '-9223372036854775808e-0']],
  ])('may write the id %s in any JSON notation, and it is stored exactly', async (id, notations) => {
    const fixtures = { ...shop([{ id, categoryId: id, stock: 100 }]), categories: [{ id, name: 'Dogs' }] }
    const { post, put } = await openClient(adapter, { fixtures })
    await forEachCase(notations, async (notation) => {
      const pet = `{"name":"${notation}","categoryId":${notation}}`
      for (const response of [await post('/pets', pet), await put(`/pets/${id}`, pet)]) {
        expect(response.text).toMatch(new RegExp(`"name":"${notation.replace('+', '\\+')}","categoryId":${id},`))
      }
      expect((await post('/store/orders', `{"petId":${notation}}`)).text).toContain(`"petId":${id},`)
    })
  })

  it('may write a quantity in any JSON notation', async () => {
    const { put } = await openClient(adapter, STARTING_DATA)
    await forEachCase(
      [
        ['1.0', '1'],
        ['20e-1', '2'],
        ['1e2', '100'],
        ['1.00E+2', '100'],
        ['9007199254740991.0', '9007199254740991'],
        ['-0', '0'],
        ['0e999999999', '0'],
      ] as const,
      async ([notation, quantity]) => {
        const response = await put('/store/inventory/1', `{"quantity":${notation}}`)
        expect([response.status, /"quantity":([^,]*),/.exec(response.text)?.[1]]).toEqual([200, quantity])
      },
    )
  })

  it('may refer to any int64, and the error names the exact id', async () => {
    const { mock, post } = await openClient(adapter, STARTING_DATA)
    const ids = ['-0', '0', '0.0', '-0e5', '0e999999999999', '9223372036854775807', '-1', '9007199254740993']
    await expectUnchanged(mock, () =>
      forEachCase(ids, async (id) => {
        const exact = String(BigInt(Number(id) === 0 ? 0 : id))
        const response = await post('/pets', `{"name":"a","categoryId":${id}}`)
        expectError(response, 422, 'UNKNOWN_CATEGORY', new RegExp(`(^|[^-0-9])${exact}\\b`))
      }),
    )
  })

  it('may be any text, which is stored unchanged', async () => {
    const { mock, get, post, put } = await openClient(adapter, STARTING_DATA)
    await forEachCase(
      [
        '',
        '   ',
        'ab'.repeat(50_000),
        '\n"'.repeat(100_000),
        'Žofie 한국 \u200fשלום 🐕\u200d🦺 e\u0301 é',
        '\u0000\u0001\b\t\n\f\r\u001b\u007f\u0085\u2028\u2029\ufeff\ufffd',
        'a\ud83db',
        '<img src=x onerror=alert(1)></script>&amp;<!--',
        "{{1+1}} #{7*7} $(id) `id` %s %00 ../../etc ' OR 1=1 --",
        '__proto__',
        '{"id":7,"quantity":1e400}\\',
      ],
      async (name) => {
        mock.petstore.reset()
        for (const [path, fields] of [
          ['/pets', { categoryId: 2 }],
          ['/categories', { description: name }],
        ] as const) {
          const body = JSON.stringify({ name, ...fields, spare: 0 }).replace(':0}', ':1e5}')
          const created = await post(path, body)
          expect([created.status, created.body]).toEqual([201, expect.objectContaining({ name, ...fields })])
          expect((await put(`${path}/1`, body)).body).toMatchObject({ name, ...fields })
          expect((await get(`${path}/1`)).body).toMatchObject({ name, ...fields })
          const listed = (await get(`${path}?sort=-id`)).body as { name: string }[]
          expect([listed.at(0)?.name, listed.at(-1)?.name]).toEqual([name, name])
        }
      },
    )
  })
})
