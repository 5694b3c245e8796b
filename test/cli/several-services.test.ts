import { afterEach, expect, it } from 'vitest'
import { formatYaml } from '../../src/lib/yaml.js'
import { endCommands, readyEventOf, runCommand, startCommand, stop, urlPrintedBy } from '../support/command.js'
import { document } from '../support/library-document.js'
import { useFolder } from '../support/test-folder.js'

afterEach(endCommands)

const { createFile } = useFolder()

const YAML = createFile('library.yaml', formatYaml(document))
const JSON_FILE = createFile('library.json', JSON.stringify(document))
const INDEX = new URL('../../src/index.ts', import.meta.url)
const MODULE = createFile(
  'shop.service.js',
  `import { defineService } from ${JSON.stringify(INDEX.href)}
export default defineService({
  document: ${JSON.stringify({ ...document, info: { ...document.info, title: 'Shop' } })},
  scenarios: { default: { books: [{ id: 1, title: 'Emma' }] } },
})`,
)

it('serves several services, each at the path of its name', async () => {
  const command = startCommand([
    ...['--port', '0', '--service', `shop=${MODULE}`, '--service', `town=${YAML}`, '--document', `school=${JSON_FILE}`],
    '--coverage',
  ])
  const [, url] = await command.printed(/Try +curl '(http:\S+)\/shop\/books/)
  const books = await (await fetch(`${url}/shop/books`)).json()
  expect(books).toEqual([{ id: 1, title: 'Emma' }])
  expect((await fetch(`${url}/town/books`)).status).toBe(200)
  await fetch(`${url}/school/sandbox/a/books?limit=1`)
  const { stdout, stderr } = await stop(command)
  expect(stderr).toBe('')
  expect(stdout).toMatch(/^ {2}shop {7}http:\/\/127.0.0.1:\d+\/shop {2}Shop: 1 resource, \d+ operations/m)
  expect(stdout).toMatch(/^ {2}school {5}http:\S+\/school {2}Library/m)
  expect(stdout).toMatch(/listBooks +\/town\/books/)
  expect(stdout).toMatch(/listBooks +\/school\/sandbox\/a\/books\?limit=1 \[a, new\]/)
  expect(stdout.match(/^(?:shop|town|school)$/gm)).toEqual(['shop', 'town', 'school'])
})

it('has the coverage of each service below its name, also if names are numbers', async () => {
  const args = ['--port', '0', '--log-format', 'json', '--document', `2=${YAML}`, '--document', `1=${JSON_FILE}`]
  const command = startCommand([...args, '--coverage'])
  const { url } = await readyEventOf(command)
  await fetch(`${url}/2/books`)
  const { stdout } = await stop(command)
  const events = stdout
    .trim()
    .split('\n')
    .map((each) => JSON.parse(each))
  expect(events.filter(({ event }) => event === 'coverage')).toMatchObject([
    { service: '2', summary: { operations: { exercised: 1 } } },
    { service: '1', summary: { operations: { exercised: 0 } } },
  ])
})

it.each(['generate', 'spec', 'verify'])('tells %s that the files of several services are for serve', async (name) => {
  const args = name === 'verify' ? [name, 'http://127.0.0.1:1'] : [name]
  const { code, stderr } = await runCommand(args, { PETSTORE_SERVICE: `shop=${MODULE},town=${YAML}` })
  expect(code).toBe(2)
  expect(stderr).toContain('gives services names, but only serve takes several.')
})

it('writes no control characters of a document to the terminal', async () => {
  const text = JSON.stringify(document).replace('"getBook"', '"get\\u001b[2J"')
  const command = startCommand(['--port', '0', '--document', createFile('control.json', text), '--coverage'])
  const url = await urlPrintedBy(command)
  await fetch(`${url}/books/1`)
  const { stdout } = await stop(command)
  expect(stdout).toContain('get\ufffd[2J')
  expect(stdout).not.toContain('\u001b')
})

it('names the service in each line of a JSON log, and in the ready event', async () => {
  const variables = { PETSTORE_SERVICE: `shop=${MODULE},town=${YAML}`, PETSTORE_LOG_FORMAT: 'json' }
  const command = startCommand(['--port', '0'], variables)
  const { url, services } = await readyEventOf(command)
  expect(services).toMatchObject([
    { name: 'shop', title: 'Shop', url: `${url}/shop` },
    { name: 'town', title: 'Library', url: `${url}/town` },
  ])
  await fetch(`${url}/town/books`)
  const [request = ''] = await command.printed(/\{"event":"request".*\}/)
  expect(JSON.parse(request)).toMatchObject({ service: 'town', target: '/town/books' })
})

it('serves a document that --service names at the root', async () => {
  const command = startCommand(['--port', '0', '--service', YAML])
  const url = await urlPrintedBy(command)
  expect((await fetch(`${url}/books`)).status).toBe(200)
})

it.each([
  [
    ['--service', `shop=${MODULE}`, '--service', `shop=${YAML}`],
    'Two services have the name "shop". Give each its own.',
  ],
  [
    ['--service', `shop=${MODULE}`, '--document', YAML],
    'Several services need a name each, as in --service shop=shop.js --document billing=billing.yaml.',
  ],
  [['--document', YAML, '--document', YAML], 'Several services need a name each'],
  [['--service', 'shop='], '"shop=" lacks a file. Give a name and a file'],
  [['--service', `docs=${YAML}`], '"docs" cannot be the name of a service.'],
  [['--service', `a b=${YAML}`], '"a b" cannot be the name of a service.'],
  [['--service', `shop=${YAML}`, '--fixtures', 'data.json'], '--fixtures is for one service.'],
  [['--service', `shop=${YAML}`, '--size', 'books=2'], '--size is for one service.'],
  [['--service', `shop=${YAML}`, '--record', 'run.json'], '--record is for one service.'],
  [['--service', `shop=${YAML}`, '--pets', '2'], '--pets must be omitted for another service.'],
  [['--service', `shop=${YAML}`, '--scenario', 'busy'], 'Service "shop": Unknown scenario "busy".'],
])('says what is wrong with %j', async (args, message) => {
  const { code, stderr } = await runCommand(['--port', '0', ...args])
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(`petstore-mock: ${message}`) })
})

it('says which file cannot be used', async () => {
  const broken = createFile('broken.yaml', 'swagger: "2.0"')
  expect(await runCommand(['--service', `shop=${MODULE}`, '--service', `town=${broken}`])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('broken.yaml'),
  })
})
