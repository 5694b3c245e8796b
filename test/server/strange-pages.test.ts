import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { readState } from '../support/admin.js'
import { createClient, expectError, expectRejected, readResponse, shop } from '../support/client.js'
import { accessControlOf, exchange, expectBytesRejected, openServer, toHttpText } from '../support/raw-connection.js'

const SHOP = {
  fixtures: shop([{ id: 1, name: 'Rex' }], [{ id: 1, petId: 1, quantity: 1 }]),
  cors: ['https://app.example'],
}
const HOST = 'Host: localhost'
const CLOSE = 'Connection: close'
const CROSS_SITE = 'Sec-Fetch-Site: cross-site'
const SAME_SITE = 'Sec-Fetch-Site: same-site'
const NAVIGATION = ['Sec-Fetch-Mode: navigate', 'Sec-Fetch-Dest: document']
/** What browsers add where somebody clicked. */
const CLICKED = 'Sec-Fetch-User: ?1'

const CONTROL = [
  '/__admin/reset',
  '/%5F_admin/reset',
  '/%5f%5f%61dmin/%72eset',
  '/sandbox/x/__admin/reset',
  '/sandbox/x/_%5Fadmin/reset',
  '/%73andbox/x/__admin/reset',
  'http://localhost/__admin/reset',
  'HTTP://LOCALHOST/sandbox/x/%5F_admin/reset',
]

function send(method: string, target: string, headers: readonly string[], body = ''): string {
  const length = method === 'GET' ? [] : [`Content-Length: ${body.length}`]
  return toHttpText([`${method} ${target} HTTP/1.1`, HOST, CLOSE, ...length, ...headers], body)
}

/** How a page elsewhere can send a request without being asked first: each with what browsers say of it. */
const ATTACKS: readonly [string, readonly string[], string][] = [
  ['a form', ['Origin: https://evil.example', CROSS_SITE, ...NAVIGATION, 'Content-Type: text/plain'], '{}='],
  ['a form of nobody', ['Origin: null', CROSS_SITE, ...NAVIGATION, 'Content-Type: text/plain'], '{}='],
  ['a form in an old browser', ['Origin: https://evil.example', 'Content-Type: application/x-www-form-urlencoded'], ''],
  ['fetch', ['Origin: https://evil.example', CROSS_SITE, 'Sec-Fetch-Mode: no-cors', 'Content-Type: text/plain'], '{}'],
  ['a beacon', [CROSS_SITE, 'Sec-Fetch-Mode: no-cors', 'Sec-Fetch-Dest: empty', 'Content-Type: text/plain'], '{}'],
  ['an iframe', [CROSS_SITE, 'Sec-Fetch-Mode: navigate', 'Sec-Fetch-Dest: iframe'], ''],
  ['another port of localhost', [SAME_SITE, 'Sec-Fetch-Mode: no-cors', 'Origin: http://localhost:3000'], ''],
  ['another port of localhost, without saying so', [SAME_SITE, 'Sec-Fetch-Mode: no-cors'], ''],
  ['an origin that may read the API', ['Origin: https://app.example', CROSS_SITE, 'Sec-Fetch-Mode: cors'], ''],
]

