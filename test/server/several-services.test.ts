import { describe, expect, it, onTestFinished } from 'vitest'
import { type RequestRecord, startServer } from '../../src/adapters/server/index.js'
import { createMock } from '../../src/engine/mock/create-mock.js'
import type { AnyService } from '../../src/engine/mock/define-service.js'
import { createDocumentService } from '../../src/engine/mock/load.js'
import { connect } from '../../src/tools/client/index.js'
import { startingOptions } from '../../src/tools/replay/read-reproduction.js'
import { replay } from '../../src/tools/replay/replay.js'
import { library } from '../support/library.js'
import { document } from '../support/library-document.js'
import { useFolder } from '../support/test-folder.js'

const { createFile } = useFolder()

const JSON_TYPE = { 'content-type': 'application/json' }

const post = (url: string, body: object, headers: object = {}) =>
  fetch(url, { method: 'POST', body: JSON.stringify(body), headers: { ...JSON_TYPE, ...headers } })

const titles = async (url: string, headers: Record<string, string> = {}) =>
  ((await (await fetch(url, { headers })).json()) as { title: string }[]).map(({ title }) => title)

/** Two libraries, as different as two services are: one has rules, the other is a document alone. */
async function start(
  options: { adminToken?: string; cors?: string[]; onRequest?: (record: RequestRecord) => void } = {},
) {
  const services = { town: library, school: { document, scenario: 'empty' } }
  const server = await startServer({ port: 0, services, ...options })
  onTestFinished(() => server.close())
  return server
}

