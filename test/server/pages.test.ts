import { describe, expect, it } from 'vitest'
import { version } from '../../src/lib/generated/version.js'
import { expectError, readResponse, shop } from '../support/client.js'
import { exchange, expectBytesRejected, openServer, toHttpText } from '../support/raw-connection.js'

const SHOP = { fixtures: shop([{ id: 1, name: 'Rex' }]) }
const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }
const FILES: readonly [path: string, type: string, text: string][] = [
  ['/__admin/', 'text/html; charset=utf-8', '<!doctype html>'],
  ['/__admin/assets/dashboard.js', 'text/javascript; charset=utf-8', '/__admin'],
  ['/__admin/assets/dashboard.css', 'text/css; charset=utf-8', '{'],
  ['/docs', 'text/html; charset=utf-8', '<!doctype html>'],
  ['/docs/assets/reference.js', 'text/javascript; charset=utf-8', 'x-stability'],
  ['/docs/assets/reference.css', 'text/css; charset=utf-8', '{'],
  ['/docs/assets/swagger-ui.js', 'text/javascript; charset=utf-8', 'SwaggerUIBundle'],
  ['/docs/assets/swagger-ui.css', 'text/css; charset=utf-8', '.swagger-ui'],
]
const PATHS = FILES.map(([path]) => path)

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
]

const PROTECTION = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-cache',
  'x-petstore-mock': version,
}

function expectProtection(headers: Headers): void {
  expect(Object.fromEntries(headers)).toMatchObject(PROTECTION)
  expect(headers.get('content-security-policy')?.split('; ')).toEqual(POLICY)
}

describe('a file of the pages', () => {
  it.each(FILES)('I7 is served at %s, and below a sandbox', async (path, type, text) => {
    const server = await openServer(SHOP)
    const texts: string[] = []
    for (const prefix of ['', '/sandbox/worker-1']) {
      const response = await server.fetch(prefix + path)
      expect(response.status).toBe(200)
      expect(response.headers.get('content-type')).toBe(type)
      expectProtection(response.headers)
      texts.push(await response.text())
      expect(response.headers.get('content-length')).toBe(String(Buffer.byteLength(texts[0] ?? '')))
    }
    expect(texts[0]).toContain(text)
    expect(texts[1]).toBe(texts[0])
    expect(server.petstore.sandboxes.list()).toEqual([])
    expect(server.petstore.journal.entries()).toEqual([])
  })

  it.each(['/__admin/', '/docs'])('loads only files that are served: %s', async (path) => {
    const server = await openServer(SHOP)
    const html = await (await server.fetch(path)).text()
    expect(html).not.toMatch(/<style|<script(?![^>]* src=)[^>]*>|style=|\son\w+=/)
    const loaded = [...html.matchAll(/<(?:script|link)[^>]*?(?:src|href)="(?!data:)([^"]*)"/g)].map(
      ([, address]) => address,
    )
    expect(loaded.length).toBeGreaterThan(1)
    for (const address of loaded) expect(PATHS).toContain(new URL(address ?? '', `http://localhost${path}`).pathname)
  })

  it('is not sent again to a client that has it', async () => {
    const server = await openServer(SHOP)
    for (const path of PATHS) {
      const tag = (await server.fetch(path)).headers.get('etag') ?? ''
      expect(tag).toMatch(/^"[\w-]{22}"$/)
      for (const known of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
        const response = await server.fetch(path, { headers: { 'if-none-match': known } })
        expect([response.status, await response.text()]).toEqual([304, ''])
        expect(response.headers.get('etag')).toBe(tag)
        expectProtection(response.headers)
      }
      for (const other of ['"other"', tag.slice(1, -1), '']) {
        expect((await server.fetch(path, { headers: { 'if-none-match': other } })).status).toBe(200)
      }
    }
  })

  it('has the same headers without its body for HEAD', async () => {
    const server = await openServer(SHOP)
    for (const path of PATHS) {
      const [head, whole] = [await server.fetch(path, { method: 'HEAD' }), await server.fetch(path)]
      expect([head.status, await head.text()]).toEqual([200, ''])
      for (const name of ['content-type', 'content-length', 'etag', ...Object.keys(PROTECTION)]) {
        expect(head.headers.get(name), name).toBe(whole.headers.get(name))
      }
      await whole.text()
    }
  })

  it('takes no other method', async () => {
    const server = await openServer(SHOP)
    for (const path of [...PATHS, '/__admin', '/docs/']) {
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
        const answer = await readResponse(await server.fetch(path, { method, body: 'x' }))
        expectError(answer, 405, 'METHOD_NOT_ALLOWED', method)
        expect(answer.headers.get('allow')).toBe('GET, HEAD, OPTIONS')
      }
      const options = await server.fetch(path, { method: 'OPTIONS' })
      expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS'])
    }
  })

  it.each([
    '/__admin/dashboard.html',
    '/__admin/index.html',
    '/__admin/assets/',
    '/__admin/assets/dashboard.html',
    '/__admin/assets/reference.js',
    '/__admin/assets/dashboard.js/',
    '/__admin/assets/dashboard.js%00',
    '/__admin/assets//dashboard.js',
    '/__admin//',
    '/__admin/assets/../assets/dashboard.js',
    '/__admin/..%2f..%2fsecret.txt',
    '/__admin/%2e%2e/%2e%2e/secret.txt',
    '/__admin/assets/..%2fassets%2fdashboard.js',
    '/__admin/assets/%2e%2e/server.js',
    '/__admin/assets/..%2f..%2fserver.js',
    '/__admin/assets/..%5c..%5cserver.js',
    '/__admin/assets/....//server.js',
    '/__admin/assets/%252e%252e%252fserver.js',
    '/__admin/assets//etc/passwd',
    '/__admin/assets/file:///etc/passwd',
    '/__admin/assets/constructor',
    '/docs/assets',
    '/docs/assets/reference.html',
    '/docs/assets/swagger-ui.js.map',
    '/docs/assets/../../../package.json',
    '/docs/assets/..%2f..%2f..%2fpackage.json',
    '/docs/assets/%2e%2e%2f%2e%2e%2f%2e%2e%2fpackage.json',
    '/docs/assets/..%c0%af..%c0%afpackage.json',
    '/docs/../package.json',
    '/docs//',
    '/DOCS',
    '/%64ocs',
    '/docs%2Fassets%2Freference.js',
    '/pages/dashboard.html',
  ])('I5 is none but those of the list: %s', async (path) => {
    const server = await openServer(SHOP)
    for (const prefix of ['', '/sandbox/a']) {
      const request = toHttpText([`GET ${prefix}${path} HTTP/1.1`, 'Host: localhost', 'Connection: close'])
      const [answer] = await exchange(server.port, request)
      expect(answer?.status, answer?.text.slice(0, 100)).toBeGreaterThanOrEqual(400)
      expect(answer?.status).toBeLessThan(405)
      expect(answer?.headers.get('content-type')).toBe('application/json')
      expect(answer?.headers.get('content-length')).toMatch(/^\d{1,3}$/)
    }
  })

  it('is not served in a sandbox that cannot be one', async () => {
    const server = await openServer(SHOP)
    for (const name of ['a%2Fb', 'a%20b', '%zz', 'x'.repeat(65)]) {
      for (const path of ['/docs', '/__admin/', '/__admin', '/']) {
        const answer = await readResponse(await server.fetch(`/sandbox/${name}${path}`, { headers: BROWSER }))
        expectError(answer, 400, 'INVALID_REQUEST', 'the sandbox name in the path must be')
      }
    }
  })
})

