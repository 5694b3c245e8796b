import { expect, it } from 'vitest'
import { describeAdapters } from '../support/adapters.js'
import { combine, forEachCase } from '../support/cases.js'
import { expectError, expectUnchanged, openClient, readResponse } from '../support/client.js'
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

const required = bodyFields.filter((field) => field.operation.body?.required?.includes(field.name))
const integers = bodyFields.filter(({ schema }) => schema.type === 'integer')

const wrongFor = ({ enum: values, format, type = '' }: Schema) => WRONG[values ? 'enum' : (format ?? type)] ?? []

describeAdapters('bodies', (adapter) => {
  it('must have the required fields', async () => {
    const { mock } = await openClient(adapter, STARTING_DATA)
    await expectUnchanged(mock, () =>
      forEachCase(required, async ({ name, operation: each }) => {
        const body = bodyWith(each, name, undefined)
        const elsewhere = [`"__proto__":{"${name}":1}`, `"${name.toUpperCase()}":1`, `"x":{"${name}":1}`]
        for (const sent of [body, ...elsewhere.map((member) => body.replace(/^\{(.)/, `{${member},$1`))]) {
          const response = await readResponse(await send(mock, each, { body: sent.replace(',}', '}') }))
          expectError(response, 400, 'INVALID_REQUEST', new RegExp(`/${name}\\b`))
        }
      }),
    )
  })

  it('may omit the other fields', async () => {
    const { mock } = await openClient(adapter, STARTING_DATA)
    const optional = bodyFields.filter((field) => !required.includes(field))
    await forEachCase(optional, async ({ name, operation: each }) => {
      expect((await send(mock, each, { body: bodyWith(each, name, undefined) })).status).toBe(each.success)
    })
  })
})

describeAdapters('the values of a body', (adapter) => {
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
})
