import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { startServer } from '../../src/adapters/server/index.js'
import type { RecordedExchange, Reproduction } from '../../src/engine/log/reproduction.js'
import { type AnyService, createMock, defineService, type Mock } from '../../src/index.js'
import { parseJson, stringifyJson } from '../../src/lib/json.js'
import { connect } from '../../src/tools/client/index.js'
import { type SnippetKind, toSnippet } from '../../src/tools/snippets/index.js'
import { runCommand } from '../support/command.js'
import { library } from '../support/library.js'
import { document } from '../support/library-document.js'
import { recordRun } from '../support/recorded-run.js'
import { collection, inPath, object, returns, TEXT, TIME, takes, toDocument } from '../support/small-documents.js'

const VITEST = new URL('../../src/runners/vitest/index.ts', import.meta.url).pathname
const artefacts = fileURLToPath(new URL('../../artefacts', import.meta.url))
mkdirSync(artefacts, { recursive: true })
const folder = mkdtempSync(join(artefacts, 'replay-as-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** A reproduction as it is read from a file. */
async function saveRun(name: string, options = {}) {
  const text = stringifyJson((await recordRun(options)).reproduction()) as string
  const file = join(folder, `${name}.petstore.json`)
  writeFileSync(file, text)
  const reproduction = parseJson(text) as Reproduction
  const exchanges = reproduction.steps.filter((step) => 'request' in step)
  const write = (kind: SnippetKind, selected: readonly RecordedExchange[]) =>
    toSnippet(kind, reproduction, selected, { base: '', file })
  /** As the dashboard does, which has no file. */
  const writeInline = (kind: SnippetKind, selected: readonly RecordedExchange[]) =>
    toSnippet(kind, reproduction, selected, { base: '' })
  return { exchanges, write, writeInline }
}

const generated = await saveRun('generated', { seed: 7, scenario: 'busy', delay: 1, failOn: ['violation'] })
const fixtures = {
  categories: [{ id: 1, name: 'Dogs' }],
  pets: [1, 2].map((id) => ({ id, name: 'Rex', categoryId: 1 })),
}
const small = await saveRun('small', { fixtures, rules: 'off' })
const categories = Array.from({ length: 500 }, (_, index) => ({ id: index + 1, name: `No ${index}` }))
const large = await saveRun('large', { fixtures: { ...fixtures, categories } })

/** A run of your own service, and the test that the command writes for it. `source` is the flag that names it. */
async function saveOwnRun(
  service: Parameters<typeof createMock<AnyService>>[0],
  source: readonly [flag: string, file: string],
  act: (mock: Mock<AnyService>) => Promise<unknown>,
) {
  const mock = createMock(service)
  await mock.ready
  await act(mock)
  const file = join(folder, `own-${source[1]}.petstore.json`)
  writeFileSync(file, stringifyJson(mock.reproduction()) as string)
  const flags = [source[0], join(folder, source[1])]
  return {
    async write(as: SnippetKind) {
      const { stdout, stderr } = await runCommand(['replay', file, ...flags, '--as', as])
      expect(stderr).toBe('')
      return stdout
    },
  }
}

async function lendBooks({ fetch, data, faults, override }: Mock<AnyService>) {
  const { books } = data as Record<'books', NonNullable<typeof data.books>>
  const add = (book: object) =>
    fetch('/books', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(book) })
  await add({ title: 'Emil' })
  await add({ title: '' })
  books.create({ title: 'Momo', borrower: 'Ada' })
  books.delete(2)
  expect(() => books.delete(99)).toThrow()
  const failing = faults.add({ operation: 'getBook', status: 503, times: 1 })
  for (const path of ['/books/1', '/books/1']) await fetch(path)
  failing.remove()
  override('listBooks', { status: 200, body: [] }, { times: 1 })
  await fetch('/books')
  await fetch('/books/1', { method: 'DELETE' })
  await fetch('/books?borrower=Ada')
}

const createOwnFile = (name: string, content: string) => writeFileSync(join(folder, name), content)
const LIBRARY = new URL('../support/library.ts', import.meta.url).pathname
const films = toDocument(collection('best-films', { id: TEXT, record: object({ id: TEXT, title: TEXT }, ['title']) }))
const team = object({ id: TEXT, name: TEXT, createdAt: { ...TIME, readOnly: true } }, ['id', 'name', 'createdAt'])
const teams = toDocument({
  '/teams/{teamId}': {
    parameters: [inPath('teamId', TEXT)],
    get: { responses: { 200: returns(team) } },
    patch: { ...takes(team), responses: { 200: returns(team) } },
  },
})
createOwnFile('library.json', JSON.stringify(document))
createOwnFile('library.service.ts', `export { library as default } from '${LIBRARY}'`)
createOwnFile('films.json', JSON.stringify(films))
createOwnFile('teams.json', JSON.stringify(teams))

const OWN = [
  ['a document', await saveOwnRun(defineService({ document }), ['--document', 'library.json'], lendBooks)],
  ['a service file', await saveOwnRun(library, ['--service', 'library.service.ts'], lendBooks)],
  [
    'a document with ids that are texts',
    await saveOwnRun(defineService({ document: films }), ['--document', 'films.json'], async ({ data, fetch }) => {
      const id = data.bestFilms?.create({ title: 'Metropolis' }).id as string
      data.bestFilms?.update(id, { title: 'M' })
      await fetch(`/best-films/${id}`)
    }),
  ],
  [
    'a document whose records are created when they are read',
    await saveOwnRun(defineService({ document: teams }), ['--document', 'teams.json'], ({ fetch }) =>
      fetch('/teams/a'),
    ),
  ],
] as const

const SELECTIONS = [
  ['all requests', generated, generated.exchanges],
  ['some requests', generated, generated.exchanges.slice(4, 14)],
  ['the last request', generated, generated.exchanges.slice(-1)],
  ['small starting data', small, small.exchanges],
  ['large starting data', large, large.exchanges],
  ['large starting data without a file', { write: large.writeInline }, large.exchanges],
  ...OWN.map(([name, run]) => [name, run, []] as const),
] as const

// Declares the generated tests in this file, so that this vitest runs them.
for (const [index, [name, { write }, selected]] of SELECTIONS.entries()) {
  const code = await write('vitest', selected)
  const file = join(folder, `${index}.ts`)
  writeFileSync(file, code.replace(`'petstore-mock/vitest'`, JSON.stringify(VITEST)))
  await describe(`as a test for vitest: ${name}`, () => import(/* @vite-ignore */ file))
}

describe('as a test for Playwright', () => {
  it.each(SELECTIONS)('%s', async (_, { write }, selected) => {
    const code = await write('playwright', selected)
    expect(code).toMatch(
      /^(?:import { readFileSync } from 'node:fs'\n)?import { (?:createTest, expect|expect, test) } from 'petstore-mock\/playwright'\n/,
    )
    const body = code.replaceAll(/^import .*$/gm, '')
    let options = {}
    let served = {}
    const tests: ((fixtures: object) => Promise<void>)[] = []
    const test = Object.assign((_title: string, run: (fixtures: object) => Promise<void>) => tests.push(run), {
      use: (given: { petstoreOptions: object }) => {
        options = given.petstoreOptions
      },
    })
    const createTest = ({ mock }: { mock: object }) => {
      served = mock
      return test
    }
    const known = { expect, test, createTest, readFileSync, service: library }
    // In a block, where it can declare `test` itself.
    new Function(...Object.keys(known), `{${body}}`)(...Object.values(known))
    expect(tests).toHaveLength(1)
    await using server = await startServer({ port: 0, ...options, ...served })
    const petstore = connect(server.url, { sandbox: 'test' })
    for (const run of tests) await run({ petstore, mock: petstore })
    await petstore.check()
  })
})

describe('the code', () => {
  it('contains no secret, says what is missing, and reads large data from the file', () => {
    const code = generated.write('vitest', generated.exchanges)
    expect(code).not.toContain('Bearer')
    expect(code).toContain('// The header authorization is a secret. Add it yourself.')
    expect(code).toContain('// Without its delay of 5 to 6 ms, so that the test is quick.')
    expect(code).not.toContain('failOn')
    expect(small.write('vitest', small.exchanges.slice(-1))).not.toContain('readFileSync')
    expect(large.write('vitest', large.exchanges.slice(-1))).toContain('reproduction.start.state')
  })

  it('keeps the media type of an error', async () => {
    const [mock, other] = [createMock({ document: films }), createMock({ document: films })]
    await Promise.all([mock.ready, other.ready])
    const { status } = await mock.fetch('/best-films/gone')
    const reproduction = mock.reproduction()
    const exchanges = reproduction.steps.filter((step) => 'request' in step)
    new Function('mock', toSnippet('override', reproduction, exchanges, { base: '' }))(other)
    const again = await other.fetch('/best-films/other')
    expect([again.status, again.headers.get('content-type')]).toEqual([status, 'application/problem+json'])
  })

  it('contains large data if there is no file', () => {
    const code = large.writeInline('vitest', large.exchanges.slice(-1))
    expect(code).not.toContain('readFileSync')
    expect(code).toContain(`{ id: 500, name: 'No 499' }`)
  })
})