describe('the way to the pages', () => {
  const go = { redirect: 'manual' } as const

  it.each([
    ['/__admin', '/__admin/'],
    ['/docs/', '/docs'],
  ])('leads on from %s', async (path, location) => {
    const server = await openServer(SHOP)
    for (const prefix of ['', '/sandbox/worker-1']) {
      const response = await server.fetch(prefix + path, go)
      expect([response.status, response.headers.get('location')]).toEqual([308, prefix + location])
      expect(response.headers.get('content-length')).toBe('0')
      expectProtection(response.headers)
    }
  })

  it.each([BROWSER.accept, 'text/html', 'application/json;q=0.5, text/html', 'text/*, */*;q=0.1'])(
    'begins at the bare address for who asks with Accept: %s',
    async (accept) => {
      const server = await openServer(SHOP)
      for (const [path, location] of [
        ['/', '/__admin/'],
        ['/sandbox/a', '/sandbox/a/__admin/'],
        ['/sandbox/a/', '/sandbox/a/__admin/'],
      ] as const) {
        for (const method of ['GET', 'HEAD']) {
          const response = await server.fetch(path, { ...go, method, headers: { accept } })
          expect([response.status, response.headers.get('location')]).toEqual([302, location])
          expect(response.headers.get('vary')).toBe('Accept')
        }
      }
    },
  )

  it.each(['*/*', 'application/json', 'text/html;q=0.5, application/json', 'text/html, application/json', 'image/png'])(
    'is told to everybody else, such as Accept: %s',
    async (accept) => {
      const server = await openServer(SHOP)
      for (const prefix of ['', '/sandbox/a']) {
        const answer = await readResponse(await server.fetch(`${prefix}/`, { headers: { accept } }))
        expectError(answer, 404, 'ROUTE_NOT_FOUND', `${prefix}/docs`)
      }
    },
  )

  it('is for readers: what is sent to the bare address is refused', async () => {
    const server = await openServer(SHOP)
    const answer = await readResponse(await server.fetch('/', { method: 'POST', headers: BROWSER, body: 'x' }))
    expectError(answer, 404, 'ROUTE_NOT_FOUND')
  })
})

describe('who may see the pages', () => {
  it.each(PATHS)('nobody who asks for another host: %s', async (path) => {
    const server = await openServer(SHOP)
    const request = toHttpText([`GET ${path} HTTP/1.1`, 'Connection: close', 'Host: evil.example'])
    await expectBytesRejected(server, request, 421, 'MISDIRECTED_REQUEST')
  })

  it('no page of a stranger, of the dashboard', async () => {
    const server = await openServer(SHOP)
    for (const path of ['/__admin/', '/__admin', '/sandbox/a/__admin/assets/dashboard.js']) {
      const answer = await readResponse(await server.fetch(path, { headers: { origin: 'https://evil.example' } }))
      expectError(answer, 403, 'FORBIDDEN_ORIGIN')
    }
  })

  it('everybody else without a token, which what they show still needs', async () => {
    const server = await openServer({ ...SHOP, adminToken: 'kept-secret' })
    for (const path of [...PATHS, ...PATHS.map((one) => `/sandbox/a${one}`), '/__admin']) {
      const response = await server.fetch(path)
      expect(response.status, path).toBe(200)
      expect(await response.text()).not.toContain('kept-secret')
    }
    const closed = ['/__admin/health', '/__admin/openapi.yaml', '/__admin/assets/', '/__admin/assets/other.js']
    for (const path of [...closed, '/sandbox/a/__admin/health', '/%5f_admin/', '/sandbox/%zz/__admin/', '/__admin//']) {
      const answer = await readResponse(await server.fetch(path))
      expectError(answer, 401, 'UNAUTHORIZED')
    }
  })
})
