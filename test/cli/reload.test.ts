import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, it } from 'vitest'
import { formatYaml } from '../../src/lib/yaml.js'
import {
  endCommands,
  type RunningCommand,
  readyEventOf,
  runCommand,
  startCommand,
  stop,
  urlPrintedBy,
} from '../support/command.js'
import { document } from '../support/library-document.js'

afterEach(endCommands)

const folder = mkdtempSync(join(tmpdir(), 'reload-'))
afterAll(() => rmSync(folder, { recursive: true }))

const INDEX = new URL('../../src/index.ts', import.meta.url).href

function write(name: string, content: string): string {
  const file = join(folder, name)
  writeFileSync(file, content)
  return file
}

/** The library's document with other properties of a book. */
function withBook(properties: object): string {
  const { Book } = document.components.schemas
  const schemas = {
    ...document.components.schemas,
    Book: { ...Book, properties: { ...Book.properties, ...properties } },
  }
  return formatYaml({ ...document, components: { ...document.components, schemas } })
}

async function start(...args: string[]): Promise<{ command: RunningCommand; url: string }> {
  const command = startCommand(['--port', '0', '--log-format', 'json', '--watch', ...args])
  return { command, url: (await readyEventOf(command)).url }
}

const send = (url: string, method: string, body?: object) =>
  fetch(url, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
const read = async (url: string) => (await fetch(url)).json()

it('reloads a document, and says what of the data does not fit', async () => {
  const file = write('library.yaml', withBook({ note: { type: 'string' } }))
  const { command, url } = await start('--document', file, '--scenario', 'empty')
  await send(`${url}/books`, 'POST', { title: 'Emma', note: 'Green.' })
  await send(`${url}/books`, 'POST', { title: 'If' })
  await send(`${url}/sandbox/a/books`, 'POST', { title: 'Dune' })
  await send(`${url}/__admin/faults`, 'POST', { operation: 'getBook', status: 503 })

  write('library.yaml', withBook({ title: { type: 'string', minLength: 3 } }))
  const [line = ''] = await command.printed(/\{"event":"reloaded".*\}/)
  expect(JSON.parse(line)).toMatchObject({
    service: file,
    kept: 2,
    dropped: [
      expect.stringMatching(/^books: the property note, which the document does not have/),
      expect.stringMatching(/^books 2: \/title must be/),
    ],
  })
  expect(await read(`${url}/books`)).toEqual([{ id: 1, title: 'Emma' }])
  expect(await read(`${url}/sandbox/a/books`)).toEqual([{ id: 1, title: 'Dune' }])
  expect((await fetch(`${url}/books/1`)).status).toBe(503)
  expect((await send(`${url}/books`, 'POST', { title: 'If' })).status).toBe(400)
  // The id of the dropped book is not used again.
  expect(await (await send(`${url}/books`, 'POST', { title: 'Persuasion' })).json()).toMatchObject({ id: 3 })
  // The next reset starts with the data of the new version.
  await send(`${url}/__admin/reset`, 'POST')
  expect(await read(`${url}/books`)).toEqual([])
})

it('says that a recording starts with the last reload', async () => {
  const file = write('recorded.yaml', withBook({}))
  const record = join(folder, 'recorded.petstore.json')
  const { command, url } = await start('--document', file, '--record', record)
  await read(`${url}/books`)
  write('recorded.yaml', withBook({ note: { type: 'string' } }))
  await command.printed(/"event":"reloaded"/)
  await read(`${url}/books`)
  expect((await stop(command)).stderr).toContain('Wrote 1 request since the last reload of the service to ')
})

it('goes on with the old version of what cannot be read, and takes the next one', async () => {
  const file = write('broken.yaml', withBook({}))
  const { command, url } = await start('--document', file, '--scenario', 'empty')
  await send(`${url}/books`, 'POST', { title: 'Emma' })
  write('broken.yaml', 'openapi: [')
  const [line = ''] = await command.complained(/^\{"event":"not-reloaded".*\}\n/)
  expect(JSON.parse(line)).toMatchObject({
    service: file,
    problems: [expect.stringContaining('Invalid YAML at line 1')],
  })
  expect(await read(`${url}/books`)).toHaveLength(1)
  write('broken.yaml', withBook({ pages: { type: 'integer' } }))
  await command.printed(/"event":"reloaded"/)
  expect(await (await send(`${url}/books`, 'POST', { title: 'Dune', pages: 412 })).json()).toMatchObject({ pages: 412 })
})

it('loads a document again when a file is created that it refers to', async () => {
  const file = write('referring.yaml', withBook({}))
  const { command, url } = await start('--document', file, '--scenario', 'empty')
  write('referring.yaml', formatYaml({ ...document, info: { $ref: './new.yaml' } }))
  const [line = ''] = await command.complained(/^\{"event":"not-reloaded".*\}\n/)
  expect(JSON.parse(line)).toMatchObject({ problems: [expect.stringContaining('File not found')] })
  write('new.yaml', formatYaml({ title: 'Archive', version: '2.0.0' }))
  await command.printed(/"event":"reloaded"/)
  expect(await read(`${url}/openapi.json`)).toMatchObject({ info: { $ref: '#/x-files/new.yaml' } })
})

it('names the file and line of a service file that cannot be imported', async () => {
  const file = write('broken.service.mjs', '\nundefined.shelf')
  const { stderr } = await runCommand(['--service', file])
  const problem = "Cannot read properties of undefined (reading 'shelf') (broken.service.mjs:2)"
  expect(stderr).toBe(`petstore-mock: ${file}: Cannot be imported: ${problem}\n`)
})

/** A service file that reads its document. */
const serviceFile = (status: number) => `import { defineService, loadDocument } from ${JSON.stringify(INDEX)}
export default defineService({
  document: await loadDocument(new URL('./read.yaml', import.meta.url)),
  operations: { removeBook: () => ({ status: ${status} }) },
  scenarios: { default: { books: [{ id: 1, title: 'Emma' }] }, other: {} },
})`

it('reloads a service file, and one whose document has changed; data that nobody has changed is the new one', async () => {
  write('read.yaml', withBook({}))
  const file = write('rules.service.mjs', serviceFile(204))
  const { command, url } = await start('--service', file)
  expect((await send(`${url}/books/1`, 'DELETE')).status).toBe(204)
  write('rules.service.mjs', serviceFile(404).replace('Emma', 'Dune'))
  await command.printed(/"event":"reloaded".*"kept":0/)
  expect((await send(`${url}/books/1`, 'DELETE')).status).toBe(404)
  expect(await read(`${url}/books`)).toEqual([{ id: 1, title: 'Dune' }])
  write('read.yaml', withBook({ title: { type: 'string', maxLength: 10 } }))
  await expect
    .poll(async () => (await send(`${url}/books`, 'POST', { title: 'Sense and Sensibility' })).status)
    .toBe(400)
})

it('reloads one of several services, which the others use from then on', async () => {
  write('town.yaml', withBook({}))
  const shop = write(
    'shop.service.mjs',
    `import { defineService } from ${JSON.stringify(INDEX)}
export default defineService({
  document: ${JSON.stringify(document)},
  operations: { getBook: ({ services }) => ({ status: 200, body: { id: services.town.data.books.all().length, title: 'x' } }) },
})`,
  )
  const { command, url } = await start('--service', `shop=${shop}`, '--document', `town=${join(folder, 'town.yaml')}`)
  const before = (await read(`${url}/shop/books/1`)).id
  write('town.yaml', withBook({ pages: { type: 'integer' } }))
  await command.printed(/"event":"reloaded"/)
  await send(`${url}/town/books`, 'POST', { title: 'Dune', pages: 412 })
  expect(await read(`${url}/shop/books/1`)).toMatchObject({ id: before + 1 })
})

it('ends the event streams of the old version, so that their readers ask again', async () => {
  const file = write('events.yaml', withBook({}))
  const { url } = await start('--document', file)
  const events = await fetch(`${url}/__admin/events`)
  write('events.yaml', withBook({ pages: { type: 'integer' } }))
  expect(await events.text()).toMatch(/^retry/)
})

it('reports a reload for people', async () => {
  const file = write('people.yaml', withBook({}))
  const command = startCommand(['--port', '0', '--document', file, '--watch', '--scenario', 'empty'])
  const url = await urlPrintedBy(command)
  await send(`${url}/books`, 'POST', { title: 'If' })
  write('people.yaml', withBook({ title: { type: 'string', minLength: 3 } }))
  await command.printed(/^Reloaded \S+people\.yaml\. Dropped:\n {4}books 1: \/title/m)
})

it('needs something to watch', async () => {
  const { code, stderr } = await runCommand(['--watch'])
  expect([code, stderr]).toEqual([2, expect.stringContaining('--watch requires --fixtures, --document or --service.')])
})

it('reports each problem of the starting data in a line of its own', async () => {
  const file = write('many.yaml', withBook({}))
  const books = Array.from({ length: 30 }, (_, index) => ({ id: index + 1, title: 'Emma' }))
  const fixtures = write('many.json', JSON.stringify({ books }))
  const { command } = await start('--document', file, '--fixtures', fixtures)
  write('many.yaml', withBook({ title: { type: 'string', minLength: 9 } }))
  const [line = ''] = await command.complained(/^\{"event":"not-reloaded".*\}\n/)
  const { problems } = JSON.parse(line)
  expect(problems).toHaveLength(30)
  expect(problems[0]).toMatch(/many\.json:1: \/books\/0\/title must/)

  const service = (id: string) => `import { defineService } from ${JSON.stringify(INDEX)}
export default defineService({
  document: ${JSON.stringify(document)},
  scenarios: { default: { books: [{ id: ${id}, title: 'Emma' }, { id: ${id} }] } },
})`
  const module = write('many.service.mjs', service('1').replace(', { id: 1 }', ''))
  const running = await start('--service', module)
  write('many.service.mjs', service('"x"'))
  const [next = ''] = await running.command.complained(/^\{"event":"not-reloaded".*\}\n/)
  expect(JSON.parse(next).problems).toEqual([
    expect.stringMatching(/scenario "default" is invalid:$/),
    expect.stringMatching(/^\/books\/0\/id must/),
    expect.stringMatching(/^\/books\/1\/title is missing/),
    expect.stringMatching(/^\/books\/1\/id must/),
  ])
})

it('names each problem of a document that a service file loads', async () => {
  write('loaded.json', JSON.stringify({ openapi: '3.0.3', paths: { '/a': { $ref: '#/a' }, '/b': { $ref: '#/b' } } }))
  const file = write(
    'loading.service.mjs',
    `import { loadDocument } from ${JSON.stringify(INDEX)}\nawait loadDocument(new URL('./loaded.json', import.meta.url))`,
  )
  const { stderr } = await runCommand(['--service', file])
  const [first, ...others] = stderr.trim().split('\n')
  expect(first).toMatch(/^petstore-mock: \S+: Cannot be imported: .*[^:] \(loading\.service\.mjs:2\)$/)
  expect(others.length).toBeGreaterThan(1)
  for (const line of others) expect(line).toMatch(/^petstore-mock: \S+loading\.service\.mjs: \/\S+ /)
})
