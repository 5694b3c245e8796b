import { expect, it } from 'vitest'
import { describeAdapters } from '../support/adapters.js'
import { combine, forEachCase } from '../support/cases.js'
import { expectError, expectResponse, expectUnchanged, openClient, readResponse } from '../support/client.js'
import { bodyFields, bodyWith, operations, STARTING_DATA, send, VALID_BODIES } from '../support/operations.js'

const withBody = operations.filter(({ body }) => body !== undefined)
const required = bodyFields.filter((field) => field.operation.body?.required?.includes(field.name))

const bytes = (...parts: (string | number[])[]) =>
  new Uint8Array(parts.flatMap((part) => (typeof part === 'string' ? [...new TextEncoder().encode(part)] : part)))

/** Not one JSON document in UTF-8. Each would be a valid body of some operation if the mock repaired it. */
const MALFORMED: [string, string | Uint8Array<ArrayBuffer>][] = [
  ['an empty body', ''],
  ['whitespace', ' \n\t\r\n '],
  ['a truncated object', '{'],
  ['a truncated member', '{"name":'],
  ['a truncated string', '{"name":"a'],
  ['a word', 'hello'],
  ['a byte-order mark', bytes([0xef, 0xbb, 0xbf], '{"name":"a","categoryId":2,"quantity":1}')],
  ['NaN', '{"name":"a","categoryId":NaN,"quantity":NaN}'],
  ['Infinity', '{"name":"a","categoryId":Infinity,"quantity":Infinity}'],
  ['-Infinity', '{"name":"a","categoryId":-Infinity,"quantity":-Infinity}'],
  ['undefined', '{"name":"a","categoryId":2,"quantity":1,"status":undefined}'],
  ['single quotes', "{'name':'a','categoryId':2,'quantity':1}"],
  ['an unquoted name', '{name:"a",categoryId:2,quantity:1}'],
  ['a comment', '{"name":"a","categoryId":2,"quantity":1/* one */}'],
  ['a comment at the end', '{"name":"a","categoryId":2,"quantity":1} // done'],
  ['a trailing comma', '{"name":"a","categoryId":2,"quantity":1,}'],
  ['a missing comma', '{"name":"a" "categoryId":2 "quantity":1}'],
  ['a leading zero', '{"name":"a","categoryId":02,"quantity":01}'],
  ['a plus', '{"name":"a","categoryId":+2,"quantity":+1}'],
  ['a trailing decimal point', '{"name":"a","categoryId":2.,"quantity":1.}'],
  ['a number in another base', '{"name":"a","categoryId":0x2,"quantity":0x1}'],
  ['a bigint', '{"name":"a","categoryId":2n,"quantity":1n}'],
  ['a line break inside a string', '{"name":"a\nb","categoryId":2,"quantity":1}'],
  ['an unknown escape', '{"name":"\\x41","categoryId":2,"quantity":1}'],
  ['a trailing word', '{"name":"a","categoryId":2,"quantity":1} x'],
  ['two documents', '{"name":"a","categoryId":2,"quantity":1}{}'],
  ['a no-break space', '\u00a0{"name":"a","categoryId":2,"quantity":1}'],
  ['invalid UTF-8', bytes('{"name":"', [0xff, 0xfe], '","categoryId":2,"quantity":1}')],
  ['a truncated character', bytes('{"name":"', [0xe2, 0x82], '","categoryId":2,"quantity":1}')],
  ['an overlong character', bytes('{"name":"', [0xc0, 0xaf], '","categoryId":2,"quantity":1}')],
  ['a surrogate in UTF-8', bytes('{"name":"', [0xed, 0xa0, 0x80], '","categoryId":2,"quantity":1}')],
  ['UTF-16', bytes([...'{"name":"a","categoryId":2,"quantity":1}'].map((each) => `${each}\0`).join(''))],
  ['a form', 'name=a&categoryId=2&quantity=1'],
]

