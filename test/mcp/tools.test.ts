import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { startServer } from '../../src/adapters/server/index.js'
import { SNIPPET_KINDS } from '../../src/tools/snippets/index.js'
import { makeFolder, writeIn } from '../support/certificates.js'
import { runCommand } from '../support/command.js'
import { library } from '../support/library.js'
import { document } from '../support/library-document.js'
import { connectOverHttp, connectOverStdio, type McpClient, startMock } from '../support/mcp.js'

/** A call of each tool, in an order in which they succeed. */
const CALLS: readonly (readonly [name: string, args: Record<string, unknown>])[] = [
  ['describe_service', {}],
  ['describe_service', { search: 'stock' }],
  ['describe_service', { operation: 'createOrder' }],
  ['change_data', { action: 'create', resource: 'pets', records: [{ name: 'Rex' }, { name: 'Bo' }] }],
  ['change_data', { action: 'update', resource: 'pets', id: 73, fields: { name: 'Max' } }],
  ['change_data', { action: 'delete', resource: 'pets', id: '74' }],
  ['read_data', { resource: 'pets', offset: 70 }],
  ['read_data', { resource: 'pets', id: 73 }],
  ['simulate', { failure: { operation: 'getPet', status: 503, times: 1 } }],
  ['simulate', { response: { operation: 'getOrder', status: 200, body: { id: 1 } } }],
  ['send_request', { path: '/pets/73' }],
  ['send_request', { method: 'POST', path: '/pets', body: { name: 'Ada', categoryId: 1 } }],
  ['rules', {}],
  ['rules', { remove: 'failure', id: 1 }],
  ['rules', { remove: 'all' }],
  ['requests', {}],
  ['requests', { id: 1 }],
  ['requests', { operation: 'createPet', waitMs: 1000 }],
  ['clock', {}],
  ['clock', { now: '2030-01-01T00:00:00Z', frozen: true, by: 'P1D' }],
  ['save_reproduction', { as: 'vitest', last: 2 }],
  ['reset', { scenario: 'single' }],
]

describe.each([
  ['over HTTP', async () => connectOverHttp(await startMock())],
  ['over standard input and output', () => connectOverStdio()],
])('a client %s', (_, connect) => {
  it('has a sandbox, and can change nothing else', async () => {
    const { call, baseUrl } = await connect()
    expect(baseUrl).toMatch(/\/sandbox\/mcp-[0-9a-f]{12}$/)
    await call('change_data', { action: 'delete', resource: 'pets', id: 1 })
    const root = baseUrl.replace(/\/sandbox\/.*/, '')
    const statuses = [root, baseUrl].map(async (url) => (await fetch(`${url}/pets/1`)).status)
    expect(await Promise.all(statuses)).toEqual([200, 404])
  })

  it('lists the tools, and each result of each conforms to its schema', async () => {
    const { client, call } = await connect()
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual([...new Set(CALLS.map(([name]) => name))].sort(inOrderOf(tools)))
    expect(tools.length).toBeLessThanOrEqual(10)
    const ajv = new Ajv2020({ strict: false, validateFormats: false })
    for (const [name, args] of CALLS) {
      const result = await call(name, args)
      const validate = ajv.compile(tools.find((tool) => tool.name === name)?.outputSchema ?? false)
      expect([name, args, validate(result) ? 'conforms' : validate.errors]).toEqual([name, args, 'conforms'])
    }
  })

  it('lists and reads the resources, and gets the prompt', async () => {
    const { client, baseUrl } = await connect()
    const { resources } = await client.listResources()
    const texts = await Promise.all(
      resources.map(async ({ uri }) => {
        const { contents } = await client.readResource({ uri })
        return (contents[0] as { text: string }).text
      }),
    )
    const [document, schema, state] = texts.map((text) => JSON.parse(text))
    expect(document.info.title).toBe('Pet Store Service')
    expect(Object.keys(schema.properties)).toContain('pets')
    expect(state.pets).toHaveLength(72)
    const { prompts } = await client.listPrompts()
    const { messages } = await client.getPrompt({ name: prompts[0]?.name ?? '', arguments: { code: 'src/orders.ts' } })
    expect(messages[0]?.content).toMatchObject({ text: expect.stringContaining('src/orders.ts') })
    expect(messages[0]?.content).toMatchObject({ text: expect.stringContaining(baseUrl) })
  })
})

const inOrderOf = (tools: readonly { readonly name: string }[]) => (one: string, other: string) =>
  tools.findIndex(({ name }) => name === one) - tools.findIndex(({ name }) => name === other)

