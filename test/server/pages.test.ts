import { describe, expect, it } from 'vitest'
import { version } from '../../src/generated/lib/version.js'
import { expectError, readResponse, shop } from '../support/client.js'
import { exchange, expectBytesRejected, openServer, toHttpText } from '../support/raw-connection.js'
import { shareServer } from './share-server.js'

const SHOP = { fixtures: shop([{ id: 1, name: 'Rex' }]) }
const server = await shareServer(SHOP)
const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }
const FILES: readonly [path: string, type: string, text: string][] = [
  ['/__admin/', 'text/html; charset=utf-8', '<!doctype html>'],
  ['/__admin/assets/dashboard.js', 'text/javascript; charset=utf-8', '/__admin'],
  ['/__admin/assets/yaml.js', 'text/javascript; charset=utf-8', 'alias'],
  ['/__admin/assets/dashboard.css', 'text/css; charset=utf-8', '{'],
  ['/docs', 'text/html; charset=utf-8', '<!doctype html>'],
  ['/docs/assets/reference.js', 'text/javascript; charset=utf-8', 'x-stability'],
  ['/docs/assets/reference.css', 'text/css; charset=utf-8', '{'],
  ['/docs/assets/swagger-ui.js', 'text/javascript; charset=utf-8', 'SwaggerUIBundle'],
  ['/docs/assets/swagger-ui.css', 'text/css; charset=utf-8', '.swagger-ui'],
]
const PATHS = FILES.map(([path]) => path)

it('the scripts load only files that are served', async () => {
  const scripts = PATHS.filter((path) => path.endsWith('.js') && !path.includes('swagger'))
  for (const path of scripts) {
    const text = await (await server.fetch(path)).text()
    const loaded = [...text.matchAll(/(?:from|import\(|import)"\.\/([^"]+)"/g)].map(([, name]) => name)
    for (const name of loaded) expect(PATHS).toContain(path.replace(/[^/]+$/, `${name}`))
  }
})

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

const PROTECTIVE_HEADERS = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-cache',
  'x-petstore-mock': version,
}

function expectProtectiveHeaders(headers: Headers): void {
  expect(Object.fromEntries(headers)).toMatchObject(PROTECTIVE_HEADERS)
  expect(headers.get('content-security-policy')?.split('; ')).toEqual(POLICY)
}

describe('a file of the web pages', () => {
  it.each(FILES)('I7 is served at %s, also in a sandbox', async (path, type, text) => {
    const texts: string[] = []
    for (const prefix of ['', '/sandbox/worker-1']) {
      const response = await server.fetch(prefix + path)
      expect(response.status).toBe(200)
      expect(response.headers.get('content-type')).toBe(type)
      expectProtectiveHeaders(response.headers)
      texts.push(await response.text())
      expect(response.headers.get('content-length')).toBe(String(Buffer.byteLength(texts[0] ?? '')))
    }
    expect(texts[0]).toContain(text)
    expect(texts[1]).toBe(texts[0])
    expect(server.petstore.sandboxes.list()).toEqual([])
    expect(server.petstore.journal.entries()).toEqual([])
  })

  it.each(['/__admin/', '/docs'])('refers only to files that are served: %s', async (path) => {
    const html = await (await server.fetch(path)).text()
    expect(html).not.toMatch(/<style|<script(?![^>]* src=)[^>]*>|style=|\son\w+=/)
    const loaded = [...html.matchAll(/<(?:script|link)[^>]*?(?:src|href)="(?!data:)([^"]*)"/g)].map(
      ([, address]) => address,
    )
    expect(loaded.length).toBeGreaterThan(1)
    for (const address of loaded) expect(PATHS).toContain(new URL(address ?? '', `http://localhost${path}`).pathname)
  })

  it('is not sent again to a client that has cached it', async () => {
    for (const path of PATHS) {
      const tag = (await server.fetch(path)).headers.get('etag') ?? ''
      expect(tag).toMatch(/^"[\w-]{22}"$/)
      for (const known of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
        const response = await server.fetch(path, { headers: { 'if-none-match': known } })
        expect([response.status, await response.text()]).toEqual([304, ''])
        expect(response.headers.get('etag')).toBe(tag)
        expectProtectiveHeaders(response.headers)
      }
      for (const other of ['"other"', tag.slice(1, -1), '']) {
        expect((await server.fetch(path, { headers: { 'if-none-match': other } })).status).toBe(200)
      }
    }
  })

  it('has the same headers for HEAD, without a body', async () => {
    for (const path of PATHS) {
      const [head, whole] = [await server.fetch(path, { method: 'HEAD' }), await server.fetch(path)]
      expect([head.status, await head.text()]).toEqual([200, ''])
      for (const name of ['content-type', 'content-length', 'etag', ...Object.keys(PROTECTIVE_HEADERS)]) {
        expect(head.headers.get(name), name).toBe(whole.headers.get(name))
      }
      await whole.text()
    }
  })

  it('rejects other methods', async () => {
    for (const path of [...PATHS, '/__admin', '/docs/']) {
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
        const response = await readResponse(await server.fetch(path, { method, body: 'x' }))
        expectError(response, 405, 'METHOD_NOT_ALLOWED', method)
        expect(response.headers.get('allow')).toBe('GET, HEAD, OPTIONS')
      }
      const options = await server.fetch(path, { method: 'OPTIONS' })
      expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS'])
    }
  })

  it.each([
    '/__admin/dashboard.html',
    '/__admin/assets/reference.js',
    '/__admin/assets/dashboard.js%00',
    '/__admin/assets/../assets/dashboard.js',
    '/__admin/..%2f..%2fsecret.txt',
    '/__admin/assets/..%2f..%2fserver.js',
    '/__admin/assets/..%5c..%5cserver.js',
    '/__admin/assets/file:///etc/passwd',
    '/__admin/assets/constructor',
    '/docs/assets/swagger-ui.js.map',
    '/docs/assets/..%c0%af..%c0%afpackage.json',
    '/%64ocs',
    '/pages/dashboard.html',
  ])('I5 is not served outside the list: %s', async (path) => {
    for (const prefix of ['', '/sandbox/a']) {
      const request = toHttpText([`GET ${prefix}${path} HTTP/1.1`, 'Host: localhost', 'Connection: close'])
      const [response] = await exchange(server.port, request)
      expect(response?.status, response?.text.slice(0, 100)).toBeGreaterThanOrEqual(400)
      expect(response?.status).toBeLessThan(405)
      expect(response?.headers.get('content-type')).toBe('application/json')
      expect(response?.headers.get('content-length')).toMatch(/^\d{1,3}$/)
    }
  })

  it('is not served in a sandbox with an invalid name', async () => {
    for (const name of ['a%2Fb', 'a%20b', '%zz', 'x'.repeat(65)]) {
      for (const path of ['/docs', '/__admin/', '/__admin', '/']) {
        const response = await readResponse(await server.fetch(`/sandbox/${name}${path}`, { headers: BROWSER }))
        expectError(response, 400, 'INVALID_REQUEST', 'the sandbox name in the path must be')
      }
    }
  })
})

