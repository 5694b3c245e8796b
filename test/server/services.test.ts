import { expect, it, onTestFinished } from 'vitest'
import { type ServiceServerOptions, startServer } from '../../src/adapters/server/index.js'
import { library } from '../support/library.js'
import { document } from '../support/library-document.js'
import { useFolder } from '../support/test-folder.js'

const { createFile } = useFolder()

async function start(options: ServiceServerOptions) {
  const server = await startServer({ port: 0, ...options })
  onTestFinished(() => server.close())
  return server
}

const post = (url: string, body: object) =>
  fetch(url, { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } })

it('serves a service with its rules, its scenarios and its mock', async () => {
  const { url, mock } = await start({ service: library })
  expect(await (await fetch(`${url}/books`)).json()).toMatchObject([{ title: 'Emma' }, { title: 'Dune' }])
  expect((await fetch(`${url}/books/1`, { method: 'DELETE' })).status).toBe(409)
  expect(mock.journal.total).toBe(2)
})

it('serves a document: an object, or a file', async () => {
  const file = createFile('library.json', JSON.stringify(document))
  for (const given of [document, file]) {
    const { url } = await start({ document: given })
    const created = await post(`${url}/books`, { title: 'Ulysses' })
    expect(created.status).toBe(201)
    const { id } = (await created.json()) as { id: number }
    expect(await (await fetch(`${url}/books/${id}`)).json()).toMatchObject({ id, title: 'Ulysses' })
    expect(await (await fetch(`${url}/openapi.json`)).json()).toMatchObject({ info: document.info })
  }
})

it('serves a document without paths', async () => {
  const { url } = await start({ document: { openapi: '3.1.0', info: { title: 'New', version: '1' }, paths: null } })
  expect((await fetch(`${url}/books`)).status).toBe(404)
})

it('resolves the options of the service', async () => {
  const { mock } = await start({ service: library, scenario: 'empty', seed: 7 })
  expect(mock.options).toMatchObject({ scenario: 'empty', seed: 7 })
  const failures = [
    { service: library, scenario: 'busy' },
    { service: library, document },
    { document, sed: 1 },
  ]
  const messages = failures.map((options) => startServer(options as never).catch((error) => error))
  expect(await Promise.all(messages)).toMatchObject([
    { message: 'Unknown scenario "busy". Available: empty, default.' },
    { message: 'Give either "service" or "document", not both.' },
    { message: 'Unknown option "sed". Did you mean "seed"?' },
  ])
})

it('serves what the document has at /docs instead of the reference', async () => {
  const ok = { 200: { description: 'OK', content: { 'text/plain': { schema: { type: 'string' }, example: 'Ours.' } } } }
  const page = {
    get: { responses: ok, parameters: [{ name: 'page', in: 'path', required: true, schema: { type: 'string' } }] },
  }
  for (const own of [
    { '/docs': { get: { responses: ok } } },
    { '/{page}': page },
    { '/{page}': page, '/__admin': page },
  ]) {
    const { url } = await start({ document: { ...document, paths: { ...document.paths, ...own } } })
    expect(await (await fetch(`${url}/docs`)).text()).toBe('Ours.')
    expect(await (await fetch(`${url}/__admin`)).text()).toContain('<!doctype html>')
  }
})
