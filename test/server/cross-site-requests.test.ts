import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { readState } from '../support/admin.js'
import { createClient, expectError, expectRejected, readResponse, shop } from '../support/client.js'
import { accessControlOf, exchange, expectBytesRejected, openServer, toHttpText } from '../support/raw-connection.js'
import { shareServer } from './share-server.js'

const SHOP = {
  fixtures: shop([{ id: 1, name: 'Rex' }], [{ id: 1, petId: 1, quantity: 1 }]),
  cors: ['https://app.example'],
}
const server = await shareServer(SHOP)
const HOST = 'Host: localhost'
const CLOSE = 'Connection: close'
const CROSS_SITE = 'Sec-Fetch-Site: cross-site'
const SAME_SITE = 'Sec-Fetch-Site: same-site'
const NAVIGATION = ['Sec-Fetch-Mode: navigate', 'Sec-Fetch-Dest: document']
/** Browsers add this when the user clicked. */
const CLICKED = 'Sec-Fetch-User: ?1'

const ADMIN_TARGETS = [
  '/__admin/reset',
  '/%5F_admin/reset',
  '/%5f%5f%61dmin/%72eset',
  '/sandbox/x/__admin/reset',
  '/sandbox/x/_%5Fadmin/reset',
  '/%73andbox/x/__admin/reset',
  '/@x:0/__admin/reset',
  '/@x:4/api/%5F_admin/reset',
  'http://localhost/__admin/reset',
  'HTTP://LOCALHOST/sandbox/x/%5F_admin/reset',
]

function send(method: string, target: string, headers: readonly string[], body = ''): string {
  const length = method === 'GET' ? [] : [`Content-Length: ${body.length}`]
  return toHttpText([`${method} ${target} HTTP/1.1`, HOST, CLOSE, ...length, ...headers], body)
}

/** Ways for a page to send a request without a preflight, with the headers that browsers add. */
const ATTACKS: readonly [string, readonly string[], string][] = [
  ['a form', ['Origin: https://evil.example', CROSS_SITE, ...NAVIGATION, 'Content-Type: text/plain'], '{}='],
  ['a form with a null origin', ['Origin: null', CROSS_SITE, ...NAVIGATION, 'Content-Type: text/plain'], '{}='],
  ['a form in an old browser', ['Origin: https://evil.example', 'Content-Type: application/x-www-form-urlencoded'], ''],
  ['fetch', ['Origin: https://evil.example', CROSS_SITE, 'Sec-Fetch-Mode: no-cors', 'Content-Type: text/plain'], '{}'],
  ['a beacon', [CROSS_SITE, 'Sec-Fetch-Mode: no-cors', 'Sec-Fetch-Dest: empty', 'Content-Type: text/plain'], '{}'],
  ['an iframe', [CROSS_SITE, 'Sec-Fetch-Mode: navigate', 'Sec-Fetch-Dest: iframe'], ''],
  ['another port of localhost', [SAME_SITE, 'Sec-Fetch-Mode: no-cors', 'Origin: http://localhost:3000'], ''],
  ['another port of localhost, without an Origin', [SAME_SITE, 'Sec-Fetch-Mode: no-cors'], ''],
  ['an origin allowed by cors', ['Origin: https://app.example', CROSS_SITE, 'Sec-Fetch-Mode: cors'], ''],
]

