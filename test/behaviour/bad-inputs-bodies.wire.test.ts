import { expect, it } from 'vitest'
import { describeEveryAdapter } from '../support/adapters.js'
import {
  type BadInput,
  expectAccepted,
  expectAllRejected,
  expectConsistent,
  expectRejectedUnchanged,
  lineOf,
  openPair,
  resetPair,
} from '../support/bad-inputs.js'
import { forEachCase } from '../support/cases.js'
import { shop } from '../support/client.js'
import { operations, STARTING_DATA } from '../support/operations.js'

type Bytes = Uint8Array<ArrayBuffer>

const MALFORMED = '400 MALFORMED_BODY'
const INVALID = '400 INVALID_REQUEST'

const bytes = (...parts: (string | number[])[]): Bytes =>
  new Uint8Array(parts.flatMap((part) => (typeof part === 'string' ? [...new TextEncoder().encode(part)] : part)))

/** The body of a pet, with some fields replaced by this JSON text. */
const petWith = (fields: Readonly<Record<string, string>>) =>
  `{${Object.entries({ name: '"Ivy"', categoryId: '2', ...fields }).map(([name, value]) => `"${name}":${value}`)}}`

const PET = petWith({})
const ivy = { id: 4, name: 'Ivy', categoryId: 2, status: 'available' }

/** Bodies of createPet that are not one JSON document in UTF-8. Each would be valid if the mock repaired it. */
function malformed(item: string, ...bodies: [kind: string, body: string | Bytes][]): BadInput[] {
  return bodies.map(([kind, body]) => [`${item} ${kind}`, 'POST /pets', MALFORMED, /^Request body is /, { body }])
}

/** Bodies that violate the schema of their operation. */
function invalid(item: string, mentioning: string, bodies: readonly string[], line = 'POST /pets'): BadInput[] {
  return bodies.map((body) => [`${item} ${line} ${body.slice(0, 80)}`, line, INVALID, mentioning, { body }])
}

const petsWith = (field: string, ...values: string[]) => values.map((value) => petWith({ [field]: value }))

const unreadable: BadInput[] = [
  ...malformed('E1', ['empty', '']),
  ...malformed('E2', ['a truncated object', '{'], ['a truncated member', '{"name":']),
  ...malformed('E2', ['a truncated string', '{"name":"Ivy'], ['a missing brace', PET.slice(0, -1)]),
  ...malformed('E3', ['a word', 'hello'], ['a form', 'name=Ivy&categoryId=2'], ['a tag', '<pet name="Ivy"/>']),
  ...malformed('E4', ['a byte-order mark', bytes([0xef, 0xbb, 0xbf], PET)], ['UTF-16', bytes([0xff, 0xfe], PET)]),
  ...malformed('E5', ...['NaN', 'Infinity', '-Infinity', 'undefined'].map((value) => withValue('categoryId', value))),
  ...malformed(
    'E6',
    ['single quotes', "{'name':'Ivy','categoryId':2}"],
    ['unquoted names', '{name:"Ivy",categoryId:2}'],
  ),
  ...malformed('E6', ['a comment', PET.replace(',', '/* two */,')], ['a line comment', `${PET} // done`]),
  ...malformed('E6', ['a trailing comma', PET.replace('}', ',}')], ['a missing comma', PET.replace(',', ' ')]),
  ...malformed(
    'E6',
    ...['02', '+2', '2.', '.5', '0x2', '2n', '1_0', '٢'].map((value) => withValue('categoryId', value)),
  ),
  ...malformed('E6', ['a line break in a string', PET.replace('Ivy', 'I\nvy')], withValue('name', '"\\x41"')),
  ...malformed('E13', ['FF FE in a string', bytes('{"categoryId":2,"name":"', [0xff, 0xfe], '"}')]),
  ...malformed('E13', ['a truncated character', bytes('{"categoryId":2,"name":"', [0xe2, 0x82], '"}')]),
  ...malformed('E13', ['an overlong slash', bytes('{"categoryId":2,"name":"', [0xc0, 0xaf], '"}')]),
  ...malformed('E13', ['a surrogate', bytes('{"categoryId":2,"name":"', [0xed, 0xa0, 0x80], '"}')]),
  ...malformed(
    'E14',
    ['a trailing word', `${PET} x`],
    ['a second document', PET + PET],
    ['a trailing brace', `${PET}}`],
  ),
  ...malformed('E14', ['a trailing NUL', `${PET}\0`], ['a comma after it', `${PET},`]),
  ...malformed('E30', ['whitespace', ' \n\t\r\n '], ['a no-break space', '\u00a0'], ['a NUL', '\0']),
]

