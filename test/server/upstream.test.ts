import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startServer } from '../../src/adapters/server/index.js'
import { createServiceFor, startMock } from '../../src/adapters/server/start-server.js'
import { document } from '../support/library-document.js'
import { createResolvers, PET, sendPet, startFront, startRaw, startService } from './upstream-service.js'

describe('a hostile upstream', () => {
  it.each([
    ['resets', (socket: Socket) => socket.resetAndDestroy(), 502, /connection reset/],
    ['closes at once', (socket: Socket) => socket.destroy(), 502, /could not be reached/],
    ['hangs', () => {}, 504, /did not respond within 300 ms/],
    ['never ends its headers', (socket: Socket) => socket.write('HTTP/1.1 200 OK\r\nX-A: 1\r\n'), 504, /within 300 ms/],
    [
      'never ends its body',
      (socket: Socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf'),
      504,
      /within 300 ms/,
    ],
    ['announces too long a body', 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf', 502, /broke off its response/],
    ['switches protocols', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n', 502, /101/],
    ['has an unknown status', 'HTTP/1.1 999 What\r\nContent-Length: 0\r\n\r\n', 502, /status 999/],
    ['does not speak HTTP', 'SSH-2.0-OpenSSH\r\n', 502, /could not be reached/],
    ['has endless headers', `HTTP/1.1 200 OK\r\nX-A: ${'a'.repeat(100_000)}\r\n\r\n`, 502, /could not be reached/],
    [
      'has two lengths',
      'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      502,
      /could not be reached/,
    ],
    [
      'names another content coding',
      'HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}',
      502,
      /not gzip/,
    ],
  ])('that %s is an error in the shape of the document, which names it', async (_what, answer, status, message) => {
    const url = await startRaw(answer)
    const front = await startFront(url, { upstreamTimeoutMs: status === 504 ? 300 : 60_000, mock: ['listPets'] })
    const [response, other] = await Promise.all([fetch(`${front.url}/pets/1`), fetch(`${front.url}/pets`)])
    expect(other.status).toBe(200)
    expect(response.status).toBe(status)
    const body = await response.json()
    expect(body).toMatchObject({ status, message: expect.stringMatching(message) })
    expect(body.message).toContain(url)
    expect(front.mock.journal.entries({ operation: 'getPet' })[0]?.upstream).toMatchObject({ outcome: 'failed' })
  })

  it('that hangs keeps no other client waiting', async () => {
    const arrived = createResolvers()
    const url = await startRaw(() => arrived.resolve())
    const front = await startFront(url, { upstreamTimeoutMs: 60_000, mock: ['listPets'] })
    const client = new AbortController()
    const hanging = fetch(`${front.url}/pets/1`, { signal: client.signal })
    await arrived.promise
    // The other request would never end if it waited for this one.
    expect((await fetch(`${front.url}/pets`)).status).toBe(200)
    client.abort()
    await expect(hanging).rejects.toThrow()
  })

  it('that sends more than is kept is broken off', async () => {
    const part = Buffer.alloc(1_048_576, 'a')
    let sent = 0
    const url = await startRaw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n')
      const write = () => {
        while (!socket.destroyed && sent < 1000 && socket.write(part)) sent += 1
        sent += 1
      }
      socket.on('drain', write)
      write()
    })
    const front = await startFront(url)
    const response = await fetch(`${front.url}/pets/1`)
    expect(response.status).toBe(502)
    expect((await response.json()).message).toMatch(/more than 16777216 bytes/)
    expect(sent).toBeLessThan(100)
  })

  it('that sends 10 MB is passed through', async () => {
    const text = JSON.stringify('a'.repeat(10_000_000))
    const { url } = await startService((_request, response) => response.writeHead(200).end(text))
    const front = await startFront(url)
    expect(await (await fetch(`${front.url}/pets/1`)).text()).toBe(text)
  })

  it('that sends more than it announced does not change the next response', async () => {
    const url = await startRaw((socket) => {
      const answer = () =>
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n"evil"')
      answer()
      socket.on('data', answer)
    })
    const front = await startFront(url)
    const texts = []
    for (let count = 0; count < 5; count += 1) texts.push(await (await fetch(`${front.url}/pets/1`)).text())
    expect(texts.join()).not.toContain('evil')
  })

  it('that redirects is not followed, and nothing reaches another host', async () => {
    const other = await startService(sendPet)
    const { url } = await startService((_request, response) =>
      response.writeHead(302, { Location: `${other.url}/pets/1` }).end(),
    )
    const front = await startFront(url)
    const response = await fetch(`${front.url}/pets/1`, { redirect: 'manual' })
    expect([response.status, response.headers.get('Location')]).toEqual([302, `${other.url}/pets/1`])
    const absolute = await startRaw('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')
    expect((await fetch(`${(await startFront(absolute)).url}//${new URL(other.url).host}/pets`)).status).toBe(404)
    expect(other.requests).toEqual([])
  })

  it('is told when the client has gone', async () => {
    const [arrived, closed] = [createResolvers(), createResolvers()]
    const url = await startRaw((socket) => {
      socket.on('close', closed.resolve)
      arrived.resolve()
    })
    const front = await startFront(url)
    const client = new AbortController()
    const request = fetch(`${front.url}/pets/1`, { signal: client.signal })
    await arrived.promise
    client.abort()
    await expect(request).rejects.toThrow()
    await closed.promise
    await expect.poll(() => front.mock.journal.entries()[0]?.status).toBe(0)
  })
})

describe('a connection to the upstream that is used again', () => {
  /** A service that answers only the first request, and a mock in front of it that has sent that one. */
  async function startSecondHangs() {
    const arrived = createResolvers()
    const { url, requests } = await startService((request, response) => {
      if (requests.length === 1) sendPet(request, response)
      else arrived.resolve()
    })
    const front = await startFront(url, { upstreamTimeoutMs: 300 })
    await (await fetch(`${front.url}/pets/1`)).text()
    return { front, requests, arrived: arrived.promise }
  }

  /** What the mock has sent over which connection. One more request would have been sent by now. */
  const sentOver = (requests: readonly IncomingMessage[]) =>
    requests.map(({ socket }) => socket === requests[0]?.socket)

  it('is left, and the request is not sent again, when the client gives up', async () => {
    const { front, requests, arrived } = await startSecondHangs()
    const client = new AbortController()
    const request = { method: 'GET', path: '/pets/1', query: '', base: '', headers: {} }
    const outcome = front.mock.handle(request, { signal: client.signal })
    await arrived
    client.abort()
    expect((await outcome).trace.upstream).toEqual({ outcome: 'failed', reason: 'the client has disconnected' })
    expect((await fetch(`${front.url}/pets/1`)).status).toBe(504)
    expect(sentOver(requests)).toEqual([true, true, false])
  })

  it('is left, and the request is not sent again, when the time is up', async () => {
    const { front, requests } = await startSecondHangs()
    expect((await fetch(`${front.url}/pets/1`)).status).toBe(504)
    expect((await fetch(`${front.url}/pets/1`)).status).toBe(504)
    expect(sentOver(requests)).toEqual([true, true, false])
  })

  it('is not needed for a client that has already gone: nothing is sent', async () => {
    const { front, requests } = await startSecondHangs()
    const request = { method: 'GET', path: '/pets/1', query: '', base: '', headers: {} }
    const { response, trace } = await front.mock.handle(request, { signal: AbortSignal.abort() })
    expect([response.status, trace.upstream?.outcome]).toEqual([0, 'failed'])
    expect(requests).toHaveLength(1)
  })

  it('is replaced when the upstream has closed it just then', async () => {
    const connections: Socket[] = []
    const url = await startRaw((socket) => {
      connections.push(socket)
      const answer = () => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}')
      answer()
      socket.on('data', () => (connections.length === 1 ? socket.resetAndDestroy() : answer()))
    })
    const front = await startFront(url)
    expect((await fetch(`${front.url}/pets/1`)).status).toBe(200)
    expect((await fetch(`${front.url}/pets/1`)).status).toBe(200)
    expect(connections).toHaveLength(2)
  })
})

