import { expect, it } from 'vitest'
import { describeAdapters } from '../support/adapters.js'
import {
  type BadInput,
  expectAccepted,
  expectRejectedUnchanged,
  lineOf,
  openPair,
  withTitle,
} from '../support/bad-inputs.js'
import { shop } from '../support/client.js'
import { operations, STARTING_DATA, withId } from '../support/operations.js'

type Bytes = Uint8Array<ArrayBuffer>

const MALFORMED = '400 MALFORMED_BODY'
const INVALID = '400 INVALID_REQUEST'

const bytes = (...parts: (string | number[])[]): Bytes =>
  new Uint8Array(parts.flatMap((part) => (typeof part === 'string' ? [...new TextEncoder().encode(part)] : part)))

/** The body of a pet, with its fields spelled like this. */
const petWith = (fields: Readonly<Record<string, string>>) =>
  `{${Object.entries({ name: '"Ivy"', categoryId: '2', ...fields }).map(([name, value]) => `"${name}":${value}`)}}`

const PET = petWith({})
const ivy = { id: 4, name: 'Ivy', categoryId: 2, status: 'available' }

/** Bodies of createPet that are not one JSON document in UTF-8. Each would be fine if it were repaired. */
function malformed(item: string, ...bodies: [kind: string, body: string | Bytes][]): BadInput[] {
  return bodies.map(([kind, body]) => [`${item} ${kind}`, 'POST /pets', MALFORMED, /^the body is /, { body }])
}

/** Bodies of an operation with a value that breaks its schema. */
function invalid(item: string, naming: string, bodies: readonly string[], line = 'POST /pets'): BadInput[] {
  return bodies.map((body) => [`${item} ${line} ${body.slice(0, 80)}`, line, INVALID, naming, { body }])
}

const spelled = (field: string, ...values: string[]) => values.map((value) => petWith({ [field]: value }))

const unreadable: BadInput[] = [
  ...malformed('E1', ['nothing at all', '']),
  ...malformed('E2', ['an object that is cut off', '{'], ['a member that is cut off', '{"name":']),
  ...malformed('E2', ['a string that is cut off', '{"name":"Ivy'], ['a bracket that is missing', PET.slice(0, -1)]),
  ...malformed('E3', ['a word', 'hello'], ['a form', 'name=Ivy&categoryId=2'], ['a tag', '<pet name="Ivy"/>']),
  ...malformed('E4', ['a byte-order mark', bytes([0xef, 0xbb, 0xbf], PET)], ['UTF-16', bytes([0xff, 0xfe], PET)]),
  ...malformed('E5', ...['NaN', 'Infinity', '-Infinity', 'undefined'].map((value) => odd('categoryId', value))),
  ...malformed('E6', ['single quotes', "{'name':'Ivy','categoryId':2}"], ['bare names', '{name:"Ivy",categoryId:2}']),
  ...malformed('E6', ['a comment', PET.replace(',', '/* two */,')], ['a line of comment', `${PET} // done`]),
  ...malformed('E6', ['a trailing comma', PET.replace('}', ',}')], ['a missing comma', PET.replace(',', ' ')]),
  ...malformed('E6', ...['02', '+2', '2.', '.5', '0x2', '2n', '1_0', '٢'].map((value) => odd('categoryId', value))),
  ...malformed('E6', ['a line break in a string', PET.replace('Ivy', 'I\nvy')], odd('name', '"\\x41"')),
  ...malformed('E13', ['FF FE in a string', bytes('{"categoryId":2,"name":"', [0xff, 0xfe], '"}')]),
  ...malformed('E13', ['a character that is cut off', bytes('{"categoryId":2,"name":"', [0xe2, 0x82], '"}')]),
  ...malformed('E13', ['an overlong slash', bytes('{"categoryId":2,"name":"', [0xc0, 0xaf], '"}')]),
  ...malformed('E13', ['a surrogate', bytes('{"categoryId":2,"name":"', [0xed, 0xa0, 0x80], '"}')]),
  ...malformed('E14', ['more behind it', `${PET} x`], ['a second document', PET + PET], ['a bracket', `${PET}}`]),
  ...malformed('E14', ['a NUL behind it', `${PET}\0`], ['a comma behind it', `${PET},`]),
  ...malformed('E30', ['blanks and newlines', ' \n\t\r\n '], ['another blank', '\u00a0'], ['a NUL', '\0']),
]

