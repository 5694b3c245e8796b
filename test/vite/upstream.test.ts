import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLogger, createServer, type InlineConfig, type Plugin } from 'vite'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { type PetstorePluginOptions, petstoreMock, type ServicePluginOptions } from '../../src/runners/vite/index.js'
import { document } from '../support/library-document.js'

/** The real service. Returns its address, and the requests that it has received. */
async function startService() {
  const requests: IncomingMessage[] = []
  const service = createHttpServer((request, response) => {
    requests.push(request)
    const { port } = service.address() as AddressInfo
    response
      .writeHead(200, {
        'Content-Type': 'application/json',
        'Set-Cookie': 'sid=1; Domain=127.0.0.1; Path=/v1; Secure',
        Link: `<http://127.0.0.1:${port}/v1/pets?offset=1>; rel="next"`,
      })
      .end('{"id":1,"name":"Real","categoryId":1,"title":"Ulysses"}')
  })
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    service.close()
    service.closeAllConnections()
  })
  return { url: `http://127.0.0.1:${(service.address() as AddressInfo).port}/v1`, requests }
}

/** A running development server. */
async function develop(options: PetstorePluginOptions | ServicePluginOptions, more: InlineConfig = {}) {
  const root = mkdtempSync(join(tmpdir(), 'petstore-mock-vite-upstream-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  writeFileSync(join(root, 'index.html'), '<!doctype html><script type="module" src="/main.js"></script>')
  writeFileSync(join(root, 'main.js'), '')
  writeFileSync(join(root, 'library.json'), JSON.stringify(document))
  const lines: string[] = []
  const server = await createServer({
    root,
    configFile: false,
    customLogger: { ...createLogger(), info: (line) => void lines.push(line) },
    optimizeDeps: { noDiscovery: true },
    server: { port: 0, host: '127.0.0.1' },
    plugins: [petstoreMock(options)],
    ...more,
  })
  onTestFinished(() => server.close())
  await server.listen()
  server.printUrls()
  const url = (server.resolvedUrls?.local[0] ?? '').replace(/\/$/, '')
  return {
    server,
    root,
    url,
    printed: lines.join('\n'),
    text: async (path: string) => (await fetch(url + path)).text(),
  }
}

/** The address of the mock server that Vite has started. */
const mockOf = (printed: string): string => /petstore-mock: (\S+)/.exec(printed)?.[1] ?? ''

describe('the option upstream', () => {
  it('has Vite start a mock server in front of the real service, which ends with Vite', async () => {
    const { url: upstream, requests } = await startService()
    const { server, url, printed, text } = await develop({
      upstream,
      pass: ['getPet', 'deletePet'],
      scenario: 'single',
    })
    expect(printed).toContain(
      `upstream: ${upstream} answers 2 of 18 operations, of which these CHANGE ITS DATA: deletePet`,
    )
    expect(await text('/api/pets/1')).toContain('"Real"')
    expect(await text('/api/pets')).toContain('Biscuit')
    expect(requests.map((request) => request.url)).toEqual(['/v1/pets/1'])
    expect(await text('/')).toContain('src="/main.js"')

    const { headers } = await fetch(`${url}/api/pets/1`)
    expect(headers.getSetCookie()).toEqual(['sid=1; Path=/'])
    expect(headers.get('link')).toBe('</api/pets?offset=1>; rel="next"')

    const switched = { method: 'PUT', headers: { 'Content-Type': 'application/json' }, body: '{"mock":["getPet"]}' }
    expect((await fetch(`${url}/api/__admin/upstream`, switched)).status).toBe(200)
    expect(await text('/api/pets/1')).toContain('Biscuit')

    const mock = mockOf(printed)
    expect((await fetch(`${mock}/pets/1`)).status).toBe(200)
    await server.close()
    await expect(fetch(`${mock}/pets/1`)).rejects.toThrow()
  })

  it('works for a service of your own, whose mock is started again when its file has changed', async () => {
    const { url: upstream } = await startService()
    const options = { document: 'library.json', upstream, pass: ['getBook'] }
    const { root, printed, text } = await develop(options)
    expect(await text('/api/books/1')).toContain('Ulysses')
    writeFileSync(join(root, 'library.json'), JSON.stringify({ ...document, info: { title: 'Archive' } }))
    await expect.poll(() => text('/api/__admin/health').catch(() => 'restarting')).toContain('Archive')
    expect(await text('/api/books/1')).toContain('Ulysses')
    await expect.poll(() => fetch(mockOf(printed)).catch(() => 'closed')).toBe('closed')
  })

  it('keeps its mock while the document of a service cannot be used', async () => {
    const { url: upstream } = await startService()
    const { server, root, text } = await develop({ document: 'library.json', upstream, pass: ['getBook'] })
    const error = vi.spyOn(server.config.logger, 'error')
    writeFileSync(join(root, 'library.json'), '{')
    await expect.poll(() => String(error.mock.calls), { timeout: 10_000 }).toContain('Invalid JSON')
    expect(await text('/api/__admin/health')).toContain('"status":"ok"')
    writeFileSync(join(root, 'library.json'), JSON.stringify({ ...document, info: { title: 'Archive' } }))
    await expect.poll(() => text('/api/__admin/health').catch(() => 'restarting')).toContain('Archive')
  })

  it('leaves no watcher behind when its document cannot be used', async () => {
    const { url: upstream } = await startService()
    const listeners: (() => number)[] = []
    const observe: Plugin = {
      name: 'observe',
      enforce: 'pre',
      configureServer: ({ watcher }) => void listeners.push(() => watcher.listenerCount('all')),
    }
    const plugins = [observe, petstoreMock({ document: 'broken.json', upstream })]
    await expect(develop({}, { plugins })).rejects.toThrow('broken.json')
    expect(listeners.map((count) => count())).toEqual([0])
  })

  it('has no effect in vitest: tests pass nothing through', async () => {
    const { url: upstream, requests } = await startService()
    const { printed } = await develop({}, { plugins: [petstoreMock({ upstream, pass: ['*'] }), { name: 'vitest' }] })
    expect(printed).not.toContain('petstore-mock')
    expect(requests).toEqual([])
  })

  it.each([
    [{ upstream: 'http://127.0.0.1:1', pass: ['getPets'] }, 'Unknown operation "getPets". Did you mean "getPet"?'],
    [{ upstream: 'service.example' }, 'Option "upstream" must be a URL'],
    [{ upstream: 'http://127.0.0.1:1', keepState: true }, 'Unknown option "keepState".'],
  ])('rejects %j when Vite starts', async (options, message) => {
    await expect(develop(options)).rejects.toThrow(message)
  })

  it.each([
    [{ pass: ['getPet'] }, 'Option "pass" requires the option "upstream".'],
    [
      { upstream: 'http://127.0.0.1:1', server: 'http://127.0.0.1:2' },
      'Option "upstream" must be omitted with "server"',
    ],
  ])('rejects %j at once', (options, message) => {
    expect(() => petstoreMock(options)).toThrow(message)
  })
})
