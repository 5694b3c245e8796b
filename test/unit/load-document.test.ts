import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { createMock, loadDocument, MockError } from '../../src/index.js'
import { document as library } from '../support/library-document.js'

const root = mkdtempSync(join(tmpdir(), 'load-document-'))
afterAll(() => rmSync(root, { recursive: true }))

/** Writes the files into a folder of their own. Returns the path of the first. */
function createFiles(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(root, 'case-'))
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
  return join(folder, Object.keys(files)[0] ?? '')
}

const HEAD = 'openapi: 3.1.0\ninfo: { title: Test, version: 1.0.0 }\n'

const SPLIT = {
  'openapi.yaml': `${HEAD}paths:
  /books: { $ref: paths/books.yaml }
  /books/{id}: { $ref: 'paths/books.yaml#/item' }
components:
  schemas:
    Author: { type: object, properties: { name: { type: string } } }
`,
  'paths/books.yaml': `get:
  responses:
    200: { description: Books., content: { application/json: { schema: { type: array, items: { $ref: ../schemas/Book.json } } } } }
post:
  requestBody: { required: true, content: { application/json: { schema: { $ref: ../schemas/Book.json } } } }
  responses:
    201: { description: Book., content: { application/json: { schema: { $ref: ../schemas/Book.json } } } }
item:
  parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
  get:
    responses:
      200: { description: Book., content: { application/json: { schema: { $ref: ../schemas/Book.json } } } }
`,
  'schemas/Book.json': JSON.stringify({
    type: 'object',
    required: ['title'],
    properties: {
      id: { type: 'integer', readOnly: true },
      title: { type: 'string' },
      author: { $ref: '../openapi.yaml#/components/schemas/Author' },
      part: { $ref: 'Part.json' },
      translator: { $ref: '#/properties/author' },
    },
  }),
  'schemas/Part.json': JSON.stringify({
    type: 'object',
    properties: { title: { type: 'string' }, part: { $ref: '#' } },
  }),
}

describe('loadDocument', () => {
  it('reads JSON and YAML', async () => {
    const json = createFiles({ 'library.json': JSON.stringify(library) })
    expect(await loadDocument(json)).toStrictEqual(library)
    const yaml = createFiles({ 'a.yml': `${HEAD}paths: {}\n` })
    expect(await loadDocument(yaml)).toStrictEqual({
      openapi: '3.1.0',
      info: { title: 'Test', version: '1.0.0' },
      paths: {},
    })
  })

  it('follows references to files beside it, back, and of a schema to itself', async () => {
    const mock = createMock({ document: await loadDocument(createFiles(SPLIT)) })
    await mock.ready
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ title: 'Emma', author: { name: 'Jane' }, part: { part: { title: 'Two' } } })
    const created = await mock.fetch('/books', { method: 'POST', headers, body })
    expect(created.status).toBe(201)
    const { id } = (await created.json()) as { id: number }
    expect(await (await mock.fetch(`/books/${id}`)).json()).toMatchObject({ part: { part: { title: 'Two' } } })
    const invalid = JSON.stringify({ title: 'Emma', part: { part: { title: 2 } } })
    expect((await mock.fetch('/books', { method: 'POST', headers, body: invalid })).status).toBe(400)
  })

  it('says what to do where there are no files', async () => {
    vi.stubGlobal('process', undefined)
    const error = await loadDocument('a.yaml').catch((reason: Error) => reason)
    vi.unstubAllGlobals()
    expect(error).toMatchObject({
      code: 'INVALID_DOCUMENT',
      message: expect.stringMatching(/needs Node.*as an object/),
    })
  })
})

const schema = (text: string) => `${HEAD}paths: {}\ncomponents: { schemas: { A: ${text} } }\n`

/** `&a0 [x,x…]`, and then lists of ten times the list before. */
const LAUGHS = Array.from(
  { length: 12 },
  (_, index) => `l${index}: &a${index} [${Array(10).fill(index === 0 ? 'lol' : `*a${index - 1}`)}]`,
)

const many = <T>(count: number, make: (index: number) => T) => Array.from({ length: count }, (_, index) => make(index))