function odd(field: string, value: string): [string, string] {
  return [`${field} ${value}`, petWith({ [field]: value })]
}

const wrong: BadInput[] = [
  ...invalid('E15', 'the body must be an object, but is ', ['[]', 'null', '"x"', '5', 'true', '[{}]', '"{}"', ' 1e2 ']),
  ...invalid('E16', '/name must be a string', spelled('name', '5', '["Ivy"]', '{"first":"Ivy"}', 'true', '1e2')),
  ...invalid('E16', '/description must be a string', ['{"name":"Owls","description":[]}'], 'POST /categories'),
  ...invalid('E17', '/name is missing', ['{"categoryId":2}', '{"Name":"Ivy","categoryId":2}']),
  ...invalid('E17', '/name is missing', ['{"__proto__":{"name":"Ivy"},"categoryId":2}']),
  ...invalid('E17', '/categoryId is missing', ['{"name":"Ivy"}', '{"name":"Ivy","category":2}']),
  ...invalid('E17', '/quantity is missing', ['{}', '{"stock":1}'], 'PUT /store/inventory/1'),
  ...invalid('E20', '/status must be one of', spelled('status', 'null')),
  ...invalid('E20', '/description must be a string', ['{"name":"Owls","description":null}'], 'PUT /categories/1'),
  ...invalid('E20', '/shipDate must be', ['{"shipDate":null}'], 'PATCH /store/orders/1'),
  ...invalid('E20', '/petId must be', ['{"petId":null}'], 'POST /store/orders'),
  ...invalid('E20', '/complete must be', ['{"complete":null}'], 'PATCH /store/orders/1'),
  ...invalid('E21', '/status must be one of', spelled('status', '"SOLD"', '" sold"', '"sold\\u0000"', '""', '"none"')),
  ...invalid('E21', '/status must be one of', spelled('status', '["sold"]', '{"sold":1}', '0', '"__proto__"')),
  ...invalid('E23', '/categoryId must be a 64-bit integer', spelled('categoryId', '"2"', '""', 'true', '[2]', 'null')),
  ...invalid('E23', '/quantity must be an integer', ['{"quantity":"1"}', '{"quantity":true}'], 'POST /store/orders'),
  ...invalid('E25', 'but is the number 9223372036854775808', spelled('categoryId', '9223372036854775808')),
  ...invalid('E25', 'but is the number -9223372036854775809', spelled('categoryId', '-9223372036854775809')),
  ...invalid('E25', '/categoryId must be', spelled('categoryId', '1e19', '18446744073709551618', '9'.repeat(400))),
  ...invalid('E31', '/categoryId must be', spelled('categoryId', '1e400', '-1e400', '1e999999999', '2e308')),
  ...invalid('E33', '/categoryId must be', spelled('categoryId', '1.5', '1e-1', '2.0000000000000000001', '1e-400')),
  ...invalid('E34', '/categoryId is missing', ['{"name":"New"}', '{"name":"New","id":1}'], 'PUT /pets/1'),
  ...invalid('E34', '/name is missing', ['{}', '{"status":"sold","categoryId":1}'], 'PUT /pets/1'),
  ...invalid('E34', '/name is missing', ['{"description":"New"}'], 'PUT /categories/1'),
]

const deep = (open: string, close: string) => open.repeat(100_000) + close.repeat(100_000)
const nested: BadInput[] = [
  ['lists', deep('[', ']')],
  ['lists that are never closed', '['.repeat(100_000)],
  ['objects', `${deep('{"a":', '}').replace(':}', ':1}')}`],
  ['objects that are never closed', '{"a":'.repeat(100_000)],
  ['lists in a field', petWith({ name: deep('[', ']') })],
  ['lists in a field that nobody knows', petWith({ colour: deep('[', ']') })],
].map(([kind, body = '']) => [`E9 ${kind}`, 'POST /pets', INVALID, /^the body is .*nested deeper than 64 /, { body }])

