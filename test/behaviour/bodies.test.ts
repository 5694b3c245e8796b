import { expect, it } from 'vitest'
import { describeAdapters } from '../support/adapters.js'
import { expectError, expectResponse, expectUnchanged, openClient, readResponse } from '../support/client.js'
import { bodyFields, bodyWith, operations, STARTING_DATA, send, VALID_BODIES, withId } from '../support/operations.js'

const withBody = operations.filter(({ body }) => body !== undefined)
const required = bodyFields.filter((field) => field.operation.body?.required?.includes(field.name))

const bytes = (...parts: (string | number[])[]) =>
  new Uint8Array(parts.flatMap((part) => (typeof part === 'string' ? [...new TextEncoder().encode(part)] : part)))

/** Not one JSON document in UTF-8. Each would be a valid body for one operation or another if it were repaired. */
const MALFORMED: [string, string | Uint8Array<ArrayBuffer>][] = [
  ['nothing at all', ''],
  ['blanks and newlines', ' \n\t\r\n '],
  ['an object that is cut off', '{'],
  ['a member that is cut off', '{"name":'],
  ['a string that is cut off', '{"name":"a'],
  ['a word', 'hello'],
  ['a byte-order mark', bytes([0xef, 0xbb, 0xbf], '{"name":"a","categoryId":2,"quantity":1}')],
  ['NaN', '{"name":"a","categoryId":NaN,"quantity":NaN}'],
  ['Infinity', '{"name":"a","categoryId":Infinity,"quantity":Infinity}'],
  ['-Infinity', '{"name":"a","categoryId":-Infinity,"quantity":-Infinity}'],
  ['undefined', '{"name":"a","categoryId":2,"quantity":1,"status":undefined}'],
  ['single quotes', "{'name':'a','categoryId':2,'quantity':1}"],
  ['a name without quotes', '{name:"a",categoryId:2,quantity:1}'],
  ['a comment', '{"name":"a","categoryId":2,"quantity":1/* one */}'],
  ['a comment at the end', '{"name":"a","categoryId":2,"quantity":1} // done'],
  ['a trailing comma', '{"name":"a","categoryId":2,"quantity":1,}'],
  ['a missing comma', '{"name":"a" "categoryId":2 "quantity":1}'],
  ['a leading zero', '{"name":"a","categoryId":02,"quantity":01}'],
  ['a plus', '{"name":"a","categoryId":+2,"quantity":+1}'],
  ['a number that ends in a point', '{"name":"a","categoryId":2.,"quantity":1.}'],
  ['a number in another base', '{"name":"a","categoryId":0x2,"quantity":0x1}'],
  ['a bigint', '{"name":"a","categoryId":2n,"quantity":1n}'],
  ['a line break inside a string', '{"name":"a\nb","categoryId":2,"quantity":1}'],
  ['an unknown escape', '{"name":"\\x41","categoryId":2,"quantity":1}'],
  ['more after its end', '{"name":"a","categoryId":2,"quantity":1} x'],
  ['two documents', '{"name":"a","categoryId":2,"quantity":1}{}'],
  ['a blank that JSON does not know', '\u00a0{"name":"a","categoryId":2,"quantity":1}'],
  ['bytes that are no UTF-8', bytes('{"name":"', [0xff, 0xfe], '","categoryId":2,"quantity":1}')],
  ['a character that is cut off', bytes('{"name":"', [0xe2, 0x82], '","categoryId":2,"quantity":1}')],
  ['an overlong character', bytes('{"name":"', [0xc0, 0xaf], '","categoryId":2,"quantity":1}')],
  ['a surrogate in UTF-8', bytes('{"name":"', [0xed, 0xa0, 0x80], '","categoryId":2,"quantity":1}')],
  ['UTF-16', bytes([...'{"name":"a","categoryId":2,"quantity":1}'].map((each) => `${each}\0`).join(''))],
  ['a form', 'name=a&categoryId=2&quantity=1'],
]

const NOT_OBJECTS = ['[]', '[{}]', 'null', '"x"', '"{}"', '5', '1e2', '12345678901234567890', 'true', ' false\n']

const UNKNOWN_FIELDS = ['colour', 'stock', 'Name', '', '__proto__', 'constructor', 'prototype', 'toString', 'valueOf']