function withValue(field: string, value: string): [string, string] {
  return [`${field} ${value}`, petWith({ [field]: value })]
}

const violatingSchema: BadInput[] = [
  ...invalid('E15', 'the body must be an object, but is ', ['[]', 'null', '"x"', '5', 'true', '[{}]', '"{}"', ' 1e2 ']),
  ...invalid('E16', '/name must be a string', petsWith('name', '5', '["Ivy"]', '{"first":"Ivy"}', 'true', '1e2')),
  ...invalid('E16', '/description must be a string', ['{"name":"Owls","description":[]}'], 'POST /categories'),
  ...invalid('E17', '/name is missing', ['{"categoryId":2}', '{"Name":"Ivy","categoryId":2}']),
  ...invalid('E17', '/name is missing', ['{"__proto__":{"name":"Ivy"},"categoryId":2}']),
  ...invalid('E17', '/categoryId is missing', ['{"name":"Ivy"}', '{"name":"Ivy","category":2}']),
  ...invalid('E17', '/quantity is missing', ['{}', '{"stock":1}'], 'PUT /store/inventory/1'),
  ...invalid('E20', '/status must be one of', petsWith('status', 'null')),
  ...invalid('E20', '/description must be a string', ['{"name":"Owls","description":null}'], 'PUT /categories/1'),
  ...invalid('E20', '/shipDate must be', ['{"shipDate":null}'], 'PATCH /store/orders/1'),
  ...invalid('E20', '/petId must be', ['{"petId":null}'], 'POST /store/orders'),
  ...invalid('E20', '/complete must be', ['{"complete":null}'], 'PATCH /store/orders/1'),
  ...invalid('E21', '/status must be one of', petsWith('status', '"SOLD"', '" sold"', '"sold\\u0000"', '""', '"none"')),
  ...invalid('E21', '/status must be one of', petsWith('status', '["sold"]', '{"sold":1}', '0', '"__proto__"')),
  ...invalid('E23', '/categoryId must be a 64-bit integer', petsWith('categoryId', '"2"', '""', 'true', '[2]', 'null')),
  ...invalid('E23', '/quantity must be an integer', ['{"quantity":"1"}', '{"quantity":true}'], 'POST /store/orders'),
  ...invalid('E25', 'but is the number 9223372036854775808', petsWith('categoryId', '9223372036854775808')),
  ...invalid('E25', 'but is the number -9223372036854775809', petsWith('categoryId', '-9223372036854775809')),
  ...invalid('E25', '/categoryId must be', petsWith('categoryId', '1e19', '18446744073709551618', '9'.repeat(400))),
  ...invalid('E31', '/categoryId must be', petsWith('categoryId', '1e400', '-1e400', '1e999999999', '2e308')),
  ...invalid('E33', '/categoryId must be', petsWith('categoryId', '1.5', '1e-1', '2.0000000000000000001', '1e-400')),
  ...invalid('E34', '/categoryId is missing', ['{"name":"New"}', '{"name":"New","id":1}'], 'PUT /pets/1'),
  ...invalid('E34', '/name is missing', ['{}', '{"status":"sold","categoryId":1}'], 'PUT /pets/1'),
  ...invalid('E34', '/name is missing', ['{"description":"New"}'], 'PUT /categories/1'),
]

const deep = (open: string, close: string) => open.repeat(100_000) + close.repeat(100_000)
const nested: BadInput[] = [
  ['arrays', deep('[', ']')],
  ['unclosed arrays', '['.repeat(100_000)],
  ['objects', `${deep('{"a":', '}').replace(':}', ':1}')}`],
  ['unclosed objects', '{"a":'.repeat(100_000)],
  ['arrays in a field', petWith({ name: deep('[', ']') })],
  ['arrays in an unknown field', petWith({ colour: deep('[', ']') })],
].map(([kind, body = '']) => [
  `E9 ${kind}`,
  'POST /pets',
  INVALID,
  /^Request body is nested deeper than 64 levels\.$/,
  { body },
])