describe('a page of another site', () => {
  it.each(ATTACKS)('I1 cannot reset the mock with %s, in any spelling of the path', async (_, headers, body) => {
    for (const target of ADMIN_TARGETS) {
      const response = await expectBytesRejected(server, send('POST', target, headers, body), 403, 'FORBIDDEN_ORIGIN')
      expect(accessControlOf(response.headers)).toEqual([])
    }
    expect(server.petstore.sandboxes.list()).toEqual([])
  })

  it.each([
    ['/__admin/events', 'text/event-stream'],
    ['/__admin/state', '*/*'],
    ['/__admin/assets/dashboard.js', '*/*'],
    ['/__admin/', 'text/html'],
    ['/sandbox/x/__admin/state', '*/*'],
    ['/%5F_admin/journal', 'image/*'],
  ])('I1 cannot embed %s', async (target, accept) => {
    for (const site of [CROSS_SITE, SAME_SITE]) {
      for (const dest of ['image', 'script', 'iframe', 'empty', 'style']) {
        const how = [site, 'Sec-Fetch-Mode: no-cors', `Sec-Fetch-Dest: ${dest}`, `Accept: ${accept}`]
        await expectBytesRejected(server, send('GET', target, how), 403, 'FORBIDDEN_ORIGIN')
      }
    }
    expect(server.petstore.sandboxes.list()).toEqual([])
  })

  it.each(['/pets', '/sandbox/x/pets', '/nope', '/openapi.json', 'http://localhost/pets', '/%70ets'])(
    'cannot use up faults, fill the journal or create sandboxes with images of %s',
    async (target) => {
      server.petstore.faults.add({ status: 503, times: 1 })
      const image = [CROSS_SITE, 'Sec-Fetch-Mode: no-cors', 'Sec-Fetch-Dest: image']
      const foreign = ['Origin: https://evil.example', CROSS_SITE, 'Sec-Fetch-Mode: cors', 'Sec-Fetch-Dest: empty']
      for (const headers of [image, foreign]) {
        const [response] = await exchange(server.port, send('GET', target, headers))
        expectError(response as never, 403, 'FORBIDDEN_ORIGIN')
        expect(accessControlOf(response?.headers ?? new Headers())).toEqual([])
      }
      expect(server.petstore.faults.list()).toMatchObject([{ matched: 0 }])
      expect(server.petstore.journal.total).toBe(0)
      expect(server.petstore.sandboxes.list()).toEqual([])
    },
  )

  it('may use the API if its origin is allowed', async () => {
    for (const origin of ['https://app.example', 'http://localhost:3000']) {
      const how = [`Origin: ${origin}`, CROSS_SITE, 'Sec-Fetch-Mode: cors', 'Sec-Fetch-Dest: empty']
      const [response] = await exchange(server.port, send('GET', '/pets', how))
      expect(response?.status).toBe(200)
      expect(response?.headers.get('access-control-allow-origin')).toBe(origin)
    }
  })

  it('may use the API if it is on loopback by another name, which its Referer shows', async () => {
    const fetched = [CROSS_SITE, 'Sec-Fetch-Mode: cors', 'Sec-Fetch-Dest: empty']
    const get = (target: string, referer: string) => send('GET', target, [...fetched, `Referer: ${referer}`])
    for (const referer of ['http://localhost:4173/', 'https://127.0.0.1/shop?x', 'http://[::1]:3000/']) {
      expect(await exchange(server.port, get('/pets/1', referer))).toMatchObject([{ status: 200 }])
      await expectBytesRejected(server, get('/__admin/state', referer), 403, 'FORBIDDEN_ORIGIN')
    }
    for (const referer of [
      'https://evil.example/http://localhost/',
      'http://localhost.evil.example/',
      'localhost',
      '',
    ]) {
      await expectBytesRejected(server, get('/pets/1', referer), 403, 'FORBIDDEN_ORIGIN')
    }
    // A foreign site can redirect its image, in a page on loopback, to here.
    const image = [CROSS_SITE, 'Sec-Fetch-Mode: no-cors', 'Sec-Fetch-Dest: image', 'Referer: http://localhost:4173/']
    await expectBytesRejected(server, send('GET', '/pets/1', image), 403, 'FORBIDDEN_ORIGIN')
    const claimed = [...fetched, 'Origin: https://evil.example', 'Referer: http://localhost:4173/']
    await expectBytesRejected(server, send('GET', '/pets/1', claimed), 403, 'FORBIDDEN_ORIGIN')
  })

  it.each([
    [
      'allow its origin',
      ['Origin: https://evil.example', 'Sec-Fetch-Mode: cors'],
      'Allow the origin with cors (--cors).',
    ],
    ['use fetch', ['Sec-Fetch-Mode: no-cors'], 'Use fetch, and allow the origin with cors (--cors).'],
    [
      'use one host name',
      ['Sec-Fetch-Mode: cors'],
      'Use the same host name for the page and this server, such as localhost.',
    ],
  ])('is told to %s if that helps', async (_, headers, advice) => {
    const [response] = await exchange(server.port, send('GET', '/pets/1', [CROSS_SITE, ...headers]))
    expect(response?.body).toMatchObject({ message: expect.stringContaining(advice) })
  })

  it('may link to the API and the admin API', async () => {
    for (const target of ['/pets/1', '/__admin/health', '/sandbox/x/__admin/health']) {
      const link = send('GET', target, [CROSS_SITE, ...NAVIGATION, CLICKED])
      expect(await exchange(server.port, link)).toMatchObject([{ status: 200 }])
    }
  })

  it.each([
    ['a window opened without a click', 'GET', [CROSS_SITE, ...NAVIGATION]],
    ['a form that the user submits', 'POST', [CROSS_SITE, ...NAVIGATION, CLICKED, 'Origin: https://evil.example']],
    ['a form with a null origin', 'POST', [CROSS_SITE, ...NAVIGATION, CLICKED, 'Origin: null']],
    ['a prefetch', 'GET', ['Sec-Fetch-Site: none', ...NAVIGATION, 'Sec-Purpose: prefetch;prerender']],
    ['a frame', 'GET', [CROSS_SITE, 'Sec-Fetch-Mode: navigate', 'Sec-Fetch-Dest: iframe', CLICKED]],
    ['a WebSocket', 'GET', ['Origin: https://evil.example', 'Upgrade: websocket']],
  ])('cannot reach the API with %s', async (_, method, headers) => {
    const body = method === 'GET' ? '' : '{"name":"Bo","categoryId":1,"x":"="}'
    const type = method === 'GET' ? [] : ['Content-Type: text/plain']
    await expectBytesRejected(
      server,
      send(method, '/sandbox/x/pets', [...headers, ...type], body),
      403,
      'FORBIDDEN_ORIGIN',
    )
    expect(server.petstore.sandboxes.list()).toEqual([])
  })
})

