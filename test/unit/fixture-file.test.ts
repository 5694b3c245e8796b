import { mkdirSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseFixture, readFixtureFile } from '../../src/cli/files.js'
import { FileError, toFileError } from '../../src/document/load/file-error.js'
import { createPetstore, petstoreService } from '../../src/petstore/service.js'
import { formatFixture, formatFixtureAsYaml } from '../support/petstore-fixtures.js'
import { useFolder } from '../support/test-folder.js'

const { folder, createFile } = useFolder()

async function read(file: string): Promise<unknown> {
  return parseFixture(file, await readFixtureFile(file), petstoreService)
}

/** The problem reported for a file, without the file name at the start of the line. */
async function problemWith(file: string): Promise<string> {
  const error: unknown = await read(file).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(FileError)
  const { lines } = error as FileError
  expect(lines).toHaveLength(1)
  const [line = ''] = lines
  expect(line).not.toMatch(/\p{Cc}/u)
  expect(line.startsWith(`${file}: `)).toBe(true)
  return line.slice(file.length + 2)
}

const PETS = [
  { id: 1, name: 'Rex' },
  { id: 9007199254740991, name: 'No' },
  { id: 9223372036854775807n, name: 'true' },
]

describe('a fixture file', () => {
  it('is read from JSON with exact integers', async () => {
    const text = `{"pets":[{"id":1,"name":"Rex"},{"id":9007199254740991,"name":"No"},
      {"id":9223372036854775807,"name":"true"}]}`
    expect(await read(createFile('a.json', text))).toStrictEqual({ pets: PETS })
    expect(await read(createFile('MARKED.JSON', `\uFEFF${text}`))).toStrictEqual({ pets: PETS })
  })

  it.each(['a.yaml', 'a.yml'])('is read from YAML with exact integers: %s', async (name) => {
    const pets = '  - &rex { id: 1, name: Rex }\n  - id: 9007199254740991\n    name: No\n'
    const text = `# mine\npets:\n${pets}  - id: 9223372036854775807\n    name: "true"\norders:\n  - *rex\n`
    expect(await read(createFile(name, text))).toStrictEqual({ pets: PETS, orders: [PETS[0]] })
  })

  it.each([
    ['written.json', formatFixture],
    ['written.yaml', formatFixtureAsYaml],
  ])('has every name exactly as it was written: %s', async (name, format) => {
    const names = [
      '',
      ' ',
      'no',
      '~',
      '1e3',
      '# x',
      '- a: b',
      '{[]}',
      '\\ " \' /',
      '\u0000\u001b\u007f\u0085\u2028\ufeff',
      '\ud800',
      '🐕',
      'a\r\n\tb',
      '%&*!|>@`',
    ]
    const fixture = {
      categories: names.map((each, index) => ({
        id: 9223372036854775000n + BigInt(index),
        name: each,
        description: each,
      })),
      pets: [],
      inventory: [],
      orders: [{ id: 1, shipDate: '2026-01-02T03:04:05.000Z', complete: true }],
    }
    expect(await read(createFile(name, format(fixture)))).toStrictEqual(fixture)
  })

  it('has the dates of YAML as strings, and its fractions, booleans and nulls as such', async () => {
    const text = 'orders:\n  - { shipDate: 2026-01-02T03:04:05Z, quantity: 1.5, complete: true, id: -0o7, petId: ~ }\n'
    expect(await read(createFile('words.yaml', text))).toStrictEqual({
      orders: [{ shipDate: '2026-01-02T03:04:05Z', quantity: 1.5, complete: true, id: '-0o7', petId: null }],
    })
  })

  it.each([
    ['broken.json', '{\n  "pets": [,]\n}', 'Invalid JSON at line 2, column 12: found ",]".'],
    ['empty.json', '', 'File is empty.'],
    ['wide.json', Buffer.from('\uFEFF{}', 'utf16le'), 'File is not UTF-8 text.'],
    ['a.toml', 'pets = []', 'File name must end in .json, .yaml or .yml.'],
    ['a.yaml', 'pets: *rex', 'Invalid YAML: Unresolved alias (the anchor must be set before the alias): rex'],
    ['a.json', '{\u00a0}', 'Invalid JSON at line 1, column 2: found U+00A0.'],
  ])('is rejected in one line: %s', async (name, content, problem) => {
    expect(await problemWith(createFile(name, content))).toBe(problem)
  })

  it.each([
    ['brackets', 'pets: [1, 2\n', /^Invalid YAML at line 2, column 1: /],
    ['a duplicate name', 'pets: []\npets: []\n', /^Invalid YAML at line 2, column 1: .*unique/],
    ['a second document', 'pets: []\n---\npets: []\n', /^Invalid YAML at line \d, column 1: .*multiple documents/],
    ['a circle', 'pets: &a [*a]\n', 'Nested too deeply, or contains itself.'],
    ['a tag of a program', 'pets: !!js/function "x"\n', /^Invalid YAML at line 1, column 7: Unresolved tag: /],
    ['deep nesting', `pets: ${'['.repeat(500)}${']'.repeat(500)}`, 'Nested too deeply, or contains itself.'],
    ['too many copies', `a: &a [x]\nb: &b [${'*a,'.repeat(50)}]\nc: &c [${'*b,'.repeat(50)}]\nd: [*c]\n`, /alias/],
  ])('is rejected if its YAML is invalid: %s', async (name, content, problem) => {
    expect(await problemWith(createFile(`${name}.yaml`, content))).toMatch(problem)
  })

  it('is rejected if it is missing, a folder or too large', async () => {
    expect(await problemWith(join(folder, 'missing.json'))).toBe('File not found.')
    expect(await problemWith(join(createFile('file.json', '{}'), 'deeper.json'))).toBe('File not found.')
    mkdirSync(join(folder, 'folder.json'))
    expect(await problemWith(join(folder, 'folder.json'))).toBe('Expected a file, found a folder.')
    const huge = createFile('huge.json', '')
    truncateSync(huge, 64 * 1024 * 1024 + 1)
    expect(await problemWith(huge)).toBe('File exceeds 64 MiB.')
  })

  it('is named in each line about its data', async () => {
    const pets = [{ id: 'x', name: 'Rex', categoryId: 1 }]
    const fixtures = { pets, '\u001b[31m': [] } as object
    const error = await Promise.resolve()
      .then(() => createPetstore({ fixtures }).ready)
      .catch((error: unknown) => toFileError('a.json', error))
    expect(error).toBeInstanceOf(FileError)
    expect((error as FileError).lines).toStrictEqual([
      expect.stringMatching(/^a\.json: \/"\\u001b\[31m" is unknown/),
      expect.stringMatching(/^a\.json: \/pets\/0\/id /),
      expect.stringMatching(/^a\.json: \/pets\/0\/categoryId refers to category 1/),
    ])
  })

  it.each([
    [
      'a.yaml',
      'categories:\n  - { id: 1, name: Dogs }\npets:\n  - id: 1\n    name: Rex\n    categoryId: 7\n  - id: 2\n    categoryId: 1\nstock: 1\n',
      ['a.yaml:9: /stock is unknown', 'a.yaml:6: /pets/0/categoryId refers', 'a.yaml:7: /pets/1/name is missing'],
    ],
    [
      'a.json',
      '{\n\t"a/b": 1,\n\t"pets": [\n\t\t{ "id": 1,\n\t\t\t"name": "Rex", "category": { "name": 5 } }\n\t]\n}',
      ['a.json:2: /a~1b is unknown', 'a.json:5: /pets/0/category/name must be'],
    ],
  ])('is named with the line of each problem: %s', async (file, text, expected) => {
    const bytes = Buffer.from(text)
    const error = await parseFixture(file, bytes, petstoreService)
      .then((fixtures) => createPetstore({ fixtures }).ready)
      .catch((error: unknown) => toFileError(file, error, bytes))
    const { lines } = error as FileError
    expect(lines.map((line, index) => line.slice(0, expected[index]?.length))).toStrictEqual(expected)
  })

  it('is named without lines if it is large, nested too deeply, or if there are too many problems', async () => {
    const pets = Array.from({ length: 60 }, (_, id) => ({ id, name: 'x'.repeat(20_000) }))
    const bytes = Buffer.from(JSON.stringify({ pets }))
    const fixtures = await parseFixture('a.json', bytes, petstoreService)
    const failure = async () => createPetstore({ fixtures }).ready
    const linesWith = async (content: Uint8Array) =>
      ((await failure().catch((error: unknown) => toFileError('a.json', error, content))) as FileError).lines
    expect((await linesWith(bytes))[0]).toMatch(/^a\.json: \/pets\/0\/categoryId is missing/)
    const deep = `{"x":${'['.repeat(5000)}${']'.repeat(5000)}}`
    expect((await linesWith(Buffer.from(deep)))[0]).toMatch(/^a\.json: \/pets\/0\/categoryId is missing/)
    expect((await linesWith(Buffer.from('{}'))).at(-1)).toBe('a.json: and 10 more')
  })
})