describeAdapters('bodies', (adapter) => {
  it('are tried on every operation that takes one', () => {
    expect([withBody.length, bodyFields.length, required.length]).toEqual([7, 19, 7])
  })

  it.each(withId(withBody))('of %s must be one JSON document in UTF-8', async (_, each) => {
    const { mock } = await openClient(adapter, STARTING_DATA)
    await expectUnchanged(mock, async () => {
      for (const [kind, body] of MALFORMED) {
        const response = await readResponse(await send(mock, each, { body }))
        expect([kind, response.status]).toEqual([kind, 400])
        expectError(response, 400, 'MALFORMED_BODY', /body/)
      }
    })
  })

  it.each(withId(withBody))('of %s must be there', async (_, each) => {
    const { mock } = await openClient(adapter, STARTING_DATA)
    const response = await readResponse(await send(mock, each, { body: '', contentType: null }))
    expectError(response, 400, 'MALFORMED_BODY', /body/)
  })

  it.each(withId(withBody))('of %s must be an object', async (_, each) => {
    const { mock } = await openClient(adapter, STARTING_DATA)
    await expectUnchanged(mock, async () => {
      for (const body of NOT_OBJECTS) {
        expectError(await readResponse(await send(mock, each, { body })), 400, 'INVALID_REQUEST', /object/)
      }
    })
  })

  it.each(withId(withBody))('of %s that hold a field twice mean the last one', async (_, each) => {
    const plain = await openClient(adapter, STARTING_DATA)
    const expected = await readResponse(await send(plain.mock, each))
    const [name = ''] = Object.keys(VALID_BODIES[each.id] ?? {})
    const value = JSON.stringify(VALID_BODIES[each.id]?.[name])
    const escaped = `"\\u${name.charCodeAt(0).toString(16).padStart(4, '0')}${name.slice(1)}"`
    for (const second of [`"${name}"`, escaped]) {
      // The number with an exponent has the body read in the way that is exact.
      for (const other of ['true', '{"a":[1e2,{}]}']) {
        const { mock } = await openClient(adapter, STARTING_DATA)
        const response = await readResponse(
          await send(mock, each, { body: bodyWith(each, name, `${value},${second}:${other}`) }),
        )
        expectError(response, 400, 'INVALID_REQUEST', `/${name}`)
        const body = bodyWith(each, name, `${other},${second}:${value}`)
        expectResponse(await readResponse(await send(mock, each, { body })), each.success, expected.body)
      }
    }
  })

  it.each(withId(required))('must hold %s', async (_, { name, operation: each }) => {
    const { mock } = await openClient(adapter, STARTING_DATA)
    await expectUnchanged(mock, async () => {
      const body = bodyWith(each, name, undefined)
      const elsewhere = [`"__proto__":{"${name}":1}`, `"${name.toUpperCase()}":1`, `"x":{"${name}":1}`]
      for (const sent of [body, ...elsewhere.map((member) => body.replace(/^\{(.)/, `{${member},$1`))]) {
        const response = await readResponse(await send(mock, each, { body: sent.replace(',}', '}') }))
        expectError(response, 400, 'INVALID_REQUEST', new RegExp(`/${name}\\b`))
      }
    })
  })

  it('need not hold the fields that are not required', async () => {
    const { mock } = await openClient(adapter, STARTING_DATA)
    for (const { name, operation: each } of bodyFields.filter((field) => !required.includes(field))) {
      const response = await send(mock, each, { body: bodyWith(each, name, undefined) })
      expect([each.id, name, response.status]).toEqual([each.id, name, each.success])
    }
  })

  it.each(withId(withBody))('of %s may hold fields that nobody knows, which are dropped', async (_, each) => {
    const plain = await openClient(adapter, STARTING_DATA)
    const expected = await readResponse(await send(plain.mock, each))
    for (const number of ['1', '1e2', '12345678901234567890', '1e999', '0.1e-9']) {
      const { mock } = await openClient(adapter, STARTING_DATA)
      const extra = UNKNOWN_FIELDS.map((name) => `${JSON.stringify(name)}:{"polluted":[${number},"{}",null,{"a":[]}]}`)
      const body = `{${extra.join(',')},${JSON.stringify(VALID_BODIES[each.id]).slice(1)}`
      expectResponse(await readResponse(await send(mock, each, { body })), each.success, expected.body)
      expect(({} as Record<string, unknown>).polluted).toBeUndefined()
      expect(Reflect.ownKeys(Object.prototype)).not.toContain('polluted')
      for (const path of ['/pets', '/categories', '/store/orders', '/store/inventory']) {
        expect(await (await mock.fetch(path)).text()).not.toContain('polluted')
      }
    }
  })
})