describe('a redirect to the web pages', () => {
  const manual = { redirect: 'manual' } as const

  it.each([
    ['/__admin', '/__admin/'],
    ['/docs/', '/docs'],
  ])('leads from %s to %s', async (path, location) => {
    for (const prefix of ['', '/sandbox/worker-1']) {
      const response = await server.fetch(prefix + path, manual)
      expect([response.status, response.headers.get('location')]).toEqual([308, prefix + location])
      expect(response.headers.get('content-length')).toBe('0')
      expectProtectiveHeaders(response.headers)
    }
  })

  it.each([BROWSER.accept, 'text/html', 'application/json;q=0.5, text/html', 'text/*, */*;q=0.1'])(
    'leads from the root to the dashboard for Accept: %s',
    async (accept) => {
      for (const [path, location] of [
        ['/', '/__admin/'],
        ['/sandbox/a', '/sandbox/a/__admin/'],
        ['/sandbox/a/', '/sandbox/a/__admin/'],
      ] as const) {
        for (const method of ['GET', 'HEAD']) {
          const response = await server.fetch(path, { ...manual, method, headers: { accept } })
          expect([response.status, response.headers.get('location')]).toEqual([302, location])
          expect(response.headers.get('vary')).toBe('Accept')
        }
      }
    },
  )

  it.each(['*/*', 'application/json', 'text/html;q=0.5, application/json', 'text/html, application/json', 'image/png'])(
    'is replaced by a 404 that mentions the pages for Accept: %s',
    async (accept) => {
      for (const prefix of ['', '/sandbox/a']) {
        const response = await readResponse(await server.fetch(`${prefix}/`, { headers: { accept } }))
        expectError(response, 404, 'ROUTE_NOT_FOUND', `${prefix}/docs`)
      }
    },
  )

  it('is not sent for POST', async () => {
    const response = await readResponse(await server.fetch('/', { method: 'POST', headers: BROWSER, body: 'x' }))
    expectError(response, 404, 'ROUTE_NOT_FOUND')
  })
})

describe('access to the web pages', () => {
  it.each(PATHS)('is rejected for an unknown host: %s', async (path) => {
    const request = toHttpText([`GET ${path} HTTP/1.1`, 'Connection: close', 'Host: evil.example'])
    await expectBytesRejected(server, request, 421, 'MISDIRECTED_REQUEST')
  })

  it('needs no token, but the data in them does', async () => {
    const server = await openServer({ ...SHOP, adminToken: 'kept-secret' })
    for (const path of [...PATHS, ...PATHS.map((path) => `/sandbox/a${path}`), '/__admin']) {
      const response = await server.fetch(path)
      expect(response.status, path).toBe(200)
      expect(await response.text()).not.toContain('kept-secret')
    }
    const closed = ['/__admin/health', '/__admin/openapi.yaml', '/__admin/assets/', '/__admin/assets/other.js']
    for (const path of [...closed, '/sandbox/a/__admin/health', '/%5f_admin/', '/sandbox/%zz/__admin/', '/__admin//']) {
      const response = await readResponse(await server.fetch(path))
      expectError(response, 401, 'UNAUTHORIZED')
    }
  })
})
