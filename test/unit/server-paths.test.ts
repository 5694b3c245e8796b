import { expect, it } from 'vitest'
import { createMock } from '../../src/engine/create-mock.js'
import { defineService } from '../../src/engine/define-service.js'
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
