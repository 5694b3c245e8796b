import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { endCommands, readyEventOf, runCommand, startCommand } from '../support/command.js'
import { document } from '../support/library-document.js'
import { useFolder } from '../support/test-folder.js'

afterEach(endCommands)

const { createFile, folder } = useFolder()

const ODD = {
  ...document,
  components: { schemas: { ...document.components.schemas, Odd: { type: 'string', pattern: '(?i)[' } } },
  paths: {
    ...document.paths,
    '/reports/run': { post: { operationId: 'runReport', responses: { 200: { description: 'Done.' } } } },
    '/again': { post: { operationId: 'runReport', responses: { 200: { description: 'Done.' } } } },
  },
}

const FILE = createFile('library.json', JSON.stringify(ODD))

it('prints resources, operations without state, and what it could not follow', async () => {
  const { stdout } = await runCommand(['inspect', FILE])
  expect(stdout).toMatch(/^Library: 1 resource, \d+ operations, 2 of them without state\n/)
  expect(stdout).toContain("\nresources:\n  books: { at: '/books/{bookId}', id: 'id' }\n")
  expect(stdout).toContain('list listBooks')
  expect(stdout).toContain('  POST /again\n')
  expect(stdout).toContain('/paths/~1again/post/operationId "runReport" is also that of /paths/~1reports~1run/post.')
  expect(stdout).toContain('/components/schemas/Odd/pattern is not a regular expression of JavaScript')
  const json = JSON.parse((await runCommand(['inspect', FILE, '--format', 'json'])).stdout)
  expect(json).toMatchObject({ stateless: ['runReport', 'POST /again'], resources: [{ name: 'books', id: 'id' }] })
})

it('prints actions and references in the words of a service file', async () => {
  const responses = { 200: { description: 'Done.' } }
  const [bookId] = document.paths['/books/{bookId}'].get.parameters
  const file = createFile(
    'actions.json',
    JSON.stringify({
      ...document,
      paths: {
        ...document.paths,
        '/books/{bookId}/return': { post: { operationId: 'returnBook', parameters: [bookId], responses } },
      },
    }),
  )
  const { stdout } = await runCommand(['inspect', file])
  expect(stdout).toMatch(/\nactions:\n {2}returnBook: \{.*\}\n/)
  const json = JSON.parse((await runCommand(['inspect', file, '--format', 'json'])).stdout)
  expect(json.words).toMatchObject({
    resources: { books: { at: '/books/{bookId}', id: 'id' } },
    actions: { returnBook: {} },
  })
})

it('says of one operation which rule decided, and the line that changes it', async () => {
  const { stdout } = await runCommand(['inspect', FILE, '--explain', 'getBook'])
  expect(stdout).toMatch(
    /^getBook: GET \/books\/\{bookId\}\n {2}read of books: GET on the path of a record returns one/,
  )
  expect(stdout).toContain('The id in {bookId} is the property id; the mock makes it: int64.')
  expect(stdout).toContain("\n  resources: { books: { at: '/books/{bookId}', id: 'id' } }  // change what is wrong\n")
  expect(stdout).toContain('\n  resources: { books: false }  // it is no collection\n')
  expect(stdout).toContain(
    '\n  operations: { getBook: (request, standard) => standard() }  // a function of your own\n',
  )
  const stateless = await runCommand(['inspect', FILE, '--explain', 'runReport'])
  expect(stateless.stdout).toContain('No rule recognises /reports/run, so it keeps no state')
  const json = JSON.parse((await runCommand(['inspect', FILE, '--explain', 'addBook', '--format', 'json'])).stdout)
  expect(json).toMatchObject({ operation: 'addBook', method: 'POST', path: '/books', isOwn: false })
  const unknown = await runCommand(['inspect', FILE, '--explain', 'getBok'])
  expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('Did you mean "getBook"?') })
})

it('names a few of many operations when none is near', async () => {
  const responses = { 200: { description: 'Done.' } }
  const names = Array.from({ length: 40 }, (_, index) => [
    `/run${index}`,
    { post: { operationId: `run${index}`, responses } },
  ])
  const file = createFile('many.json', JSON.stringify({ ...document, paths: Object.fromEntries(names) }))
  const { stderr } = await runCommand(['inspect', file, '--explain', 'completely'])
  expect(stderr).toContain('Available: run0, run1, run2, run3, run4, run5, run6, run7, run8, run9 and 30 more.')
})