describe('a document that cannot be used', () => {
  const cases: [what: string, files: Record<string, string>, ...problems: (string | RegExp)[]][] = [
    ['nothing', { 'a.yaml': '' }, 'File is empty.'],
    ['text', { 'a.yaml': 'hello' }, 'does not contain an object.'],
    ['a list', { 'a.json': '[]' }, /must be an object/],
    [
      'broken JSON',
      { 'a.json': '{"openapi": "3.0.0",\n "paths": nope}' },
      /^Invalid JSON at line 2, column 11: found "nope/,
    ],
    ['broken YAML', { 'a.yaml': 'openapi: [' }, /^Invalid YAML at line 1/],
    ['Swagger 2', { 'a.yaml': 'swagger: "2.0"\npaths: {}' }, /^Swagger 2\.0 is not supported\. Convert/],
    ['no version', { 'a.yaml': 'paths: {}' }, /^\/openapi is missing/],
    ['another version', { 'a.yaml': 'openapi: 4.0.0\npaths: {}' }, /Received: "4\.0\.0"/],
    [
      'many mistakes',
      { 'a.yaml': `${HEAD}paths: { /a: { get: { responses: nope, parameters: [{ name: a }] } }, /b: [] }` },
      '/paths/~1b must be an object.',
      '/paths/~1a/get/responses must be an object.',
      '/paths/~1a/get/parameters/0/in must be a string.',
    ],
    [
      'references that lead nowhere',
      {
        'a.yaml': `${HEAD}paths: {}\ncomponents: { schemas: { A: { $ref: '#/no' }, B: { $ref: '#/components/schemas/C' }, C: { $ref: '#/components/schemas/B' } } }`,
      },
      '/components/schemas/A/$ref refers to "#/no", which the document does not have.',
      /B\/\$ref refers to .*only leads back to itself/,
      /C\/\$ref refers to .*only leads back to itself/,
    ],
    [
      'a file outside',
      { 'a.yaml': schema('{ $ref: ../../etc/passwd }') },
      /A\/\$ref refers to "\.\.\/\.\.\/etc\/passwd", outside of the folder/,
    ],
    ['an absolute path', { 'a.yaml': schema('{ $ref: /etc/passwd }') }, /outside of the folder/],
    ['an encoded path outside', { 'a.yaml': schema('{ $ref: "%2e%2e/b.yaml" }') }, /outside of the folder/],
    ['a URL', { 'a.yaml': schema('{ $ref: "http://127.0.0.1:1/b.yaml" }') }, /on the network, which is not read/],
    ['a URL of a file', { 'a.yaml': schema('{ $ref: "file:///etc/passwd" }') }, /which is not read/],
    [
      'a file that is missing',
      { 'a.yaml': schema('{ $ref: b.yaml }') },
      '/components/schemas/A/$ref refers to "b.yaml": File not found.',
    ],
    [
      'a part that a file lacks',
      { 'a.yaml': schema('{ $ref: "b.yaml#/B" }'), 'b.yaml': 'A: {}' },
      /refers to "#\/x-files\/b\.yaml\/B"/,
    ],
    [
      'a reference of another file',
      { 'a.yaml': schema('{ $ref: b.yaml }'), 'b.yaml': '$ref: http://a.test/x' },
      /^b\.yaml: \/\$ref .*network/,
    ],
    ['an anchor', { 'a.yaml': schema('{ $ref: "#A" }') }, /none to anchors/],
    [
      'billions of values by aliases',
      { 'a.yaml': `${HEAD}paths: {}\nx-l:\n  ${LAUGHS.join('\n  ')}` },
      /Excessive alias count|more than/,
    ],
    ['an alias of itself', { 'a.yaml': `${HEAD}paths: &a { /x: *a }` }, /./],
    ['nesting without end', { 'a.json': '['.repeat(100_000) }, /./],
    [
      'deep nesting',
      { 'a.json': `{"openapi":"3.0.0","paths":${'{"a":'.repeat(200)}1${'}'.repeat(200)}}` },
      /deeper than 100 levels/,
    ],
    [
      '10,000 properties',
      { 'a.yaml': schema(`{ properties: { ${many(10_000, (index) => `p${index}: {}`)} } }`) },
      /has 10000 properties\. The maximum is 2000/,
    ],
    [
      '501 choices',
      { 'a.yaml': schema(`{ oneOf: [${many(501, (index) => `{ title: c${index} }`)}] }`) },
      '/components/schemas/A/oneOf has 501 oneOf. The maximum is 500.',
    ],
    [
      '10,000 parameters',
      {
        'a.yaml': `${HEAD}paths: { /a: { get: { parameters: [${many(10_000, (index) => `{ name: p${index}, in: query }`)}] } } }`,
      },
      /has 10000 parameters\. The maximum is 2000/,
    ],
    [
      'the name of a prototype',
      { 'a.json': '{"openapi":"3.0.0","paths":{},"components":{"schemas":{"__proto__":{"type":"object"}}}}' },
      '/components/schemas/__proto__ is not allowed as a name.',
    ],
    [
      'the name of a prototype in YAML',
      { 'a.yaml': schema('{ properties: { __proto__: {} } }') },
      /__proto__ is not allowed/,
    ],
    [
      'too many files',
      {
        'a.yaml': schema('{ $ref: f0.yaml }'),
        ...Object.fromEntries(many(1001, (index) => [`f${index}.yaml`, `$ref: f${index + 1}.yaml`] as const)),
      },
      /more than 1000 files/,
    ],
  ]

  it.each(cases)('%s is refused', async (_what, files, ...expected) => {
    const error = await loadDocument(createFiles(files)).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(MockError)
    const { code, problems } = error as MockError
    expect(code).toBe('INVALID_DOCUMENT')
    expect(problems).toHaveLength(expected.length)
    for (const part of expected) {
      expect(problems).toContainEqual(part instanceof RegExp ? expect.stringMatching(part) : part)
    }
    for (const problem of problems) expect(problem.length).toBeLessThan(400)
  })

  it('is refused if a link leads outside', async () => {
    const outside = createFiles({ 'secret.yaml': 'type: string' })
    const file = createFiles({ 'a.yaml': schema('{ $ref: b.yaml }') })
    symlinkSync(outside, join(dirname(file), 'b.yaml'))
    const error = await loadDocument(file).catch((reason: unknown) => reason)
    expect((error as MockError).problems).toMatchObject([expect.stringMatching(/outside of the folder/)])
  })

  it('is refused as an object, too', () => {
    const document: Record<string, unknown> = { openapi: '3.0.0', paths: {} }
    document.itself = document
    expect(() => createMock({ document })).toThrow(/nested deeper|more than/)
    expect(() => createMock({ document: { swagger: '2.0' } })).toThrow(/Swagger 2\.0 is not supported/)
  })
})

