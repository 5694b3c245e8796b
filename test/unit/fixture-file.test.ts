import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { blameFile, FixtureFileError, parseFixture, readFixtureText } from '../../src/cli/fixture-file.js'
import { findJsonError } from '../../src/cli/json-error.js'
import { createPetstore } from '../../src/petstore/create-petstore.js'

const folder = mkdtempSync(join(tmpdir(), 'fixture-file-'))
afterAll(() => rmSync(folder, { recursive: true }))

function fileOf(name: string, content: string | Uint8Array): string {
  const file = join(folder, name)
  writeFileSync(file, content)
  return file
}

async function read(file: string): Promise<unknown> {
  return parseFixture(file, await readFixtureText(file))
}

/** What is said of a file that is refused, without its name, which is at the start of every line. */
async function refusalOf(file: string): Promise<string> {
  const error: unknown = await read(file).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(FixtureFileError)
  const { lines } = error as FixtureFileError
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
  it('is read from JSON to the last digit', async () => {
    const text = `{"pets":[{"id":1,"name":"Rex"},{"id":9007199254740991,"name":"No"},
      {"id":9223372036854775807,"name":"true"}]}`
    expect(await read(fileOf('a.json', text))).toStrictEqual({ pets: PETS })
    expect(await read(fileOf('MARKED.JSON', `\uFEFF${text}`))).toStrictEqual({ pets: PETS })
  })

  it.each(['a.yaml', 'a.yml'])('is read from YAML to the last digit: %s', async (name) => {
    const pets = '  - &rex { id: 1, name: Rex }\n  - id: 9007199254740991\n    name: No\n'
    const text = `# mine\npets:\n${pets}  - id: 9223372036854775807\n    name: "true"\norders:\n  - *rex\n`
    expect(await read(fileOf(name, text))).toStrictEqual({ pets: PETS, orders: [PETS[0]] })
  })

  it('keeps a date of YAML as it is written, and reads fractions and words as such', async () => {
    const text = 'orders:\n  - { shipDate: 2026-01-02T03:04:05Z, quantity: 1.5, complete: true, id: -0o7, petId: ~ }\n'
    expect(await read(fileOf('words.yaml', text))).toStrictEqual({
      orders: [{ shipDate: '2026-01-02T03:04:05Z', quantity: 1.5, complete: true, id: '-0o7', petId: null }],
    })
  })

  it.each([
    ['broken.json', '{\n  "pets": [,]\n}', 'line 2, column 12: not JSON: found ",]"'],
    ['trailing.json', '{"pets": [],}', 'line 1, column 13: not JSON: found "}"'],
    ['cut.json', '{"pets": [', 'line 1, column 11: not JSON: found the end of the file'],
    ['yaml.json', 'pets: []\n', 'line 1, column 1: not JSON: found "pets:"'],
    ['empty.json', '', 'is empty'],
    ['blank.yaml', ' \n\n', 'is empty'],
    ['comment.yaml', '# nothing\n', 'must hold an object with lists such as categories and pets'],
    ['list.json', '[]', 'must hold an object with lists such as categories and pets'],
    ['number.yaml', '5', 'must hold an object with lists such as categories and pets'],
    ['wide.json', Buffer.from('\uFEFF{}', 'utf16le'), 'is not UTF-8 text'],
    ['a.toml', 'pets = []', 'must end in .json, .yaml, .yml, to tell how to read it'],
    ['json', '{}', 'must end in .json, .yaml, .yml, to tell how to read it'],
  ])('is refused in one line where it cannot be read: %s', async (name, content, said) => {
    expect(await refusalOf(fileOf(name, content))).toBe(said)
  })

  it.each([
    ['brackets', 'pets: [1, 2\n', /^line 2, column 1: not YAML: /],
    ['indentation', 'pets:\n  - id: 1\n name: x\n', /^line 3, column \d+: not YAML: /],
    ['a name that is there twice', 'pets: []\npets: []\n', /^line 2, column 1: not YAML: .*unique/],
    ['a second document', 'pets: []\n---\npets: []\n', /^line \d, column 1: not YAML: .*multiple documents/],
    ['an anchor that is nowhere', 'pets: *rex\n', /Unresolved alias/],
    ['a circle', 'pets: &a [*a]\n', 'is nested too deeply, or holds itself'],
    ['too many copies', `a: &a [x]\nb: &b [${'*a,'.repeat(50)}]\nc: &c [${'*b,'.repeat(50)}]\nd: [*c]\n`, /alias/],
  ])('is refused where its YAML cannot be read: %s', async (name, content, said) => {
    expect(await refusalOf(fileOf(`${name}.yaml`, content))).toMatch(said)
  })

  it('is refused when it is missing, a folder, or too large to be looked at', async () => {
    expect(await refusalOf(join(folder, 'missing.json'))).toBe('there is no such file')
    expect(await refusalOf(join(fileOf('file.json', '{}'), 'deeper.json'))).toBe('there is no such file')
    mkdirSync(join(folder, 'folder.json'))
    expect(await refusalOf(join(folder, 'folder.json'))).toBe('is a folder, not a file')
    const huge = fileOf('huge.json', '')
    truncateSync(huge, 64 * 1024 * 1024 + 1)
    expect(await refusalOf(huge)).toBe('is too large: 65 MiB, where 64 MiB is the most')
  })

  it('is named in each line of what the pet store says against it', async () => {
    const pets = [{ id: 'x', name: 'Rex', categoryId: 1 }]
    const fixtures = { pets, '\u001b[31m': [] } as object
    const refused = await Promise.resolve()
      .then(() => createPetstore({ fixtures }).ready)
      .catch((error: unknown) => blameFile('a.json', error))
    expect(refused).toBeInstanceOf(FixtureFileError)
    expect((refused as FixtureFileError).lines).toStrictEqual([
      expect.stringMatching(/^a\.json: \/"\\u001b\[31m" is not known/),
      expect.stringMatching(/^a\.json: \/pets\/0\/id /),
    ])
  })

  it('is not blamed for what is wrong otherwise', () => {
    const other = new Error('other')
    expect(blameFile('a.json', other)).toBe(other)
  })
})

describe('the place where a text stops being JSON', () => {
  it.each([
    ['', 0],
    ['{', 1],
    ['{"a"}', 4],
    ['{"a":}', 5],
    ['{"a":1 "b"', 7],
    ['{1:2}', 1],
    ['[1,]', 3],
    ['[1}', 2],
    ['{"a":1]', 6],
    ['[01]', 2],
    ['[1.]', 2],
    ['["a\nb"]', 1],
    ['["\\x"]', 1],
    ['[tru]', 1],
    ['[1] 2', 4],
    ['1,2', 1],
    [']', 0],
    ['{"a":[1,{"b":null}],"c":-1.5e+3,}', 32],
  ])('is found in %j', (text, index) => {
    expect(() => JSON.parse(text)).toThrow(SyntaxError)
    expect(findJsonError(text)).toBe(index)
  })

  it('is found in long and in deep texts', () => {
    const long = `["${'a\\n'.repeat(1_000_000)}",`
    expect(findJsonError(long)).toBe(long.length)
    expect(findJsonError(`["${'a'.repeat(1_000_000)}`)).toBe(1)
    expect(findJsonError('['.repeat(1_000_000))).toBe(1_000_000)
  })
})