const TEXTS = [
  ['E26 an empty name', ''],
  ['E26 a hundred thousand characters', 'ab'.repeat(50_000)],
  ['E26 a hundred thousand escapes', '\n"'.repeat(50_000)],
  ['E28 a script', 'javascript:alert(1)'],
  ['E28 markup', '<img src=x onerror=alert(1)></script>&amp;<!--'],
  ['E28 template and shell syntax', "{{1+1}} #{7*7} $(id) `id` %s %00 ../../etc ' OR 1=1 --"],
  ['E28 names from the object prototype', '__proto__ constructor'],
  ['E28 control characters', '\u0000\u0001\b\t\n\f\r\u001b\u007f\u0085\u2028\u2029\ufeff\ufffd'],
  ['E28 letters of many scripts', 'Žofie 한국 \u200fשלום 🐕\u200d🦺 e\u0301 é'],
  ['E28 half a surrogate pair', 'a\ud83db'],
  ['E32 three spaces', '   '],
  ['E32 surrounding whitespace', ' \tIvy\n '],
] as const

const BIG = [9007199254740992n, 9007199254740993n, 9223372036854775807n, -9223372036854775808n]

/** Starting data with a category for each of these ids. */
const CATEGORIES = {
  fixtures: { ...shop([{ id: 3 }]), categories: [1, 2, 100, ...BIG].map((id) => ({ id, name: `Owls ${id}` })) },
}