describe('a request that is passed through', () => {
  it('arrives as it was sent, without the headers of the connection and of the mock', async () => {
    const { url, requests } = await startService((request, response, body) => {
      response.writeHead(201, { 'Content-Type': 'application/json' }).end(`{"url":"${request.url}","body":${body}}`)
    })
    const front = await startFront(`${url}/v1`)
    const response = await fetch(`${front.url}/pets?x=%20a+b&x=2`, {
      method: 'POST',
      body: '{ "name" : "Rex" }',
      headers: {
        'Content-Type': 'application/json',
        Authorization: 'Bearer secret',
        'X-Petstore-Sandbox': 'one',
        'X-Forwarded-Prefix': '/api',
        Origin: 'http://localhost:5173',
        Referer: 'http://localhost:5173/shop',
        Cookie: 'a=1; petstore-sandbox=one; b=2',
        Baggage: 'petstore-sandbox=one,user=7',
      },
    })
    expect(await response.json()).toEqual({ url: '/v1/pets?x=%20a+b&x=2', body: { name: 'Rex' } })
    const { headers } = requests[0] as IncomingMessage
    expect(headers).toMatchObject({
      host: new URL(url).host,
      origin: url,
      referer: `${url}/shop`,
      authorization: 'Bearer secret',
      'content-length': '18',
      'accept-encoding': 'identity',
      baggage: 'user=7',
    })
    expect(headers.cookie?.replaceAll(' ', '')).toBe('a=1;b=2')
    expect(Object.keys(headers).filter((name) => /petstore|forwarded/.test(name))).toEqual([])
  })

  it('has a response that works on localhost', async () => {
    const { url } = await startService((request, response) => {
      const { host } = request.headers
      response
        .writeHead(201, {
          Location: `http://${host}/v1/pets/5?a#b`,
          Link: `<http://${host}/v1/pets?page=2>; rel="next", </v1/pets>; rel="first"`,
          'Set-Cookie': [
            'sid=1; Domain=service.example; Path=/v1; Secure; HttpOnly; SameSite=None',
            'cart=2; Path=/v1/pets',
            'petstore-sandbox=evil',
            '=petstore-sandbox=evil',
            ' = petstore-sandbox =evil; Path=/',
          ],
          'Strict-Transport-Security': 'max-age=1',
          'Access-Control-Allow-Origin': '*',
          Connection: 'X-Private',
          'X-Private': '1',
          ETag: '"1"',
        })
        .end()
    })
    const front = await startFront(`${url}/v1/`)
    const { headers } = await fetch(`${front.url}/pets`, { method: 'POST', body: '{}' })
    expect(headers.get('Location')).toBe('/pets/5?a#b')
    expect(headers.get('Link')).toBe('</pets?page=2>; rel="next", </pets>; rel="first"')
    expect(headers.getSetCookie()).toEqual(['sid=1; Path=/; HttpOnly', 'cart=2; Path=/pets'])
    expect(headers.get('ETag')).toBe('"1"')
    for (const name of ['Strict-Transport-Security', 'Access-Control-Allow-Origin', 'X-Private', 'X-Petstore-Mock']) {
      expect(headers.get(name)).toBeNull()
    }
  })

  it('has a response without its content coding', async () => {
    const { url } = await startService((_request, response) =>
      response
        .writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' })
        .end(gzipSync(JSON.stringify(PET))),
    )
    const response = await fetch(`${(await startFront(url)).url}/pets/1`)
    expect(response.headers.get('Content-Encoding')).toBeNull()
    expect(await response.json()).toEqual(PET)
  })

  it('streams events', async () => {
    let end = (): void => {}
    const { url } = await startService((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write('data: 1\n\n')
      end = () => response.end('data: 2\n\n')
    })
    const front = await startFront(url, { upstreamTimeoutMs: 5000 })
    const reader = (await fetch(`${front.url}/pets/1`)).body?.pipeThrough(new TextDecoderStream()).getReader()
    expect((await reader?.read())?.value).toBe('data: 1\n\n')
    end()
    expect((await reader?.read())?.value).toBe('data: 2\n\n')
    expect((await reader?.read())?.done).toBe(true)
  })

  it('is checked on both sides, and with upstreamStrict, check() throws the violations', async () => {
    const { url } = await startService((_request, response) =>
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"id":"1","name":"Rex"}'),
    )
    const front = await startFront(url, { upstreamStrict: true })
    await (await fetch(`${front.url}/pets/abc`)).text()
    const [entry] = front.mock.journal.entries()
    expect(entry?.status).toBe(200)
    expect(entry?.violations).toEqual([expect.stringContaining('petId')])
    const found = entry?.upstream?.violations ?? []
    expect(found.join()).toMatch(/\/id must be .*\/categoryId is missing|\/categoryId is missing.*\/id must be/s)
    expect(() => front.mock.check()).toThrow(/passed through and violates.*was answered by.*which violates/s)
  })

  it('is not a violation if it conforms', async () => {
    await using service = await startServer({ port: 0 })
    const front = await startFront(service.url, { upstreamStrict: true })
    expect((await fetch(`${front.url}/pets?limit=5`)).status).toBe(200)
    expect((await fetch(`${front.url}/pets/1`, { method: 'HEAD' })).status).toBe(200)
    expect((await fetch(`${front.url}/pets/99999`)).status).toBe(404)
    expect(() => front.mock.check()).not.toThrow()
  })

  it('has no more than maxBodyBytes', async () => {
    const { url, requests } = await startService(sendPet)
    const front = await startFront(url, { maxBodyBytes: 10 })
    expect((await fetch(`${front.url}/pets`, { method: 'POST', body: 'a'.repeat(11) })).status).toBe(413)
    expect(requests).toEqual([])
  })
})