describe('several services on one port', () => {
  it('have their own data, rules and journal, each at its own path', async () => {
    const { url, mocks } = await start()
    expect(await titles(`${url}/town/books`)).toEqual(['Emma', 'Dune'])
    expect(await titles(`${url}/school/books`)).toEqual([])
    await post(`${url}/school/books`, { title: 'Ulysses' })
    expect(await titles(`${url}/school/books?limit=5`)).toEqual(['Ulysses'])
    expect(await titles(`${url}/town/books`)).toEqual(['Emma', 'Dune'])
    expect((await fetch(`${url}/town/books/1`, { method: 'DELETE' })).status).toBe(409)
    expect((await fetch(`${url}/school/books/1`, { method: 'DELETE' })).status).toBe(204)
    expect([mocks.town.journal.total, mocks.school.journal.total]).toEqual([3, 4])
  })

  it('have their own faults, clocks and sandboxes', async () => {
    const { url } = await start()
    const [town, school] = [connect(`${url}/town`), connect(`${url}/school`)]
    await town.faults.add({ status: 503 })
    await school.clock.set('2030-01-01T00:00:00Z')
    expect((await fetch(`${url}/town/books`)).status).toBe(503)
    expect((await fetch(`${url}/school/books`)).status).toBe(200)
    expect((await town.clock.state()).now).not.toMatch(/^2030/)
    await post(`${url}/school/sandbox/a/books`, { title: 'Ulysses' })
    expect(await titles(`${url}/school/books`, { 'X-Petstore-Sandbox': 'a' })).toEqual(['Ulysses'])
    expect(await titles(`${url}/school/books`)).toEqual([])
    expect(await titles(`${url}/town/sandbox/a/books`)).toEqual(['Emma', 'Dune'])
    expect((await school.sandboxes.list()).map(({ name }) => name)).toEqual(['a'])
    await town.reset()
    expect((await fetch(`${url}/town/books`)).status).toBe(200)
    expect((await school.clock.state()).now).toMatch(/^2030/)
  })

  it('return addresses below their path, and below that of a proxy', async () => {
    const { url } = await start()
    const created = await post(`${url}/school/books`, { title: 'Ulysses' })
    expect(created.headers.get('location')).toBe('/school/books/1')
    const inSandbox = await post(
      `${url}/school/sandbox/a/books`,
      { title: 'Ulysses' },
      { 'X-Forwarded-Prefix': '/api' },
    )
    expect(inSandbox.headers.get('location')).toBe('/api/school/sandbox/a/books/1')
    const dashboard = await fetch(`${url}/school/__admin`, { redirect: 'manual' })
    expect(dashboard.headers.get('location')).toBe('/school/__admin/')
    const routed = await post(`${url}/school/@a:4/api/books`, { title: 'Dubliners' })
    expect(routed.headers.get('location')).toBe('/api/books/2')
  })

  it('keep a redirect of a routed request in the sandbox of the service', async () => {
    const { url, mocks } = await start()
    const redirect = { status: 302, headers: { location: '/books/2' } }
    mocks.school.sandboxes.open('a').override('getBook', redirect, { unchecked: true })
    const response = await fetch(`${url}/school/@a:4/api/books/1`, { redirect: 'manual' })
    expect(response.headers.get('location')).toBe('/school/@a:4/api/books/2')
  })

  it('have a reference, a document and an admin API each', async () => {
    const { url } = await start()
    expect(await (await fetch(`${url}/school/openapi.json`)).json()).toMatchObject({ info: document.info })
    expect(await (await fetch(`${url}/school/__admin/health`)).json()).toMatchObject({
      scenario: 'empty',
      services: ['town', 'school'],
    })
    expect(await (await fetch(`${url}/town/__admin/health`)).json()).toMatchObject({ scenario: 'default' })
  })

  it('are listed at the root, and by its health', async () => {
    const { url } = await start()
    const title = document.info.title
    const services = [
      { name: 'town', title, path: '/town' },
      { name: 'school', title, path: '/school' },
    ]
    expect(await (await fetch(url)).json()).toEqual({ services })
    expect(await (await fetch(`${url}/__admin/health`)).json()).toMatchObject({ status: 'ok', services })
    const page = await fetch(url, { headers: { accept: 'text/html' }, redirect: 'manual' })
    expect([page.status, page.headers.get('location')]).toEqual([302, '/town/__admin/'])
    const unknown = await fetch(`${url}/books`)
    expect([unknown.status, await unknown.json()]).toMatchObject([
      404,
      { message: 'No service at "/books". This server has several, each at its own path: /town, /school.' },
    ])
    expect((await fetch(url, { method: 'POST' })).status).toBe(405)
    expect((await fetch(url, { method: 'HEAD' })).status).toBe(200)
    await expect(connect(url).reset()).rejects.toThrow('No service at "/__admin/reset"')
  })

  it('have a reproduction each, which replays alone', async () => {
    const { url } = await start()
    const [town, school] = [connect(`${url}/town`), connect(`${url}/school`)]
    await town.faults.add({ path: '/books', status: 503, times: 1 })
    for (const name of ['town', 'school']) {
      await fetch(`${url}/${name}/books`)
      await post(`${url}/${name}/books`, { title: 'Ulysses' })
      await post(`${url}/${name}/sandbox/a/books`, { title: 'Dubliners' })
      await fetch(`${url}/${name}/books/1`, { method: 'DELETE' })
    }
    const runs = [
      { client: town, service: library },
      { client: school, service: createDocumentService(document) },
      { client: town.sandboxes.open('a'), service: library },
    ]
    for (const { client, service } of runs) {
      const reproduction = await client.reproduction()
      const mock = createMock(service, startingOptions<AnyService>(reproduction))
      await mock.ready
      const { signal } = new AbortController()
      const { requests, different } = await replay(mock, reproduction, { signal })
      expect([requests.length, different]).toEqual([client === town || client === school ? 3 : 1, 0])
    }
  })

  it('share the guard, the token, CORS and onRequest', async () => {
    const records: RequestRecord[] = []
    const cors = ['https://app.example']
    const { url } = await start({ adminToken: 'secret', cors, onRequest: (record) => records.push(record) })
    for (const path of ['/__admin/health', '/town/__admin/health', '/school/sandbox/a/__admin/health']) {
      expect((await fetch(url + path)).status).toBe(401)
      expect((await fetch(url + path, { headers: { authorization: 'Bearer secret' } })).status).toBe(200)
    }
    const allowed = await fetch(`${url}/town/books`, { headers: { origin: 'https://app.example' } })
    expect(allowed.headers.get('access-control-allow-origin')).toBe('https://app.example')
    expect(
      (await fetch(`${url}/school/__admin/reset`, { method: 'POST', headers: { origin: cors[0] as string } })).status,
    ).toBe(403)
    expect(records.at(-2)).toMatchObject({ service: 'town', target: '/town/books', operation: 'listBooks' })
    expect(records[0]).toMatchObject({ service: undefined, target: '/__admin/health' })
  })

  it('say what is wrong with their names and options', async () => {
    const file = createFile('library.json', JSON.stringify(document))
    const failures = [
      { services: { 'a/b': library } },
      { services: { docs: library } },
      { services: {} },
      { services: { town: library }, document: file },
      { services: { town: library }, fixtures: {} },
      { services: { town: { service: library, scenario: 'busy' }, school: { document: file } } },
      { services: { town: 'library.js' } },
      { services: { town: { service: library, document: file } } },
    ]
    const messages = failures.map((options) => startServer(options as never).then(String, ({ message }) => message))
    expect(await Promise.all(messages)).toEqual([
      expect.stringMatching(/^"a\/b" cannot be the name of a service\. A name has up to 64 letters/),
      expect.stringMatching(/^"docs" cannot be the name of a service\./),
      'Give at least one service in "services".',
      'Give either "document" or "services", not both.',
      'Option "fixtures" is for one service: services: { shop: { service, fixtures } }.',
      'Service "town": Unknown scenario "busy". Available: empty, default.',
      expect.stringMatching(/^Service "town" must be what defineService returned/),
      expect.stringMatching(/^Service "town" must be what defineService returned/),
    ])
  })

  it('throw the errors of all of them when the server closes', async () => {
    const server = await startServer({ port: 0, services: { town: library, school: library }, failOn: ['violation'] })
    await fetch(`${server.url}/town/nope`)
    await fetch(`${server.url}/school/nope`)
    await expect(server.close()).rejects.toThrow(/\/nope.*\n.*\/nope/)
  })
})