it('a client of another service gets its words', async () => {
  await using server = await startServer({ service: library, port: 0 })
  const { call, fail, client } = await connectOverHttp(server)
  expect(client.getInstructions()).toContain('A mock of Library')
  expect(await call('describe_service')).toMatchObject({ resources: [{ name: 'books', path: '/books', id: 'id' }] })
  expect(await call('read_data', { resource: 'books', limit: 1 })).toMatchObject({ total: 2, leftOut: 1 })
  expect(await call('send_request', { method: 'DELETE', path: '/books/1' })).toMatchObject({ status: 409 })
  await call('reset', { fixtures: { books: [{ id: 5, title: 'Ulysses' }] } })
  expect(await fail('read_data', { resource: 'books', id: 1 })).toBe('books has no record "1".')
})

describe('code for another service', () => {
  const path = '/books?borrower=Ada'

  it('is that of the command', async () => {
    const folder = makeFolder()
    const library = writeIn(folder, 'library.json', JSON.stringify(document))
    const { call, baseUrl } = await connectOverStdio(['--document', library], folder)
    await call('send_request', { path })
    for (const as of SNIPPET_KINDS) {
      const file = `${as}.json`
      const { body } = await call<{ body: string }>('save_reproduction', { as, file })
      const against = as === 'curl' || as === 'fetch' ? ['--against', baseUrl] : []
      const args = ['replay', join(folder, file), '--document', library, '--as', as, ...against]
      expect(await runCommand(args, {}, folder), as).toMatchObject({ stdout: `${body}\n` })
      expect(body, as).not.toContain(folder)
    }
  })

  it('has a place for the path of the document if the mock runs on a server', async () => {
    await using server = await startServer({ document, port: 0 })
    const { call } = await connectOverHttp(server)
    await call('send_request', { path })
    const { body } = await call<{ body: string }>('save_reproduction', { as: 'vitest' })
    expect(body).toContain(`\n// Where your document is. `)
    expect(body).toContain(`\nconst test = createTest({ mock: { document: './openapi.yaml', ...options } })\n`)
  })
})

it('each of several services on one port has its own sessions', async () => {
  await using server = await startServer({
    services: { town: library, school: { document, scenario: 'empty' } },
    port: 0,
  })
  const [town, school] = await Promise.all(
    ['town', 'school'].map((name) => connectOverHttp({ url: `${server.url}/${name}` })),
  )
  expect(town?.baseUrl).toMatch(`${server.url}/town/sandbox/`)
  expect(await town?.call('read_data', { resource: 'books' })).toMatchObject({ total: 2 })
  expect(await school?.call('read_data', { resource: 'books' })).toMatchObject({ total: 0 })
  await school?.call('send_request', { method: 'POST', path: '/books', body: { title: 'Ulysses' } })
  expect((await fetch(`${school?.baseUrl}/books`)).status).toBe(200)
  expect(await school?.call('requests')).toMatchObject({ total: 2 })
  expect(await town?.call('requests')).toMatchObject({ total: 0 })
})

describe('two sessions on one server', () => {
  async function connectTwo() {
    const server = await startMock()
    return Promise.all([connectOverHttp(server), connectOverHttp(server)])
  }
  const total = async ({ call }: McpClient, name: string, args = {}) =>
    (await call<{ total: number }>(name, args)).total

  it('see neither data, failures, clock nor requests of each other', async () => {
    const [one, other] = await connectTwo()
    await one.call('reset', { scenario: 'single' })
    await one.call('simulate', { failure: { operation: 'listPets', status: 503 } })
    await one.call('clock', { now: '2030-01-01T00:00:00Z', frozen: true })
    expect((await fetch(`${one.baseUrl}/pets`)).status).toBe(503)
    expect((await fetch(`${other.baseUrl}/pets`)).status).toBe(200)
    expect(await total(one, 'read_data', { resource: 'pets' })).toBe(1)
    expect(await total(other, 'read_data', { resource: 'pets' })).toBe(72)
    expect(await other.call('rules')).toMatchObject({ failures: [] })
    expect(await other.call('clock')).toMatchObject({ frozen: false })
    await fetch(`${other.baseUrl}/pets/1`)
    expect(await total(one, 'requests')).toBe(1)
    expect(await total(other, 'requests')).toBe(2)
  })

  it('cannot reach each other with send_request', async () => {
    const [one, other] = await connectTwo()
    const { pathname } = new URL(other.baseUrl)
    expect(await one.fail('send_request', { path: `${pathname}/__admin/state` })).toContain('admin API')
    const { status } = await one.call<{ status: number }>('send_request', { path: `${pathname}/pets` })
    expect(status).toBe(400)
    expect(await one.fail('send_request', { path: '@127.0.0.1:1/' })).toContain('/path must be')
  })

  it('cannot reach a service beside theirs with send_request', async () => {
    await using server = await startServer({ services: { town: library, school: { document } }, port: 0 })
    const { fail } = await connectOverHttp({ url: `${server.url}/town` })
    for (const path of ['/../school/__admin/reset', '/%2e%2e/school/books', '/a/..\\..\\school']) {
      expect(await fail('send_request', { path, method: 'POST' })).toContain('/path leads out of the base URL')
    }
    expect(await fail('send_request', { path: '/books/../__admin/reset' })).toContain('admin API')
  })
})