describe('faults, overrides and delays', () => {
  it('apply to what is passed through', async () => {
    const { url, requests } = await startService(sendPet)
    const front = await startFront(url)
    const { mock } = front
    mock.faults.add({ operation: 'getPet', status: 503, times: 1 })
    expect((await fetch(`${front.url}/pets/1`)).status).toBe(503)
    expect((await fetch(`${front.url}/pets/1`, { headers: { Prefer: 'code=418' } })).status).toBe(418)
    expect(requests).toHaveLength(0)
    mock.override('getPet', async ({ next }) => {
      const response = await next()
      return { ...response, body: { ...(response.body as typeof PET), name: 'Max' } } as never
    })
    expect((await (await fetch(`${front.url}/pets/1`)).json()).name).toBe('Max')
    mock.overrides.clear()
    mock.faults.add({ operation: 'getPet', kind: 'malformed' })
    const broken = await (await fetch(`${front.url}/pets/1`)).text()
    expect(() => JSON.parse(broken)).toThrow()
    expect(requests).toHaveLength(2)
  })
})

describe('time', () => {
  it('a fault delays a passed request, and no other', async () => {
    const { promise: answered, resolve } = createResolvers()
    const { url } = await startService((request, response) => {
      response.on('finish', resolve)
      sendPet(request, response)
    })
    const front = await startFront(url)
    front.mock.faults.add({ operation: 'getPet', delayMs: 600_000, times: 1 })
    const client = new AbortController()
    const delayed = fetch(`${front.url}/pets/1`, { signal: client.signal })
    await answered
    expect((await fetch(`${front.url}/pets/1`)).status).toBe(200)
    expect(front.mock.journal.entries().map(({ pending, status }) => [pending, status])).toEqual([
      [true, 0],
      [undefined, 200],
    ])
    client.abort()
    await expect(delayed).rejects.toThrow()
  })

  it('is that of the clock of the mock: an operation whose sunset is enforced is not passed through', async () => {
    const { url, requests } = await startService(sendPet)
    const front = await startFront(url, { sunset: 'enforce' })
    expect((await fetch(`${front.url}/pets/1`)).status).toBe(200)
    front.mock.clock.set('2100-01-01T00:00:00Z')
    const response = await fetch(`${front.url}/pets/1`)
    expect([response.status, (await response.json()).code]).toEqual([410, 'OPERATION_SUNSET'])
    expect(requests).toHaveLength(1)
    expect(front.mock.journal.entries()[1]).toMatchObject({ at: expect.stringMatching(/^2100-01-01T/), status: 410 })
    expect(front.mock.journal.entries()[1]?.upstream).toBeUndefined()
  })
})

