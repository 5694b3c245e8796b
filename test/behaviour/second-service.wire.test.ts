import { expect, it, onTestFinished } from 'vitest'
import { defineService } from '../../src/engine/mock/define-service.js'
import { type Adapter, describeEveryAdapter, inMemory } from '../support/adapters.js'
import { library } from '../support/library.js'
import { document } from '../support/library-document.js'

const HEADERS = { 'content-type': 'application/json' }
const post = (body: string) => ({ method: 'POST', headers: HEADERS, body })

/** What a service other than the built-in one can be asked, each with its status. */
const REQUESTS: readonly (readonly [status: number, path: string, init?: RequestInit])[] = [
  [200, '/books'],
  [200, '/books?borrower=Ada'],
  [201, '/books', post('{"title":"Emil"}')],
  [200, '/books/3'],
  [400, '/books', post('{"title":""}')],
  [400, '/books', post('{"title":')],
  [415, '/books', { method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'Emil' }],
  [400, '/books/x'],
  [404, '/books/99'],
  [404, '/pets/1'],
  [405, '/books/1', post('{}')],
  [409, '/books/1', { method: 'DELETE' }],
  [204, '/books/2', { method: 'DELETE' }],
  [404, '/books/2'],
  [200, '/__admin/data'],
  [200, '/__admin/state'],
  [200, '/openapi.json'],
]

async function openLibrary(adapter: Adapter) {
  const running = await adapter.openService(library)
  onTestFinished(() => running.close())
  return running
}

/** All responses, as they arrived. */
async function exercise(adapter: Adapter) {
  const { fetch } = await openLibrary(adapter)
  const responses: unknown[] = []
  for (const [, path, init] of REQUESTS) {
    const response = await fetch(path, init)
    const { status, headers } = response
    const [type, location, allow] = ['content-type', 'location', 'allow'].map((name) => headers.get(name))
    responses.push({ path, status, type, location, allow, text: await response.text() })
  }
  return responses
}

describeEveryAdapter('A second service', (adapter) => {
  it('gives the same responses as in memory', async () => {
    const responses = await exercise(adapter)
    expect(responses).toMatchObject(REQUESTS.map(([status, path]) => ({ path, status })))
    expect(responses).toEqual(await exercise(inMemory))
  })

  it('is arranged, watched and made to fail by the names of its document', async () => {
    const { mock, fetch } = await openLibrary(adapter)
    mock.data.books?.create({ title: 'Emil' })
    expect(await (await fetch('/books/3')).json()).toMatchObject({ id: 3, title: 'Emil' })
    mock.override('getBook', { status: 200, body: { id: 7, title: 'Ulysses' } })
    expect(await (await fetch('/books/3')).json()).toEqual({ id: 7, title: 'Ulysses' })
    mock.faults.add({ operation: 'listBooks', status: 503, times: 1 })
    expect((await fetch('/books')).status).toBe(503)
    expect((await fetch('/books')).status).toBe(200)
    expect(mock.journal.entries({ operation: 'getBook' }).map(({ params }) => params)).toEqual([
      { bookId: 3 },
      { bookId: 3 },
    ])
    expect(() => mock.override('getPet' as never, { status: 200, body: {} })).toThrow('Unknown operation "getPet"')
    mock.reset()
    expect((await fetch('/books/3')).status).toBe(404)
  })

  it('has handlers whose responses are checked, and whose changes are undone if they fail', async () => {
    const careless = defineService({
      document,
      scenarios: { default: { books: [{ id: 1, title: 'Emma' }] } },
      operations: {
        removeBook({ store }) {
          store.books?.remove(1)
          return { status: 204, body: {} }
        },
      },
    })
    const { mock, fetch, close } = await adapter.openService(careless)
    onTestFinished(close)
    const removal = await fetch('/books/1', { method: 'DELETE' }).catch(() => undefined)
    expect(removal?.status ?? 500).toBe(500)
    expect(mock.journal.entries()).toMatchObject([{ operation: 'removeBook', status: 500 }])
    expect(() => mock.check()).toThrow('The handler of removeBook returned 204 with a body, which HTTP forbids.')
    expect((await fetch('/books/1')).status).toBe(200)
  })

  it('has sandboxes', async () => {
    const { fetch } = await openLibrary(adapter)
    expect((await fetch('/sandbox/a/books/2', { method: 'DELETE' })).status).toBe(204)
    const statuses = await Promise.all(['/sandbox/a', '/sandbox/b', ''].map((base) => fetch(`${base}/books/2`)))
    expect(statuses.map(({ status }) => status)).toEqual([404, 200, 200])
  })

  it('and another one side by side share nothing', async () => {
    const one = await openLibrary(adapter)
    const other = await openLibrary(adapter)
    const petstore = await adapter.open()
    onTestFinished(() => petstore.close())
    one.mock.data.books?.create({ title: 'Emil' })
    expect((await one.fetch('/books/3')).status).toBe(200)
    expect((await other.fetch('/books/3')).status).toBe(404)
    expect((await petstore.fetch('/books/3')).status).toBe(404)
    expect((await petstore.fetch('/pets/1')).status).toBe(200)
    expect([one, other].map(({ mock }) => mock.journal.total)).toEqual([1, 1])
  })
})
