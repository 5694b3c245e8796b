import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { build, createLogger, createServer, type InlineConfig } from 'vite'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { startServer } from '../../src/adapters/server/index.js'
import { defineService, loadDocument } from '../../src/index.js'
import { type PetstorePluginOptions, petstoreMock, type ServicePluginOptions } from '../../src/runners/vite/index.js'
import { petstore } from '../../src/runners/vite/page-mock.js'
import { toProxy } from '../../src/runners/vite/proxy.js'
import { document } from '../support/library-document.js'

const PAGE = '<!doctype html><title>Shop</title><script type="module" src="/main.js"></script>'

let root: string

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'petstore-mock-vite-'))
  writeFileSync(join(root, 'package.json'), '{}')
  writeFileSync(join(root, 'index.html'), PAGE)
  writeFileSync(join(root, 'main.js'), "document.title = await (await fetch('/api/pets/1')).text()\n")
  symlinkSync(fileURLToPath(new URL('../../node_modules', import.meta.url)), join(root, 'node_modules'))
})
afterAll(() => rmSync(root, { recursive: true }))

function configure(options?: PetstorePluginOptions | ServicePluginOptions, more: InlineConfig = {}): InlineConfig {
  return { root, configFile: false, logLevel: 'silent', plugins: [petstoreMock(options)], ...more }
}

/** A running development server. The page is not optimized: the package is not installed here. */
async function develop(options?: PetstorePluginOptions | ServicePluginOptions, more?: InlineConfig) {
  const server = await createServer(
    configure(options, { optimizeDeps: { noDiscovery: true }, server: { port: 0, host: '127.0.0.1' }, ...more }),
  )
  onTestFinished(() => server.close())
  await server.listen()
  const url = (server.resolvedUrls?.local[0] ?? '').replace(/\/$/, '')
  return { server, url, text: async (path: string) => (await fetch(url + path)).text() }
}