describe('an override that calls next()', () => {
  const PNG = '\x89PNG\r\n\x1a\n\0'
  const answers = {
    'an error of a proxy': [502, 'text/html', '<h1>Bad gateway</h1>'],
    'JSON that violates the document': [200, 'application/json', '{ "id": "1", "id": 2 }'],
    'an undeclared status': [299, 'application/json', '{}'],
    'an empty body of JSON': [200, 'application/json', ''],
    'what is not JSON': [200, 'application/json', 'OK'],
    bytes: [200, 'image/png', PNG],
    'a stream of events': [200, 'text/event-stream', 'data: 1\n\n'],
  } as const

  it.each(Object.entries(answers))('and returns %s leaves it as it came', async (_title, [status, type, body]) => {
    const { url } = await startService((_request, response) =>
      response.writeHead(status, { 'Content-Type': type, 'X-Own': '1' }).end(body, 'latin1'),
    )
    const front = await startFront(url)
    const get = async () => {
      const response = await fetch(`${front.url}/pets/1`)
      const own = ['Content-Type', 'X-Own', 'X-Petstore-Mock'].map((name) => response.headers.get(name))
      return [response.status, ...own, Buffer.from(await response.arrayBuffer()).toString('latin1')]
    }
    const withoutOverride = await get()
    expect(withoutOverride).toEqual([status, type, '1', null, body])
    front.mock.override('getPet', ({ next }) => next())
    expect(await get()).toEqual(withoutOverride)
    expect(() => front.mock.check()).not.toThrow()
    const [first, second] = front.mock.journal.entries()
    expect(first?.upstream?.outcome).toBe('answered')
    expect([second?.upstream, second?.override]).toEqual([first?.upstream, 1])
  })

  it('and changes or replaces the response, or throws, leaves in the journal what the upstream did', async () => {
    const { url } = await startService((_request, response) =>
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"id":1,"name":"Rex"}'),
    )
    const front = await startFront(url)
    front.mock.override('getPet', [
      async ({ next }) => {
        const response = await next()
        Object.assign(response.body as object, PET, { name: 'Max' })
        return response
      },
      async ({ next }) => {
        await next()
        return { status: 404 }
      },
      async ({ next }) => {
        await next()
        throw new Error('A bug of the test.')
      },
    ])
    const bodies = []
    for (let count = 0; count < 3; count += 1) bodies.push(await (await fetch(`${front.url}/pets/1`)).json())
    expect(bodies).toMatchObject([{ name: 'Max' }, { status: 404 }, { status: 500 }])
    const answered = { outcome: 'answered', violations: [expect.stringContaining('/categoryId is missing')] }
    expect(front.mock.journal.entries().map(({ upstream }) => upstream)).toEqual([answered, answered, answered])
    expect(() => front.mock.check()).toThrow('A bug of the test.')
  })
})