const TEXTS = [
  ['E26 no character', ''],
  ['E26 a hundred thousand characters', 'ab'.repeat(50_000)],
  ['E26 a hundred thousand escapes', '\n"'.repeat(50_000)],
  ['E28 a script', 'javascript:alert(1)'],
  ['E28 markup', '<img src=x onerror=alert(1)></script>&amp;<!--'],
  ['E28 template and shell syntax', "{{1+1}} #{7*7} $(id) `id` %s %00 ../../etc ' OR 1=1 --"],
  ['E28 names of the prototype', '__proto__ constructor'],
  ['E28 control characters', '\u0000\u0001\b\t\n\f\r\u001b\u007f\u0085\u2028\u2029\ufeff\ufffd'],
  ['E28 letters of many scripts', 'Žofie 한국 \u200fשלום 🐕\u200d🦺 e\u0301 é'],
  ['E28 half a surrogate pair', 'a\ud83db'],
  ['E32 three blanks', '   '],
  ['E32 blanks around it', ' \tIvy\n '],
] as const

const BIG = [9007199254740992n, 9007199254740993n, 9223372036854775807n, -9223372036854775808n]

/** A world with a category under each of these ids. */
const CATEGORIES = {
  fixtures: { ...shop([{ id: 3 }]), categories: [1, 2, 100, ...BIG].map((id) => ({ id, name: `Owls ${id}` })) },
}