describe('other clients', () => {
  it.each([
    ['pages of the mock', ['Origin: http://localhost', 'Sec-Fetch-Site: same-origin', 'Sec-Fetch-Mode: cors']],
    ['a typed address', ['Sec-Fetch-Site: none', ...NAVIGATION]],
    ['a client that is no browser', []],
  ])('are accepted: %s', async (_, headers) => {
    for (const target of ['/pets/1', '/__admin/health', '/%5F_admin/health', '/sandbox/x/__admin/health']) {
      const [response] = await exchange(server.port, send('GET', target, headers))
      expect(response?.status).toBe(200)
    }
    expect(await exchange(server.port, send('POST', '/__admin/reset', headers))).toMatchObject([{ status: 204 }])
  })
})

describe('the admin API', () => {
  const { paths } = parse(readFileSync(new URL('../../spec/admin.yaml', import.meta.url), 'utf8')) as {
    paths: Record<string, Record<string, unknown>>
  }
  const writes = Object.entries(paths)
    .filter(([, item]) => ['post', 'put', 'delete'].some((method) => method in item))
    .map(([path, item]) => [path.replaceAll(/\{\w+\}/g, '1'), 'get' in item] as const)

  it.each(writes)('I12 changes nothing for GET %s', async (path, isRead) => {
    const { petstore } = server
    const api = createClient(server)
    petstore.faults.add({ operation: 'listCategories', status: 503 })
    await api.post('/__admin/snapshots', { name: '1' })
    await api.get('/sandbox/1/pets')
    const observe = async () => [
      await readState(api),
      (await api.get('/__admin/snapshots')).text,
      petstore.faults.list(),
      petstore.sandboxes.list().map(({ name }) => name),
      petstore.journal.total,
    ]
    const before = await observe()
    const [response] = await exchange(server.port, send('GET', path, ['Accept: */*']))
    if (isRead) expect([200, 404]).toContain(response?.status)
    else expectError(response as never, 405, 'METHOD_NOT_ALLOWED')
    expect(await observe()).toEqual(before)
  })

  it.each([
    [{ status: 99 }, 'status'],
    [{ delayMs: 1e9 }, 'delayMs'],
    [{ delayMs: [5, 1e9] }, 'delayMs'],
  ])('I8 rejects the fault rule %j', async (rule, field) => {
    const api = createClient(server)
    await expectRejected(api, () => api.post('/__admin/faults', rule), 400, 'INVALID_REQUEST', field)
    expect(server.petstore.faults.list()).toEqual([])
  })

  it('I2 rejects a page of another host that resolves to this server (DNS rebinding)', async () => {
    for (const target of ADMIN_TARGETS.filter((target) => target.startsWith('/'))) {
      const rebound = toHttpText([
        `POST ${target} HTTP/1.1`,
        'Host: evil.example',
        'Origin: http://evil.example',
        CLOSE,
        'Content-Length: 0',
      ])
      await expectBytesRejected(server, rebound, 421, 'MISDIRECTED_REQUEST')
    }
  })

  it('I3 rejects a cross-site preflight', async () => {
    const headers = {
      origin: 'https://evil.example',
      'access-control-request-method': 'POST',
      'sec-fetch-site': 'cross-site',
    }
    for (const path of ['/__admin/reset', '/pets']) {
      const response = await readResponse(await server.fetch(path, { method: 'OPTIONS', headers }))
      expectError(response, 403, 'FORBIDDEN_ORIGIN')
      expect(accessControlOf(response.headers)).toEqual([])
    }
  })

  it.each(['https://app.example', 'http://localhost:3000'])(
    'I3 rejects the preflight of %s, which may use the API',
    async (origin) => {
      const headers = { origin, 'access-control-request-method': 'POST' }
      const response = await readResponse(await server.fetch('/__admin/reset', { method: 'OPTIONS', headers }))
      expectError(response, 403, 'FORBIDDEN_ORIGIN')
      expect(accessControlOf(response.headers)).toEqual([])
    },
  )
})

it('accepts its own pages behind a TLS proxy for an allowed host', async () => {
  const server = await openServer({ ...SHOP, allowHost: ['petstore.test'] })
  const getHealth = (origin: string) =>
    exchange(
      server.port,
      toHttpText(['GET /__admin/health HTTP/1.1', 'Host: petstore.test', CLOSE, `Origin: ${origin}`]),
    )
  expect(await getHealth('https://petstore.test')).toMatchObject([{ status: 200 }])
  expect(await getHealth('https://petstore.test:444')).toMatchObject([{ status: 403 }])
  expect(await getHealth('https://evil.example')).toMatchObject([{ status: 403 }])
})