describe('what is passed through', () => {
  it('is nothing without pass and mock, and all but the exceptions with mock alone', async () => {
    const { url } = await startService(sendPet)
    expect((await startFront(url, { pass: [] })).mock.upstream?.passed).toEqual([])
    const { upstream } = (await startFront(url, { pass: [], mock: ['GET', 'delete*'] })).mock
    expect(upstream?.passed).toContain('createPet')
    expect(upstream?.passed).not.toContain('listPets')
    expect(upstream?.passed).not.toContain('deletePet')
    await expect(startServer({ port: 0, upstream: url, pass: ['getPets'] })).rejects.toThrow(/Did you mean "getPet"/)
    await expect(startServer({ port: 0, pass: ['getPet'] })).rejects.toThrow(/"pass" requires the option "upstream"/)
    await expect(startServer({ port: 4019, upstream: 'http://localhost:4019' })).rejects.toThrow(/another server/)
    await expect(startServer({ port: 0, upstream: 'http://a:b@host' })).rejects.toThrow(/without a password/)
  })

  it('is switched over the admin API, for each sandbox on its own, until the next reset', async () => {
    const { url } = await startService(sendPet)
    const front = await startFront(url, { pass: [] })
    const at = (path: string) => fetch(front.url + path).then((response) => response.json())
    const change = (path: string, body: object) =>
      fetch(`${front.url}${path}/__admin/upstream`, {
        method: 'PUT',
        body: JSON.stringify(body),
        headers: { 'Content-Type': 'application/json' },
      }).then((response) => response.json())
    expect(await at('/__admin/upstream')).toEqual({ url, passed: [] })
    expect(await change('/sandbox/one', { pass: ['getPet'] })).toEqual({ url, passed: ['getPet'] })
    const [one, two, root] = await Promise.all([at('/sandbox/one/pets/1'), at('/sandbox/two/pets/1'), at('/pets/1')])
    expect([one.name, two.name === 'Rex', root.name === 'Rex']).toEqual(['Rex', false, false])
    expect(await change('/sandbox/one', { pass: ['GET'], mock: ['list*'] })).toMatchObject({
      passed: ['getPet', 'getCategory', 'getOrder', 'getInventory'],
    })
    expect(await change('/sandbox/one', { pass: ['nothing'] })).toMatchObject({ code: 'UNKNOWN_OPERATION' })
    await fetch(`${front.url}/sandbox/one/__admin/reset`, { method: 'POST' })
    expect(await at('/sandbox/one/__admin/upstream')).toEqual({ url, passed: [] })
  })

  it('stays as it was switched when the service is reloaded, also in sandboxes', async () => {
    const first = await createServiceFor(document)
    const options = { port: 0, upstream: 'http://127.0.0.1:1', pass: ['*Book*'] }
    const { server, reload } = await startMock(first, options)
    onTestFinished(() => server.close())
    server.mock.upstream?.mock('addBook')
    server.mock.sandboxes.open('one').upstream?.mock('*')
    const { get } = document.paths['/books']
    const paths = { ...document.paths, '/new-books': { get: { ...get, operationId: 'listNewBooks' } } }
    const { mock } = await reload(await createServiceFor({ ...document, paths }))
    expect(mock.upstream?.passed).toEqual(['listBooks', 'getBook', 'removeBook', 'listNewBooks'])
    expect(mock.sandboxes.open('one').upstream?.passed).toEqual(['listNewBooks'])
  })

  it('cannot be switched without an upstream', async () => {
    await using server = await startServer({ port: 0 })
    expect(await (await fetch(`${server.url}/__admin/upstream`)).json()).toEqual({ passed: [] })
    const response = await fetch(`${server.url}/__admin/upstream`, {
      method: 'PUT',
      body: '{"pass":["*"]}',
      headers: { 'Content-Type': 'application/json' },
    })
    expect(await response.json()).toMatchObject({ code: 'NO_UPSTREAM', status: 422 })
  })

  it('includes unknown paths by choice, but never the admin API', async () => {
    const { url, requests } = await startService((_request, response) => response.writeHead(200).end('other'))
    const [rejects, passes] = [await startFront(url), await startFront(url, { passUnknown: true })]
    expect((await fetch(`${rejects.url}/other`)).status).toBe(404)
    expect(await (await fetch(`${passes.url}/other?a=1`)).text()).toBe('other')
    expect((await fetch(`${passes.url}/__admin/other`)).status).toBe(404)
    expect(requests.map((request) => request.url)).toEqual(['/other?a=1'])
  })
})

