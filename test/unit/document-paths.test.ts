import { describe, expect, it } from 'vitest'
import { createMock } from '../../src/engine/mock/create-mock.js'
import { defineService } from '../../src/engine/mock/define-service.js'
import { document } from '../support/library-document.js'

const page = { name: 'limit', in: 'query', schema: { type: 'integer' } }
const books = document.paths['/books']
const list = {
  ...books.get,
  parameters: [page, { ...page, name: 'offset' }],
  responses: { 200: { ...books.get.responses[200], headers: { Link: { schema: { type: 'string' } } } } },
}

async function start(...urls: string[]) {
  const paths = { ...document.paths, '/books': { ...books, get: list } }
  const service = defineService({
    document: { ...document, paths, servers: urls.map((url) => ({ url, variables: { version: { default: 'v2' } } })) },
    scenarios: { default: { books: [{ id: 1, title: 'Emma' }] } },
  })
  const mock = createMock(service)
  await mock.ready
  return mock
}

it.each(['/library/api', 'https://api.example/library/{version}/', 'http://localhost:9966/library'])(
  'serves the operations below the path of the server %s, too',
  async (url) => {
    const mock = await start(url, 'https://api.example', 'not { an address')
    const base = url.replace('{version}', 'v2').replace(/^https?:\/\/[^/]+|\/$/g, '')
    for (const prefix of ['', base]) {
      const created = await mock.fetch(`${prefix}/books`, {
        method: 'POST',
        body: JSON.stringify({ title: 'Dune' }),
        headers: { 'content-type': 'application/json' },
      })
      const location = String(created.headers.get('location'))
      expect(location).toMatch(new RegExp(`^${prefix}/books/\\d+$`))
      expect((await mock.fetch(`/sandbox/a${prefix}/books/1`)).status).toBe(200)
      expect((await mock.fetch(location)).status).toBe(200)
      const { headers } = await mock.fetch(`${prefix}/books?limit=1`)
      expect(headers.get('link')).toContain(`<${prefix}/books?`)
    }
  },
)

it('leaves all other paths as they are', async () => {
  const mock = await start('/books', '/api')
  const status = async (path: string) => (await mock.fetch(path)).status
  expect(await Promise.all(['/books/1', '/api/books/1', '/books/books/1'].map(status))).toEqual([200, 200, 200])
  for (const path of ['/api', '/api/', '/api/__admin/health', '/apis/books/1', '/api/%E0%A4%A/1', '/other/books/1'])
    expect(await status(path), path).toBeGreaterThanOrEqual(400)
})

it.each(['/library/api/books/*', '/library/api/books/1', '/books/1'])(
  'a fault rule may have the path of a server: %s',
  async (path) => {
    const mock = await start('/library/api')
    expect(mock.faults.add({ path, status: 503 })).toMatchObject({ path })
    for (const prefix of ['', '/library/api']) expect((await mock.fetch(`${prefix}/books/1`)).status).toBe(503)
    expect((await mock.fetch('/books')).status).toBe(200)
    expect(() => mock.faults.add({ path: '/library/books' })).toThrow('/path matches no operation')
    mock.faults.update(1, { path: '/library/api/books' })
    expect((await mock.fetch('/books')).status).toBe(503)
  },
)

const text = (content: string) => ({
  responses: {
    200: { description: 'OK', content: { 'text/plain': { schema: { type: 'string' }, example: content } } },
    404: { description: 'Missing.', content: { 'application/json': { schema: { type: 'object' } } } },
  },
})
const inPath = (...names: string[]) =>
  names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } }))

async function startWith(paths: object, servers: object[] = []) {
  const mock = createMock({ document: { ...document, servers, paths: { ...document.paths, ...paths } } })
  await mock.ready
  const read = async (path: string, headers: Record<string, string> = {}) =>
    (await mock.fetch(path, { headers })).text()
  return { mock, read }
}

describe('a document with paths that are also ours', () => {
  const TOKENS = { '/sandbox/token/create': { get: text('theirs') }, '/sandbox/items': { get: text('items') } }

  it('has its paths below /sandbox, and sandboxes have all other names', async () => {
    const { mock, read } = await startWith(TOKENS)
    expect(await read('/sandbox/token/create')).toBe('theirs')
    expect(await read('/sandbox/items')).toBe('items')
    expect(mock.sandboxes.list()).toEqual([])
    expect(await read('/sandbox/token/crate')).toContain('Did you mean \\"/sandbox/token/create\\"?')
    expect((await mock.fetch('/sandbox/token/create', { method: 'POST' })).status).toBe(405)
    expect(mock.sandboxes.list()).toEqual([])
    expect(await read('/sandbox/a/sandbox/token/create')).toBe('theirs')
    for (const headers of [
      { 'x-petstore-sandbox': 'b' },
      { baggage: 'petstore-sandbox=c' },
      { cookie: 'petstore-sandbox=d' },
    ]) {
      expect(await read('/sandbox/token/create', headers as never)).toBe('theirs')
    }
    expect((await mock.fetch('/sandbox/token/__admin/health')).status).toBe(200)
    const names = mock.sandboxes.list().map(({ name }) => name)
    expect(names.sort()).toEqual(['a', 'b', 'c', 'd', 'token'])
    expect(mock.sandboxes.get('b')?.journal.entries()).toMatchObject([{ path: '/sandbox/token/create', status: 200 }])
  })

  it.each<[string, object, object[], string, boolean]>([
    ['/sandbox/{id}', { get: { ...text('theirs'), parameters: inPath('id') } }, [], '/sandbox/a', true],
    ['/{space}/items', { get: { ...text('theirs'), parameters: inPath('space') } }, [], '/sandbox/items', true],
    ['/{space}/{id}', { get: { ...text('theirs'), parameters: inPath('space', 'id') } }, [], '/sandbox/a', false],
    ['/items', { get: text('theirs') }, [{ url: 'https://api.example/sandbox/v1' }], '/sandbox/v1/items', true],
    ['/items', { get: text('theirs') }, [{ url: '/sandbox' }], '/sandbox/items', true],
  ])('declares %s', async (path, item, servers, sent, isTheirs) => {
    const { mock, read } = await startWith({ [path]: item }, servers)
    expect((await read(sent)) === 'theirs').toBe(isTheirs)
    expect(mock.sandboxes.list()).toHaveLength(isTheirs ? 0 : 1)
  })

  it('has nothing at and below /__admin', async () => {
    const { mock, read } = await startWith(
      {
        '/__admin': { get: text('theirs') },
        '/__admin/health': { get: text('theirs') },
        '/{any}': { get: { ...text('any'), parameters: inPath('any') } },
      },
      [{ url: '/__admin/books' }],
    )
    for (const path of ['/__admin', '/__admin/', '/sandbox/a/__admin', '/__admin/nothing', '/__admin/books/books']) {
      expect(await read(path), path).toContain('ROUTE_NOT_FOUND')
    }
    expect(await read('/__admin')).not.toContain('Did you mean')
    expect(JSON.parse(await read('/__admin/health'))).toMatchObject({ status: 'ok' })
    expect(JSON.parse(await read('/sandbox/a/__admin/health'))).toMatchObject({ status: 'ok' })
    expect(mock.journal.total).toBe(0)
    expect(await read('/other')).toBe('any')
  })

  it('has its own /openapi.json and /openapi.yaml', async () => {
    const { read } = await startWith({ '/openapi.json': { get: text('theirs') } })
    expect(await read('/openapi.json')).toBe('theirs')
    expect(await read('/sandbox/a/openapi.json')).toBe('theirs')
    expect(await read('/openapi.yaml')).toContain('/openapi.json')
  })
})