describeAdapters('bad bodies', (adapter) => {
  it.each(withTitle([...unreadable, ...wrong, ...nested]))('%s', async (_, input) => {
    await expectRejectedUnchanged(await openPair(adapter), input)
  })

  it.each(withId(operations.filter(({ body }) => body !== undefined)))(
    'E1 no body is refused by %s',
    async (_, each) => {
      const pair = await openPair(adapter)
      const naming = 'the body is empty, but a JSON object is required'
      await expectRejectedUnchanged(pair, ['E1', lineOf(each).line, MALFORMED, naming])
      await expectRejectedUnchanged(pair, ['E1', lineOf(each).line, MALFORMED, naming, { body: '' }])
    },
  )

  it.each([
    ['another name', petWith({ name: '"Tom","name":"Ivy"' })],
    ['another name, escaped', petWith({ name: '"Tom","n\\u0061me":"Ivy"' })],
    ['a wrong type', petWith({ name: '[1e2],"name":"Ivy"' })],
    ['another category', `{"categoryId":999999,"name":"Ivy","categoryId":2}`],
  ])('E7 of a key that is there twice, with %s, the last one counts', async (_, body) => {
    const pair = await openPair(adapter)
    await expectAccepted(pair, 'POST /pets', 201, ivy, { body })
    await expectAccepted(pair, 'GET /pets/4', 200, ivy)
  })

  it.each([
    ['E8', '__proto__', '{"polluted":1,"status":"sold"}'],
    ['E8', 'constructor', '{"prototype":{"polluted":1}}'],
    ['E8', '\\u005f_proto__', '{"polluted":1e2}'],
    ['E18', 'colour', '"red"'],
    ['E18', 'Status', '"sold"'],
    ['E18', '', '[1,{"a":[]}]'],
    ['E18', 'stock', '12345678901234567890'],
    ['E19', 'id', '1'],
    ['E19', 'id', '999999'],
    ['E19', 'id', '-1'],
    ['E19', 'id', '9223372036854775807'],
  ])('%s %s as a field of a new pet is dropped: %s', async (_, name, value) => {
    const pair = await openPair(adapter)
    await expectAccepted(pair, 'POST /pets', 201, ivy, { body: petWith({ [name]: value }) })
    await expectAccepted(pair, 'GET /pets', 200, [...STARTING_DATA.fixtures.pets, ivy])
    expect(Reflect.ownKeys(Object.prototype)).not.toContain('polluted')
    await expectAccepted(pair, 'POST /pets', 201, { ...ivy, id: 5 }, { body: PET })
  })

  it('E19 an id as a field of another kind is ignored', async () => {
    const pair = await openPair(adapter)
    const order = { id: 3, quantity: 1, complete: false }
    await expectAccepted(pair, 'POST /store/orders', 201, order, { body: '{"id":77}' })
    await expectAccepted(pair, 'POST /categories', 201, { id: 3, name: 'Owls' }, { body: '{"id":77,"name":"Owls"}' })
  })

  it.each([
    ['E10', 10_485_760],
    ['E11', 1_048_577],
  ])('%s %i bytes are too many', async (item, size) => {
    const pair = await openPair(adapter)
    const naming = 'the body is larger than 1048576 bytes'
    await expectRejectedUnchanged(pair, [item, 'POST /pets', '413 BODY_TOO_LARGE', naming, { body: PET.padEnd(size) }])
    await expectAccepted(pair, 'POST /pets', 201, ivy, { body: PET })
  })

  it('E11 1048576 bytes are not', async () => {
    const pair = await openPair(adapter)
    await expectAccepted(pair, 'POST /pets', 201, ivy, { body: PET.padEnd(1_048_576) })
    const name = 'x'.repeat(1_048_576 - petWith({ name: '""' }).length)
    await expectAccepted(pair, 'POST /pets', 201, { ...ivy, id: 5, name }, { body: petWith({ name: `"${name}"` }) })
  })

  it.each([
    ['E22', '1.0', 1],
    ['E22', '1e2', 100],
    ['E22', '10e-1', 1],
    ['E22', '1.00E+2', 100],
    ['E24', '9007199254740993', 9007199254740993n],
    ['E24', '9007199254740993.0', 9007199254740993n],
    ['E24', '9223372036854775807', 9223372036854775807n],
    ['E24', '-9223372036854775808', -9223372036854775808n],
    ['E33', '1E2', 100],
  ])('%s categoryId %s is the category %d', async (_, value, categoryId) => {
    const pair = await openPair(adapter, CATEGORIES)
    const pet = { ...ivy, categoryId }
    const { text } = await expectAccepted(pair, 'POST /pets', 201, pet, { body: petWith({ categoryId: value }) })
    expect(text).toContain(`"categoryId":${categoryId},`)
    await expectAccepted(pair, 'GET /pets/4', 200, pet)
  })

  it.each([
    ['1.0', 1],
    ['1e2', 100],
    ['20e-1', 2],
    ['9007199254740991.0', 9007199254740991],
    ['-0', 0],
  ])('E22 quantity %s is %d in stock', async (value, quantity) => {
    const pair = await openPair(adapter)
    const entry = { petId: 1, quantity, status: quantity === 0 ? 'sold' : 'available' }
    await expectAccepted(pair, 'PUT /store/inventory/1', 200, entry, { body: `{"quantity":${value}}` })
    await expectAccepted(pair, 'GET /store/inventory/1', 200, entry)
  })

  it.each(TEXTS)('%s is a name like any other', async (_, name) => {
    const pair = await openPair(adapter)
    const pet = { ...ivy, name }
    await expectAccepted(pair, 'POST /pets', 201, pet, { body: petWith({ name: JSON.stringify(name) }) })
    await expectAccepted(pair, 'GET /pets/4', 200, pet)
    await expectAccepted(pair, 'GET /pets?offset=3', 200, [pet])
    const category = { id: 1, name, description: name }
    await expectAccepted(pair, 'PUT /categories/1', 200, category, { body: JSON.stringify(category) })
  })

  it.each(['-0', '0', '-0.0', '0e5'])('E33 categoryId %s is 0, and there is no such category', async (value) => {
    const naming = '/categoryId must name a category, but there is none with id 0'
    const body = petWith({ categoryId: value })
    await expectRejectedUnchanged(await openPair(adapter), [
      'E33',
      'POST /pets',
      '422 UNKNOWN_CATEGORY',
      naming,
      { body },
    ])
  })
})
