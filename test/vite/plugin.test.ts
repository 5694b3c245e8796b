import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, createLogger, createServer, type InlineConfig } from 'vite'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { startServer } from '../../src/adapters/server/index.js'
import { type PetstorePluginOptions, petstoreMock } from '../../src/vite/index.js'

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

function configure(options?: PetstorePluginOptions, more: InlineConfig = {}): InlineConfig {
  return { root, configFile: false, logLevel: 'silent', plugins: [petstoreMock(options)], ...more }
}

/** A running development server. The page is not optimized: the package is not installed here. */
async function develop(options?: PetstorePluginOptions, more?: InlineConfig) {
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
  const mock = await startServer({ port: 0 })
  onTestFinished(() => mock.close())
  const { url, text } = await develop({ server: mock.url })
  expect(await text('/api/pets/1')).toBe(await (await fetch(`${mock.url}/pets/1`)).text())
  const { headers } = await fetch(`${url}/api/pets?limit=1`)
  expect(headers.get('link')).toContain('</api/pets?')
  expect(await text('/')).toContain('src="/main.js"')
})

it('passes requests on to a mock server below a path, whose references the page can follow', async () => {
  const mock = await startServer({ port: 0 })
  onTestFinished(() => mock.close())
  const { url, text } = await develop({ server: `${mock.url}/sandbox/a/` })
  const headers = { 'Content-Type': 'application/json' }
  const body = '{"name":"Rex","categoryId":1}'
  const created = await fetch(`${url}/api/pets`, { method: 'POST', headers, body })
  expect(await text(created.headers.get('location') ?? '')).toBe(await created.text())
  expect((await fetch(`${mock.url}/sandbox/a/pets/73`)).status).toBe(200)
})

it('does not pass on requests for files whose names only start like the base URL', async () => {
  const { text } = await develop({ server: 'http://127.0.0.1:1', baseUrl: '/main' })
  expect(await text('/main.js')).toContain('document.title')
})

it('prints where the mock is', async () => {
  const lines: string[] = []
  const customLogger = { ...createLogger(), info: (line: string) => void lines.push(line) }
  const { server } = await develop({}, { customLogger })
  server.printUrls()
  expect(lines.at(-1)).toContain('petstore-mock: /api in the page (dashboard: Alt+Shift+P)')
})

it('leaves nothing in a build', async () => {
  const outDir = join(root, 'out')
  await build(configure({}, { build: { outDir } }))
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
  [{ baseUrl: '/' }, 'Option "baseUrl" must be a path such as /api.'],
  [{ server: 'localhost:4010' }, 'Option "server" must be an address'],
  [{ validateId: () => true } as PetstorePluginOptions, 'Option "validateId" must be something other than a function'],
])('rejects the options %j', (options, message) => {
  expect(() => petstoreMock(options)).toThrow(message)
})

it.each(['', 'P+', 'Hyper+P', 'Alt+F1'])('rejects the key %j', async (dashboardKey) => {
  expect(() => petstoreMock({ dashboardKey })).toThrow('Option "dashboardKey" must be a letter or digit')
})