describeEveryAdapter('bad bodies', (adapter) => {
  it('rejects bodies that are not one JSON document in UTF-8', () => expectAllRejected(adapter, unreadable))

  it('rejects bodies that violate the schema', () => expectAllRejected(adapter, violatingSchema))

  it('rejects bodies that are nested too deeply', () => expectAllRejected(adapter, nested))

  it('E1 every operation that takes a body requires one', async () => {
    const pair = await openPair(adapter)
    const mentioning = 'Request body is empty. A JSON object is required.'
    await forEachCase(
      operations.filter(({ body }) => body !== undefined),
      async (each) => {
        await expectRejectedUnchanged(pair, ['E1', lineOf(each).line, MALFORMED, mentioning])
        await expectRejectedUnchanged(pair, ['E1', lineOf(each).line, MALFORMED, mentioning, { body: '' }])
      },
    )
    await expectConsistent(pair.api)
  })

  it('E7 of a duplicate key, the last value counts', async () => {
    const pair = await openPair(adapter)
    await forEachCase(
      [
        petWith({ name: '"Tom","name":"Ivy"' }),
        petWith({ name: '"Tom","n\\u0061me":"Ivy"' }),
        petWith({ name: '[1e2],"name":"Ivy"' }),
        '{"categoryId":999999,"name":"Ivy","categoryId":2}',
      ],
      async (body) => {
        resetPair(pair)
        await expectAccepted(pair, 'POST /pets', 201, ivy, { body })
        await expectAccepted(pair, 'GET /pets/4', 200, ivy)
      },
    )
  })

  it('drops unknown fields of a new pet, and its id', async () => {
    const pair = await openPair(adapter)
    await forEachCase(
      [
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
      ] as const,
      async ([, name, value]) => {
        resetPair(pair)
        await expectAccepted(pair, 'POST /pets', 201, ivy, { body: petWith({ [name]: value }) })
        await expectAccepted(pair, 'GET /pets', 200, [...STARTING_DATA.fixtures.pets, ivy])
        expect(Reflect.ownKeys(Object.prototype)).not.toContain('polluted')
        await expectAccepted(pair, 'POST /pets', 201, { ...ivy, id: 5 }, { body: PET })
      },
    )
  })

  it('E19 ignores the id of a new order or category', async () => {
    const pair = await openPair(adapter)
    const order = { id: 3, quantity: 1, complete: false }
    await expectAccepted(pair, 'POST /store/orders', 201, order, { body: '{"id":77}' })
    await expectAccepted(pair, 'POST /categories', 201, { id: 3, name: 'Owls' }, { body: '{"id":77,"name":"Owls"}' })
  })

  it('rejects a body that is too large, then accepts the next one', async () => {
    const pair = await openPair(adapter)
    const mentioning = 'Request body exceeds 1048576 bytes.'
    await forEachCase(
      [
        ['E10', 10_485_760],
        ['E11', 1_048_577],
      ] as const,
      async ([item, size]) => {
        resetPair(pair)
        const body = PET.padEnd(size)
        await expectRejectedUnchanged(pair, [item, 'POST /pets', '413 BODY_TOO_LARGE', mentioning, { body }])
        await expectAccepted(pair, 'POST /pets', 201, ivy, { body: PET })
      },
    )
  })

  it('E11 accepts a body of 1048576 bytes', async () => {
    const pair = await openPair(adapter)
    await expectAccepted(pair, 'POST /pets', 201, ivy, { body: PET.padEnd(1_048_576) })
    const name = 'x'.repeat(1_048_576 - petWith({ name: '""' }).length)
    await expectAccepted(pair, 'POST /pets', 201, { ...ivy, id: 5, name }, { body: petWith({ name: `"${name}"` }) })
  })

  it('reads every JSON notation of an integer exactly', async () => {
    const pair = await openPair(adapter, CATEGORIES)
    await forEachCase(
      [
        ['E22', '1.0', 1],
        ['E22', '1e2', 100],
        ['E22', '10e-1', 1],
        ['E22', '1.00E+2', 100],
        ['E24', '9007199254740993', 9007199254740993n],
        ['E24', '9007199254740993.0', 9007199254740993n],
        ['E24', '9223372036854775807', 9223372036854775807n],
        ['E24', '-9223372036854775808', -9223372036854775808n],
        ['E33', '1E2', 100],
      ] as const,
      async ([, value, categoryId]) => {
        resetPair(pair)
        const pet = { ...ivy, categoryId }
        const { text } = await expectAccepted(pair, 'POST /pets', 201, pet, { body: petWith({ categoryId: value }) })
        expect(text).toContain(`"categoryId":${categoryId},`)
        await expectAccepted(pair, 'GET /pets/4', 200, pet)
      },
    )
  })

  it('E22 reads every JSON notation of a quantity', async () => {
    const pair = await openPair(adapter)
    await forEachCase(
      [
        ['1.0', 1],
        ['1e2', 100],
        ['20e-1', 2],
        ['9007199254740991.0', 9007199254740991],
        ['-0', 0],
      ] as const,
      async ([value, quantity]) => {
        resetPair(pair)
        const entry = { petId: 1, quantity, status: quantity === 0 ? 'sold' : 'available' }
        await expectAccepted(pair, 'PUT /store/inventory/1', 200, entry, { body: `{"quantity":${value}}` })
        await expectAccepted(pair, 'GET /store/inventory/1', 200, entry)
      },
    )
  })

  it('stores any text as a name, unchanged', async () => {
    const pair = await openPair(adapter)
    await forEachCase(TEXTS, async ([, name]) => {
      resetPair(pair)
      const pet = { ...ivy, name }
      await expectAccepted(pair, 'POST /pets', 201, pet, { body: petWith({ name: JSON.stringify(name) }) })
      await expectAccepted(pair, 'GET /pets/4', 200, pet)
      await expectAccepted(pair, 'GET /pets?offset=3', 200, [pet])
      const category = { id: 1, name, description: name }
      await expectAccepted(pair, 'PUT /categories/1', 200, category, { body: JSON.stringify(category) })
    })
  })

  it('E33 reads every JSON notation of zero as the id 0', () =>
    expectAllRejected(
      adapter,
      ['-0', '0', '-0.0', '0e5'].map((value) => [
        `E33 ${value}`,
        'POST /pets',
        '422 UNKNOWN_CATEGORY',
        '/categoryId must be the id of a category, but no category has the id 0.',
        { body: petWith({ categoryId: value }) },
      ]),
    ))
})