const NOT_OBJECTS = ['[]', '[{}]', 'null', '"x"', '"{}"', '5', '1e2', '12345678901234567890', 'true', ' false\n']

const UNKNOWN_FIELDS = ['colour', 'stock', 'Name', '', '__proto__', 'constructor', 'prototype', 'toString', 'valueOf']

describeAdapters('bodies', (adapter) => {
  it('are tested on every operation that takes one', () => {
    expect([withBody.length, bodyFields.length, required.length]).toEqual([7, 19, 7])
  })

  it('must be one JSON document in UTF-8', async () => {
    const { mock } = await openClient(adapter, STARTING_DATA)
    await expectUnchanged(mock, () =>
      forEachCase(
        combine(adapter, withBody, () => MALFORMED),
        async ([, [, body], each]) => {
          expectError(await readResponse(await send(mock, each, { body })), 400, 'MALFORMED_BODY', /body/)
        },
      ),
    )
  })

  it('are required', async () => {
    const { mock } = await openClient(adapter, STARTING_DATA)
    await expectUnchanged(mock, () =>
      forEachCase(withBody, async (each) => {
        const response = await readResponse(await send(mock, each, { body: '', contentType: null }))
        expectError(response, 400, 'MALFORMED_BODY', /body/)
      }),
    )
  })

  it('must be objects', async () => {
    const { mock } = await openClient(adapter, STARTING_DATA)
    await expectUnchanged(mock, () =>
      forEachCase(
        combine(adapter, withBody, () => NOT_OBJECTS),
        async ([, body, each]) => {
          expectError(await readResponse(await send(mock, each, { body })), 400, 'INVALID_REQUEST', /object/)
        },
      ),
    )
  })

  it('with a duplicate field have its last value', async () => {
    const { mock } = await openClient(adapter, STARTING_DATA)
    await forEachCase(withBody, async (each) => {
      mock.petstore.reset()
      const expected = await readResponse(await send(mock, each))
      const [name = ''] = Object.keys(VALID_BODIES[each.id] ?? {})
      const value = JSON.stringify(VALID_BODIES[each.id]?.[name])
      const escaped = `"\\u${name.charCodeAt(0).toString(16).padStart(4, '0')}${name.slice(1)}"`
      for (const second of [`"${name}"`, escaped]) {
        // A number with an exponent makes the mock use its exact JSON parser.
        for (const other of ['true', '{"a":[1e2,{}]}']) {
          mock.petstore.reset()
          const invalid = bodyWith(each, name, `${value},${second}:${other}`)
          const response = await readResponse(await send(mock, each, { body: invalid }))
          expectError(response, 400, 'INVALID_REQUEST', `/${name}`)
          const body = bodyWith(each, name, `${other},${second}:${value}`)
          expectResponse(await readResponse(await send(mock, each, { body })), each.success, expected.body)
        }
      }
    })
  })

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

  it('may have unknown fields, which are dropped', async () => {
    const { mock } = await openClient(adapter, STARTING_DATA)
    const numbers = ['1', '1e2', '12345678901234567890', '1e999', '0.1e-9']
    await forEachCase(
      combine(adapter, withBody, () => numbers),
      async ([, number, each]) => {
        mock.petstore.reset()
        const expected = await readResponse(await send(mock, each))
        mock.petstore.reset()
        const value = `{"polluted":[${number},"{}",null,{"a":[]}]}`
        const extra = UNKNOWN_FIELDS.map((name) => `${JSON.stringify(name)}:${value}`)
        const body = `{${extra.join(',')},${JSON.stringify(VALID_BODIES[each.id]).slice(1)}`
        expectResponse(await readResponse(await send(mock, each, { body })), each.success, expected.body)
        expect(({} as Record<string, unknown>).polluted).toBeUndefined()
        expect(Reflect.ownKeys(Object.prototype)).not.toContain('polluted')
        for (const path of ['/pets', '/categories', '/store/orders', '/store/inventory']) {
          expect(await (await mock.fetch(path)).text()).not.toContain('polluted')
        }
      },
    )
  })
})