describe('the fallback', () => {
  it('answers for an upstream that is gone or returns 503, and says so', async () => {
    const { url } = await startService((_request, response) => response.writeHead(503).end())
    for (const upstream of [url, 'http://127.0.0.1:1']) {
      const front = await startFront(upstream, { upstreamFallback: true })
      const response = await fetch(`${front.url}/pets/1`)
      expect([response.status, response.headers.get('X-Petstore-Upstream')]).toEqual([200, 'fallback'])
      expect((await response.json()).id).toBe(1)
      const [entry] = front.mock.journal.entries()
      expect(entry?.upstream).toMatchObject({ outcome: 'fallback', reason: expect.stringContaining(upstream) })
      const invalid = await fetch(`${front.url}/pets/abc`)
      expect([invalid.status, invalid.headers.get('X-Petstore-Upstream')]).toEqual([400, 'fallback'])
    }
  })

  it.each([
    [502, 'returned 502'],
    [503, 'returned 503'],
    [504, 'returned 504'],
    ['nothing', 'did not respond within 200 ms'],
  ])('answers reads and writes when the upstream returns %s', async (status, reason) => {
    const { url, requests } = await startService((_request, response) => {
      if (typeof status === 'number') response.writeHead(status).end()
    })
    const front = await startFront(url, { upstreamFallback: true, upstreamTimeoutMs: 200 })
    const name = 'Rex of the mock'
    const headers = { 'Content-Type': 'application/json' }
    const created = await fetch(`${front.url}/pets`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ ...PET, name }),
    })
    expect([created.status, created.headers.get('X-Petstore-Upstream')]).toEqual([201, 'fallback'])
    const { id } = await created.json()
    expect(await (await fetch(`${front.url}/pets/${id}`)).json()).toMatchObject({ id, name })
    expect(requests.map(({ method }) => method)).toEqual(['POST', 'GET'])
    expect(front.mock.journal.entries().map(({ upstream }) => upstream)).toEqual([
      { outcome: 'fallback', reason: `${url} ${reason}` },
      { outcome: 'fallback', reason: `${url} ${reason}` },
    ])
  })

  it('does not answer for other errors of the upstream', async () => {
    const { url } = await startService((_request, response) => response.writeHead(500).end())
    const response = await fetch(`${(await startFront(url, { upstreamFallback: true })).url}/pets/1`)
    expect([response.status, response.headers.get('X-Petstore-Upstream')]).toEqual([500, null])
  })
})