describe('a document that is odd', () => {
  const odd: [what: string, text: string][] = [
    ['operations without responses and ids', `${HEAD}paths: { /a: { get: {} } }`],
    ['an operationId used twice', `${HEAD}paths: { /a: { get: { operationId: a }, put: { operationId: a } } }`],
    ['unknown keywords', schema('{ type: nonsense, minimum: x, required: true, enum: 3, foo: bar }')],
    ['patterns of other dialects', schema('{ type: string, pattern: "(?i)[" }')],
    ['no paths', HEAD],
    ['a number as version', 'openapi: 3.1\npaths: {}'],
    ['a path without a slash', `${HEAD}paths: { books: { get: { responses: { 200: { description: a } } } } }`],
    ['extensions among the paths and responses', `${HEAD}paths: { x-a: 1, /a: { get: { responses: { x-b: 2 } } } }`],
    [
      'examples with references',
      `${HEAD}paths: {}\ncomponents: { schemas: { A: { example: { $ref: nowhere.yaml } } } }`,
    ],
    ['a mapping to files that are missing', schema('{ discriminator: { propertyName: a, mapping: { b: b.yaml } } }')],
    ['a property with the name $ref', schema('{ properties: { $ref: { type: string } } }')],
  ]

  it.each(odd)('%s is served', async (_what, text) => {
    const mock = createMock({ document: await loadDocument(createFiles({ 'a.yaml': text })) })
    await mock.ready
    expect((await mock.fetch('/a')).status).toBeLessThan(500)
  })
})