it('prints further paths to the same records', async () => {
  const { get } = document.paths['/books']
  const parameters = ['title', 'late'].map((name) => ({ name, in: 'query', schema: { type: 'string' } }))
  const paths = { ...document.paths, '/overdue': { get: { ...get, operationId: 'listOverdue', parameters } } }
  const file = createFile('further.json', JSON.stringify({ ...document, paths }))
  const { stdout } = await runCommand(['inspect', file])
  expect(stdout).toContain('\n    also /overdue\n      list listOverdue\n      filters by title\n')
  expect(stdout).toContain('/paths/~1overdue/get: listOverdue ignores "late" in the query')
  const { resources } = JSON.parse((await runCommand(['inspect', file, '--format', 'json'])).stdout)
  expect(resources).toMatchObject([
    { name: 'books', furtherPaths: [{ path: '/overdue', operations: { list: 'listOverdue' } }] },
  ])
})

it('prints what the query of a list does, what it does not do, and that security is ignored', async () => {
  const { get, ...others } = document.paths['/books']
  const parameters = ['title', 'sort', 'limit', 'page', 'overdue'].map((name) => ({
    name,
    in: 'query',
    schema: { type: ['limit', 'page'].includes(name) ? 'integer' : 'string' },
  }))
  const securitySchemes = { key: { type: 'apiKey', in: 'header', name: 'X-Key' } }
  const file = createFile(
    'queries.json',
    JSON.stringify({
      ...document,
      paths: { ...document.paths, '/books': { ...others, get: { ...get, parameters } } },
      components: { ...document.components, securitySchemes },
    }),
  )
  const { stdout } = await runCommand(['inspect', file])
  expect(stdout).toContain('\n    filters by title; sorts by sort; pages by page, limit\n')
  expect(stdout).toContain('\nSecurity schemes, ignored without --security require:\n  key\n')
  expect(stdout).toContain('/paths/~1books/get: listBooks ignores "overdue" in the query, unless it has a function.\n')
  expect((await runCommand(['inspect', FILE])).stdout).not.toMatch(/Security|ignores/)
})

it('names a path without a slash, one with a query or a fragment, and what is not a method', async () => {
  const responses = { 200: { description: 'Done.' } }
  const paths = {
    'pets/all': { get: { responses }, parameters: [], 'x-team': 'a' },
    '/toys?action=list': { get: { responses } },
    '/toys#list': { get: { responses } },
    '/toys': { gett: { responses }, summary: 'Toys' },
    '/__admin/toys': { get: { responses } },
  }
  const file = createFile('odd-paths.json', JSON.stringify({ openapi: '3.0.3', info: document.info, paths }))
  const { notUnderstood } = JSON.parse((await runCommand(['inspect', file, '--format', 'json'])).stdout)
  expect(notUnderstood).toEqual([
    '/paths/pets~1all must start with a slash.',
    '/paths/~1toys?action=list is not reached: the path of a request ends before ? and #.',
    '/paths/~1toys#list is not reached: the path of a request ends before ? and #.',
    '/paths/~1toys/gett is ignored: it is not a method.',
    "/paths/~1__admin~1toys is not reached: everything at and below /__admin is the mock's own.",
  ])
})

const CONTROL = /(?!\n)[\p{Cc}\p{Cf}]/u

