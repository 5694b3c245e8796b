import { afterEach, expect, it } from 'vitest'
import { formatYaml } from '../../src/lib/yaml.js'
import { endCommands, readyEventOf, runCommand, startCommand } from '../support/command.js'
import { document } from '../support/library-document.js'
import { useFolder } from '../support/test-folder.js'

afterEach(endCommands)

const { createFile } = useFolder()

const FILE = createFile('library.yaml', formatYaml(document))

const start = (...args: string[]) => readyEventOf(startCommand(['--port', '0', '--log-format', 'json', ...args]))

it('serves the service of a document', async () => {
  const { url, service } = await start('--document', FILE)
  expect(service).toBe('Library')
  const headers = { 'content-type': 'application/json' }
  await fetch(`${url}/books`, { method: 'POST', body: '{"title":"Dune"}', headers })
  expect(await (await fetch(`${url}/books`)).text()).toContain('Dune')
  expect(await (await fetch(`${url}/openapi.yaml`)).text()).toContain('title: Library')
})

it('takes the other flags of serve, and rejects those of the built-in service', async () => {
  const fixtures = createFile('books.yaml', 'books: [{ id: 7, title: Emma }]')
  const { url } = await start('--document', FILE, '--fixtures', fixtures)
  expect(await (await fetch(`${url}/books/7`)).json()).toMatchObject({ title: 'Emma' })
  const { code, stderr } = await runCommand(['--document', FILE, '--pets', '3'])
  expect({ code, stderr }).toStrictEqual({
    code: 2,
    stderr: 'petstore-mock: --pets must be omitted for another service. Use --size pets=3 instead. Received: 3.\n',
  })
})

it('prints the document, complete', async () => {
  const { stdout } = await runCommand(['spec', '--document', FILE, '--format', 'json'])
  expect(JSON.parse(stdout)).toStrictEqual(document)
})

it('verifies a running service against the document, and leaves its data as it was', async () => {
  const { url } = await start('--document', FILE)
  const before = await (await fetch(`${url}/books`)).text()
  const { code, stdout } = await runCommand(['verify', url, '--document', FILE, '--format', 'json'])
  const report = JSON.parse(stdout)
  expect({ code, failed: report.failed }).toStrictEqual({ code: 0, failed: 0 })
  expect(report.passed).toBeGreaterThan(10)
  expect(await (await fetch(`${url}/books`)).text()).toBe(before)
})

it('says what it expected of a service that is another one, and of an operation', async () => {
  const petstore = await start()
  expect(await runCommand(['verify', petstore.url, '--document', FILE])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('does not look like the service of "Library": GET /books returned 404'),
  })
  expect(await runCommand(['verify', petstore.url, '--document', FILE, '--operation', 'getBok'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Did you mean "getBook"?'),
  })
})

it('pulls a fixture from a running service', async () => {
  const fixtures = createFile('more.yaml', 'books: [{ id: 7, title: Emma }]')
  const { url } = await start('--document', FILE, '--fixtures', fixtures)
  const { stdout } = await runCommand(['pull', url, '--document', FILE])
  expect(JSON.parse(stdout)).toStrictEqual({ books: [{ id: 7, title: 'Emma' }] })
})

it('repeats a reproduction, in memory and against a running service', async () => {
  const { url } = await start('--document', FILE, '--scenario', 'empty')
  const headers = { 'content-type': 'application/json' }
  await fetch(`${url}/books`, { method: 'POST', body: '{"title":"Dune"}', headers })
  await fetch(`${url}/books/1`)
  const file = createFile('run.petstore.json', await (await fetch(`${url}/__admin/reproduction`)).text())
  expect(await runCommand(['replay', file, '--document', FILE])).toMatchObject({ code: 0 })
  const against = await start('--document', FILE, '--scenario', 'empty')
  const args = ['replay', file, '--document', FILE, '--against', against.url, '--allow-writes']
  expect(await runCommand(args)).toMatchObject({ code: 0 })
  expect(await runCommand(['replay', file])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Name that document with --document or --service.'),
  })
})

it('serves the document of the Pet Store like any other', async () => {
  const { url } = await start('--document', 'spec/openapi.yaml')
  expect(await (await fetch(`${url}/store/inventory`)).json()).toHaveLength(10)
})