describe('a page of another site', () => {
  it.each(ATTACKS)('I1 cannot reset anything with %s, however the path is spelled', async (_, headers, body) => {
    const server = await openServer(SHOP)
    for (const target of CONTROL) {
      const answer = await expectBytesRejected(server, send('POST', target, headers, body), 403, 'FORBIDDEN_ORIGIN')
      expect(accessControlOf(answer.headers)).toEqual([])
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
  ])('I1 cannot load %s into itself', async (target, accept) => {
    const server = await openServer(SHOP)
    for (const site of [CROSS_SITE, SAME_SITE]) {
      for (const dest of ['image', 'script', 'iframe', 'empty', 'style']) {
        const how = [site, 'Sec-Fetch-Mode: no-cors', `Sec-Fetch-Dest: ${dest}`, `Accept: ${accept}`]
        await expectBytesRejected(server, send('GET', target, how), 403, 'FORBIDDEN_ORIGIN')
      }
    }
    expect(server.petstore.sandboxes.list()).toEqual([])
  })

  it.each(['/pets', '/sandbox/x/pets', '/nope', '/openapi.json', 'http://localhost/pets', '/%70ets'])(
    'cannot use up faults, fill the journal or make sandboxes with images of %s',
    async (target) => {
      const server = await openServer(SHOP)
      server.petstore.faults.add({ status: 503, times: 1 })
      const image = [CROSS_SITE, 'Sec-Fetch-Mode: no-cors', 'Sec-Fetch-Dest: image']
      const foreign = ['Origin: https://evil.example', CROSS_SITE, 'Sec-Fetch-Mode: cors', 'Sec-Fetch-Dest: empty']
      for (const headers of [image, foreign]) {
        const [answer] = await exchange(server.port, send('GET', target, headers))
        expectError(answer as never, 403, 'FORBIDDEN_ORIGIN')
        expect(accessControlOf(answer?.headers ?? new Headers())).toEqual([])
      }
      expect(server.petstore.faults.list()).toMatchObject([{ matched: 0 }])
      expect(server.petstore.journal.total).toBe(0)
      expect(server.petstore.sandboxes.list()).toEqual([])
    },
  )

  it('is answered where its origin may read the API', async () => {
    const server = await openServer(SHOP)
    for (const origin of ['https://app.example', 'http://localhost:3000']) {
      const how = [`Origin: ${origin}`, CROSS_SITE, 'Sec-Fetch-Mode: cors', 'Sec-Fetch-Dest: empty']
      const [answer] = await exchange(server.port, send('GET', '/pets', how))
      expect(answer?.status).toBe(200)
      expect(answer?.headers.get('access-control-allow-origin')).toBe(origin)
    }
  })

  it('may link to the API and to the control plane', async () => {
    const server = await openServer(SHOP)
    for (const target of ['/pets/1', '/__admin/health', '/sandbox/x/__admin/health']) {
      const link = send('GET', target, [CROSS_SITE, ...NAVIGATION, CLICKED])
      expect(await exchange(server.port, link)).toMatchObject([{ status: 200 }])
    }
  })

  it.each([
    ['a window that it opens by itself', 'GET', [CROSS_SITE, ...NAVIGATION]],
    ['a form that somebody sends', 'POST', [CROSS_SITE, ...NAVIGATION, CLICKED, 'Origin: https://evil.example']],
    ['a form of nobody', 'POST', [CROSS_SITE, ...NAVIGATION, CLICKED, 'Origin: null']],
    ['a page fetched ahead', 'GET', ['Sec-Fetch-Site: none', ...NAVIGATION, 'Sec-Purpose: prefetch;prerender']],
    ['a frame', 'GET', [CROSS_SITE, 'Sec-Fetch-Mode: navigate', 'Sec-Fetch-Dest: iframe', CLICKED]],
    ['a web socket', 'GET', ['Origin: https://evil.example', 'Upgrade: websocket']],
  ])('cannot reach the API with %s', async (_, method, headers) => {
    const server = await openServer(SHOP)
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

describe('pages of the mock itself and people', () => {
  it.each([
    ['its own pages', ['Origin: http://localhost', 'Sec-Fetch-Site: same-origin', 'Sec-Fetch-Mode: cors']],
    ['an address that is typed', ['Sec-Fetch-Site: none', ...NAVIGATION]],
    ['what is no browser', []],
  ])('are answered: %s', async (_, headers) => {
    const server = await openServer(SHOP)
    for (const target of ['/pets/1', '/__admin/health', '/%5F_admin/health', '/sandbox/x/__admin/health']) {
      const [answer] = await exchange(server.port, send('GET', target, headers))
      expect(answer?.status).toBe(200)
    }
    expect(await exchange(server.port, send('POST', '/__admin/reset', headers))).toMatchObject([{ status: 204 }])
  })
})

describe('the control plane', () => {
  const { paths } = parse(readFileSync(new URL('../../spec/admin.yaml', import.meta.url), 'utf8')) as {
    paths: Record<string, Record<string, unknown>>
  }
  const writes = Object.entries(paths)
    .filter(([, item]) => ['post', 'put', 'delete'].some((method) => method in item))
    .map(([path, item]) => [path.replaceAll(/\{\w+\}/g, '1'), 'get' in item] as const)

  it.each(writes)('I12 changes nothing for GET %s', async (path, isRead) => {
    const server = await openServer(SHOP)
    const { petstore } = server
    const api = createClient(server)
    petstore.faults.add({ operation: 'listCategories', status: 503 })
    await api.post('/__admin/snapshots', { name: '1' })
    await api.get('/sandbox/1/pets')
    const look = async () => [
      await readState(api),
      (await api.get('/__admin/snapshots')).text,
      petstore.faults.list(),
      petstore.sandboxes.list().map(({ name }) => name),
      petstore.journal.total,
    ]
    const before = await look()
    const [answer] = await exchange(server.port, send('GET', path, ['Accept: */*']))
    if (isRead) expect([200, 404]).toContain(answer?.status)
    else expectError(answer as never, 405, 'METHOD_NOT_ALLOWED')
    expect(await look()).toEqual(before)
  })

  it.each([
    [{ status: 99 }, 'status'],
    [{ status: 1000 }, 'status'],
    [{ status: '200' }, 'status'],
    [{ status: 200.5 }, 'status'],
    [{ delayMs: -1 }, 'delayMs'],
    [{ delayMs: 1e9 }, 'delayMs'],
    [{ delayMs: [5, 1e9] }, 'delayMs'],
  ])('I8 adds no rule from %j', async (rule, field) => {
    const server = await openServer(SHOP)
    const api = createClient(server)
    await expectRejected(api, () => api.post('/__admin/faults', rule), 400, 'INVALID_REQUEST', field)
    expect(server.petstore.faults.list()).toEqual([])
  })

  it('I2 is not reached under the name of another host, with a page of that host', async () => {
    const server = await openServer(SHOP)
    for (const target of CONTROL.filter((one) => one.startsWith('/'))) {
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

  it('I3 says nothing to a preflight that a browser marks', async () => {
    const server = await openServer(SHOP)
    const headers = {
      origin: 'https://evil.example',
      'access-control-request-method': 'POST',
      'sec-fetch-site': 'cross-site',
    }
    for (const path of ['/__admin/reset', '/pets']) {
      const answer = await readResponse(await server.fetch(path, { method: 'OPTIONS', headers }))
      expectError(answer, 403, 'FORBIDDEN_ORIGIN')
      expect(accessControlOf(answer.headers)).toEqual([])
    }
  })
})

it('A page behind a proxy that speaks TLS for an allowed name is no stranger', async () => {
  const server = await openServer({ ...SHOP, allowHost: ['petstore.test'] })
  const ask = (origin: string) =>
    exchange(
      server.port,
      toHttpText(['GET /__admin/health HTTP/1.1', 'Host: petstore.test', CLOSE, `Origin: ${origin}`]),
    )
  expect(await ask('https://petstore.test')).toMatchObject([{ status: 200 }])
  expect(await ask('https://petstore.test:444')).toMatchObject([{ status: 403 }])
  expect(await ask('https://evil.example')).toMatchObject([{ status: 403 }])
})