it('prints names of the document without what could control the terminal', async () => {
  const paths = {
    '/\u001b[2Jbooks': { get: { operationId: 'a\u009b31m\u202e', responses: { 200: { description: 'Done.' } } } },
  }
  const file = createFile(
    'hostile.json',
    JSON.stringify({ ...document, info: { title: 'A\nB\u001b[0m', version: '1' }, paths }),
  )
  const { stdout } = await runCommand(['inspect', file])
  expect(stdout).toMatch(/^A.B.\[0m: 0 resources, 1 operation/u)
  expect(stdout).not.toMatch(CONTROL)
  const [start] = await startCommand(['--port', '0', '--document', file]).printed(/0 resources, [\s\S]*\n/)
  expect(start).not.toMatch(CONTROL)
  for (const args of [
    ['inspect', file, '--format', 'json'],
    ['inspect', file, '--format', 'service'],
    ['compile', file],
    ['spec', '--document', file],
    ['spec', '--document', file, '--format', 'json'],
    ['generate', '--document', file, '--format', 'yaml'],
  ]) {
    const { code, stdout: text } = await runCommand(args)
    expect([code, text]).toEqual([0, expect.not.stringMatching(CONTROL)])
  }
  const { stateless } = JSON.parse((await runCommand(['inspect', file, '--format', 'json'])).stdout)
  expect(stateless).toEqual(['a\u009b31m\u202e'])
})

it('prints a service file that runs as it is', async () => {
  const { stdout } = await runCommand(['inspect', FILE, '--format', 'service'])
  expect(stdout).toContain("books: { path: '/books' },")
  // The sources stand in for the installed package.
  const entry = new URL('../../src/index.ts', import.meta.url).href
  const code = stdout.replace("'petstore-mock'", JSON.stringify(entry))
  const file = createFile('service.mjs', code)
  const { stdout: again } = await runCommand(['inspect', file])
  expect(again).toMatch(/^Library: 1 resource, \d+ operations, 2 of them without state\n/)
  expect((await runCommand(['inspect', file, '--format', 'service'])).stdout).toBe(stdout)
  const whole = createFile('whole.mjs', code.replaceAll(/\/\/ (?=.*=>)/g, ''))
  expect((await runCommand(['inspect', whole])).stdout).toMatch(/^Library: 1 resource, \d+ operations, 0 of them/)
})

it('prints a service file for odd names', async () => {
  const responses = { 204: { description: 'Done.' } }
  const names = ['__proto__', "it's", 'two\nlines', 'a\u2028b', '\u202eback']
  const paths = Object.fromEntries(
    names.map((operationId, index) => [`/do${index}`, { post: { operationId, responses } }]),
  )
  createFile('odd #1%2f?.json', JSON.stringify({ openapi: '3.1.0', info: { title: 'Odd', version: '1' }, paths }))
  const { stdout } = await runCommand(['inspect', join(folder, 'odd #1%2f?.json'), '--format', 'service'])
  const entry = new URL('../../src/index.ts', import.meta.url).href
  const code = stdout.replace("'petstore-mock'", JSON.stringify(entry)).replaceAll(/\/\/ (?=.*=>)/g, '')
  const { stdout: whole } = await runCommand(['inspect', createFile('odd.mjs', code), '--format', 'json'])
  expect(JSON.parse(whole)).toMatchObject({ title: 'Odd', stateless: [] })
})

it('says in a few lines at the start what it understood', async () => {
  const command = startCommand(['--port', '0', '--document', FILE])
  const [text] = await command.printed(/1 resource, \d+ operations[\s\S]*\n/)
  expect(text).toContain('books: list, create')
  const json = startCommand(['--port', '0', '--document', FILE, '--log-format', 'json'])
  expect(await readyEventOf(json)).toMatchObject({ understood: { resources: [{ name: 'books' }] } })
})

it('says at the start which resource is empty, because its schema is impossible', async () => {
  const { Book, ...schemas } = document.components.schemas
  const properties = { ...Book.properties, title: { type: 'string', minLength: 5, maxLength: 2 } }
  const text = JSON.stringify({ ...document, components: { schemas: { ...schemas, Book: { ...Book, properties } } } })
  const file = createFile('impossible.json', text)
  const [start] = await startCommand(['--port', '0', '--document', file]).printed(/list[\s\S]*\n/)
  expect(start).toContain('#/components/schemas/Book: no value was found for /title, which must be a string')
  expect(start).toContain('books starts without records.')
})

it('stays short for a large document', async () => {
  const json = document.paths['/books']
  const paths = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`/thing${index}s`, json]))
  const file = createFile('large.json', JSON.stringify({ ...document, paths }))
  const command = startCommand(['--port', '0', '--document', file])
  const [text] = await command.printed(/API[\s\S]*and \d+ more: petstore-mock inspect .*large\.json\n/)
  expect(text.split('\n').length).toBeLessThan(20)
})

it('names every mistake of a document with its line', async () => {
  const file = createFile(
    'broken.yaml',
    'openapi: 3.0.0\ninfo: {}\npaths:\n  /a:\n    get:\n      responses: none\n  /b: 7\n',
  )
  const { code, stderr } = await runCommand(['--document', file])
  expect(code).toBe(1)
  expect(stderr).toContain(`${file}:7: /paths/~1b must be an object.\n`)
  expect(stderr).toContain(`${file}:6: /paths/~1a/get/responses must be an object.\n`)
})