it('makes the scripts of a page wait for the mock', async () => {
  const { text } = await develop()
  const html = await text('/')
  expect(html).not.toContain('src="/main.js"')
  const inline = /src="([^"]*html-proxy[^"]*)"/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? ''
  expect(await text(inline)).toMatch(/import ["'][^"']*virtual:petstore-mock["'];?\s*await import\(["']\/main\.js/)
})

const transform = petstoreMock().transformIndexHtml as { handler(html: string): string }

it('makes an inline script wait for the mock', () => {
  expect(transform.handler('<script type="module" data-src="x">start()</script>')).toBe(
    `<script type="module" data-src="x">import 'virtual:petstore-mock'\nstart()</script>`,
  )
})

it.each([
  ['<script type="module" src="https://cdn.example/x.js"></script>'],
  ['<script type="module" src="//cdn.example/x.js"></script>'],
  ['<script type="module" src="data:text/javascript,0"></script>'],
  ['<script src="/classic.js"></script>'],
])('does not change %s', async (script) => {
  const { server } = await develop()
  expect(transform.handler(script)).toBe(script)
  expect(server.config.plugins.map(({ name }) => name)).toContain('petstore-mock')
})

it("serves the worker script of the project's own msw, below the base path", async () => {
  const script = readFileSync(join(root, 'node_modules/msw/lib/mockServiceWorker.js'), 'utf8')
  expect(await (await develop()).text('/mockServiceWorker.js')).toBe(script)
  expect(await (await develop({}, { base: '/shop/' })).text('/mockServiceWorker.js')).toBe(script)
})

it('starts the mock in the page with the given options', async () => {
  const { server } = await develop({ baseUrl: '/store/', keepState: true, seed: 7, dashboardKey: 'ctrl+2' })
  const code = (await server.pluginContainer.load('\0virtual:petstore-mock')) as string
  expect(code).toContain('{"keepState":true,"seed":7,"baseUrl":"/store","worker":"/mockServiceWorker.js"}')
  expect(code).toContain('"ctrlKey":true')
  expect(code).toContain('"code":"Digit2"')
  // Ctrl+P would also print the page.
  expect(code).toContain('event.preventDefault()')
})

it('passes requests on to a mock server instead', async () => {
  await using mock = await startServer({ port: 0 })
  const { url, text } = await develop({ server: mock.url })
  expect(await text('/api/pets/1')).toBe(await (await fetch(`${mock.url}/pets/1`)).text())
  const { headers } = await fetch(`${url}/api/pets?limit=1`)
  expect(headers.get('link')).toContain('</api/pets?')
  expect(await text('/')).toContain('src="/main.js"')
})

it('passes requests on to a mock server below a path, whose references the page can follow', async () => {
  await using mock = await startServer({ port: 0 })
  const { url, text } = await develop({ server: `${mock.url}/sandbox/a/` })
  const headers = { 'Content-Type': 'application/json' }
  const body = '{"name":"Rex","categoryId":1}'
  const created = await fetch(`${url}/api/pets`, { method: 'POST', headers, body })
  expect(await text(created.headers.get('location') ?? '')).toBe(await created.text())
  expect((await fetch(`${mock.url}/sandbox/a/pets/73`)).status).toBe(200)
})

describe('the admin API of a mock server', () => {
  /** Sends a request to Vite by any host name. */
  async function send(url: string, path: string, headers: OutgoingHttpHeaders, method = 'POST'): Promise<string> {
    // As it is, which a URL would not be.
    const sent = request(url, { path, method, headers }).end()
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    return `${response.statusCode} ${await text(response)}`
  }

  it('is passed on by a loopback name only', async () => {
    await using mock = await startServer({ port: 0 })
    mock.petstore.data.pets.delete(1)
    const { url } = await develop({ server: mock.url })
    const paths = [
      '/__admin/reset',
      '/%5F_admin/reset',
      '/sandbox/a/__admin/reset',
      '/@a:0/__admin/reset',
      '/@a:2/x/__admin/reset',
      // Vite would resolve these.
      '/x/../__admin/reset',
      '/pets/%2e%2E/__admin/reset',
      '/x\\..\\__admin/reset',
      '/x/..//__admin/reset',
    ]
    for (const path of paths) {
      expect(await send(url, `/api${path}`, { host: '192.168.1.5:5173' })).toMatch(/^403 .*"Vite passes requests/)
    }
    expect(await send(url, '/api/__admin/state', { host: '192.168.1.5' }, 'GET')).toMatch(/^403 /)
    expect(mock.petstore.data.pets.find(1)).toBeUndefined()
    expect(mock.petstore.sandboxes.list()).toEqual([])
    expect(await send(url, '/api/pets/2', { host: '192.168.1.5' }, 'GET')).toMatch(/^200 /)
    expect(await send(url, '/api/__admin/reset', {})).toBe('204 ')
    expect(mock.petstore.data.pets.find(1)).toBeDefined()
  })

  it.each([
    ['', '/api/__admin/state'],
    ['/mock', '/api/__admin/state'],
    ['/mock', '/api/mock/__admin/state'],
    ['/sandbox/a', '/api/sandbox/b/__admin/state'],
    ['/sandbox', '/api/a/__admin/state'],
    ['', '/api/__ad\tmin/state'],
    ['', '/api/%5f%5Fadmin/%'],
  ])('below "%s" is passed on to clients on this machine only: %s', (base, url) => {
    const { bypass } = toProxy('/api', { origin: 'http://127.0.0.1:4010', path: base })
    const isPassedOn = (remoteAddress: string, host: string) => {
      const response = { writeHead: vi.fn(() => response), end: vi.fn() }
      const result = bypass?.({ url, headers: { host }, socket: { remoteAddress } } as never, response as never, {})
      expect(response.end).toHaveBeenCalledTimes(result === undefined ? 0 : 1)
      return result === undefined
    }
    for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1', '127.0.0.2']) {
      for (const host of ['localhost:5173', '127.0.0.1', '[::1]:5173']) expect(isPassedOn(address, host)).toBe(true)
      for (const host of ['shop.example', '192.168.1.5', '']) expect(isPassedOn(address, host)).toBe(false)
    }
    for (const address of ['192.168.1.7', 'fe80::1', '::ffff:10.0.0.1', '']) {
      expect(isPassedOn(address, 'localhost:5173')).toBe(false)
    }
  })

  it('does not take the sandbox from a cookie of another host', async () => {
    await using mock = await startServer({ port: 0 })
    const { url } = await develop({ server: mock.url })
    const cookie = 'a=1; petstore-sandbox=planted'
    expect(await send(url, '/api/pets/1', { host: '192.168.1.5', cookie }, 'GET')).toMatch(/^200 /)
    expect(mock.petstore.sandboxes.list()).toEqual([])
    expect(await send(url, '/api/pets/1', { cookie }, 'GET')).toMatch(/^200 /)
    expect(mock.petstore.sandboxes.list()).toMatchObject([{ name: 'planted' }])
  })
})

it('does not pass on requests for files whose names only start like the base URL', async () => {
  const { text } = await develop({ server: 'http://127.0.0.1:1', baseUrl: '/main' })
  expect(await text('/main.js')).toContain('document.title')
})

describe('petstore-mock/vite/page', () => {
  const resolve = async (options: PetstorePluginOptions, ssr = false) =>
    (await (await develop(options)).server.pluginContainer.resolveId('petstore-mock/vite/page', undefined, { ssr }))?.id

  it('is the mock that runs in the page, which is also a global for the console', async () => {
    expect(await resolve({})).toBe('\0virtual:petstore-mock')
    const code = await (await develop()).server.pluginContainer.load('\0virtual:petstore-mock')
    expect(code).toContain('export const mock = setupPetstore(')
    expect(code).toContain('globalThis.petstore = petstore')
  })

  it('is a module of the package where no mock runs in a page: in vitest, on a server, and with a mock server', async () => {
    const id = '\0virtual:petstore-mock'
    const { server } = await develop({}, { plugins: [petstoreMock(), { name: 'vitest' }] })
    expect((await server.pluginContainer.resolveId('petstore-mock/vite/page'))?.id).not.toBe(id)
    expect(await resolve({}, true)).not.toBe(id)
    expect(await resolve({ server: 'http://127.0.0.1:1' })).not.toBe(id)
    expect(petstore).toBeUndefined()
  })
})

it.each<[object, string]>([
  [{ keepSate: true }, 'Unknown option "keepSate". Did you mean "keepState"?'],
  [{ dashbordKey: 'Alt+P' }, 'Unknown option "dashbordKey". Did you mean "dashboardKey"?'],
  [{ keepState: 'yes' }, 'Option "keepState" must be true or false.'],
  [{ scenario: 'bussy' }, 'Unknown scenario "bussy". Did you mean "busy"?'],
  [{ fixtures: { pets: [{ id: 0 }] } }, 'The fixture is invalid:'],
  [{ seed: 7, pets: 3, fixtures: { pets: [{ id: 0 }] } }, 'Option "pets" must be omitted'],
])('shows in the terminal and over the page what is wrong with the options %j', async (options, message) => {
  const lines: string[] = []
  const customLogger = { ...createLogger(), error: (line: string) => void lines.push(line) }
  const { server } = await develop(options as PetstorePluginOptions, { customLogger })
  await expect.poll(() => lines).toEqual([expect.stringContaining(`petstore-mock: ${message}`)])
  const send = vi.spyOn(server.environments.client.hot, 'send')
  await fetch(`${server.resolvedUrls?.local[0]}@id/__x00__virtual:petstore-mock`)
  const err = expect.objectContaining({ plugin: 'petstore-mock', message: expect.stringContaining(message) })
  expect(send.mock.calls).toContainEqual([{ type: 'error', err }])
})

describe('a service of your own', () => {
  const COMPILED = '\0virtual:petstore-mock/compiled'
  const write = (file: string, text: string) => writeFileSync(join(root, file), text)
  const writeDocument = (title: string) => write('library.json', JSON.stringify({ ...document, info: { title } }))
  // Not with an import of our source, every file of which Vite would transform.
  const SERVICE = "export default await defineLibrary(new URL('library.json', import.meta.url))"
  vi.stubGlobal('defineLibrary', async (file: URL) => defineService({ document: await loadDocument(file) }))
  afterAll(() => void vi.unstubAllGlobals())

  it('is that of a document, whose validators are compiled', async () => {
    writeDocument('Library')
    const { server } = await develop({ document: 'library.json', sizes: { books: 3 } })
    const code = await server.pluginContainer.load('\0virtual:petstore-mock')
    expect(code).toContain('setupMock(defineService({ document, validators }), {"sizes":{"books":3},')
    const compiled = (await server.pluginContainer.load(COMPILED)) as string
    expect(compiled).toContain('"title":"Library"')
    expect(compiled).toContain('export const validators = { functions: {')
  })

  it('is that of a service file, which the page imports', async () => {
    writeDocument('Library')
    write('library.service.ts', SERVICE)
    const { server } = await develop({ service: 'library.service.ts' })
    const code = await server.pluginContainer.load('\0virtual:petstore-mock')
    expect(code).toContain(`import service from "${join(root, 'library.service.ts')}"`)
    expect(await server.pluginContainer.load(COMPILED)).toContain('"title":"Library"')
    // There are no files in a page.
    const id = (await server.pluginContainer.resolveId('petstore-mock'))?.id ?? ''
    expect(await server.pluginContainer.load(id)).toContain('export const loadDocument = async () => document')
  })

  it.each([{ document: 'library.json' }, { service: 'library.service.ts' }])(
    'is loaded again when it has changed: %j',
    async (options) => {
      writeDocument('Library')
      write('library.service.ts', SERVICE)
      const { server } = await develop(options)
      const send = vi.spyOn(server.environments.client.hot, 'send')
      expect(await server.pluginContainer.load(COMPILED)).toContain('"title":"Library"')
      writeDocument('Archive')
      await expect.poll(() => send.mock.calls, { timeout: 30_000 }).toContainEqual([{ type: 'full-reload' }])
      await expect.poll(() => server.pluginContainer.load(COMPILED)).toContain('"title":"Archive"')
    },
  )

  it('is loaded again when a file of its document has changed or is new, and only then', async () => {
    const outside = mkdtempSync(join(tmpdir(), 'petstore-mock-documents-'))
    onTestFinished(() => rmSync(outside, { recursive: true }))
    const writeOutside = (file: string, content: object) => writeFileSync(join(outside, file), JSON.stringify(content))
    const withTitle = (title: string) => writeOutside('info.json', { title, version: '1.0.0' })
    withTitle('Library')
    writeOutside('library.json', { ...document, info: { $ref: 'info.json' } })
    const { server } = await develop({ document: join(outside, 'library.json') })
    expect(await server.pluginContainer.load(COMPILED)).toContain('"title":"Library"')
    const send = vi.spyOn(server.environments.client.hot, 'send')
    const reload = [{ type: 'full-reload' }]
    // Written again until it is noticed: Vite needs a moment to watch a file.
    const expectAfter = (write: () => void, expected: string) => {
      const load = () => {
        write()
        return server.pluginContainer.load(COMPILED).catch(({ message }) => message)
      }
      return expect.poll(load, { timeout: 10_000, interval: 500 }).toContain(expected)
    }

    // What the application itself uses.
    server.watcher.emit('all', 'change', join(root, 'data.json'))
    expect(send.mock.calls).not.toContainEqual(reload)
    await expectAfter(() => withTitle('Archive'), '"title":"Archive"')
    expect(send.mock.calls).toContainEqual(reload)

    await expectAfter(
      () => writeOutside('library.json', { ...document, info: { $ref: 'new.json' } }),
      'File not found.',
    )
    await expectAfter(() => writeOutside('new.json', { title: 'New', version: '1.0.0' }), '"title":"New"')
  })

  it.each<[ServicePluginOptions, string]>([
    [{ document: 'missing.yaml' }, 'missing.yaml: File not found.'],
    [
      { document: 'lost.yaml' },
      'lost.yaml:3: /paths/~1books/$ref refers to "#/nowhere", which the document does not have.',
    ],
    [{ service: 'empty.js' }, 'the default export must be a service'],
    [{ document: 'library.json', sizes: { boks: 1 } }, 'Did you mean "books"?'],
  ])('shows over the page what is wrong with it: %j', async (options, message) => {
    writeDocument('Library')
    write('empty.js', '')
    write('lost.yaml', 'openapi: 3.1.0\npaths:\n  /books: { $ref: "#/nowhere" }\n')
    const { server } = await develop(options)
    const send = vi.spyOn(server.environments.client.hot, 'send')
    await fetch(`${server.resolvedUrls?.local[0]}@id/__x00__virtual:petstore-mock`)
    const err = expect.objectContaining({ plugin: 'petstore-mock', message: expect.stringContaining(message) })
    expect(send.mock.calls).toContainEqual([{ type: 'error', err }])
  })
})

it('prints where the mock is', async () => {
  const lines: string[] = []
  const customLogger = { ...createLogger(), info: (line: string) => void lines.push(line) }
  const { server } = await develop({}, { customLogger })
  server.printUrls()
  expect(lines.at(-1)).toContain('petstore-mock: /api in the page (dashboard: Alt+Shift+P)')
})

it.each([{}, { document: 'library.json' }])('leaves nothing in a build, with the options %j', async (options) => {
  const outDir = join(root, 'out')
  await build(configure(options as PetstorePluginOptions, { build: { outDir } }))
  const files = readdirSync(outDir, { recursive: true, withFileTypes: true }).filter((file) => file.isFile())
  expect(files.length).toBeGreaterThan(1)
  for (const { name, parentPath } of files) {
    expect(`${name} ${readFileSync(join(parentPath, name), 'utf8')}`).not.toMatch(
      /petstore-mock|mockServiceWorker|msw/i,
    )
  }
})

it.each([
  [{ baseUrl: 'http://localhost/api' }, 'Option "baseUrl" must be a path such as /api.'],
  [{ document: 'a.yaml', server: 'http://localhost:4010' }, 'Option "document" must be omitted with "server"'],
  [{ document: 'a.yaml', service: 'b.js' } as never, 'Option "service" must be omitted with "document"'],
  [{ baseUrl: '/' }, 'Option "baseUrl" must be a path such as /api.'],
  [{ server: 'localhost:4010' }, 'Option "server" must be an address'],
  [{ validateId: () => true } as PetstorePluginOptions, 'Option "validateId" must be something other than a function'],
])('rejects the options %j', (options, message) => {
  expect(() => petstoreMock(options)).toThrow(message)
})

it.each(['', 'P+', 'Hyper+P', 'Alt+F1'])('rejects the key %j', async (dashboardKey) => {
  expect(() => petstoreMock({ dashboardKey })).toThrow('Option "dashboardKey" must be a letter or digit')
})
