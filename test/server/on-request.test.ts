import { describe, expect, it } from 'vitest'
import { type RequestRecord, type ServerOptions, startServer } from '../../src/adapters/server/index.js'
import { shop } from '../support/client.js'
import { document } from '../support/library-document.js'
import { exchange, openServer, toHttpText } from '../support/raw-connection.js'

const SHOP: ServerOptions = { fixtures: shop([{ id: 1, name: 'Rex' }]) }
const HOST = 'Host: localhost'
const PET = JSON.stringify({ name: 'Bo', categoryId: 1 })
const NEW_PET = { method: 'POST', body: PET, headers: { 'content-type': 'application/json' } }

describe('onRequest', () => {
  it('is called after each response, with the target as it was sent', async () => {
    const records: RequestRecord[] = []
    const server = await openServer({ ...SHOP, onRequest: (record) => records.push(record) })
    await server.fetch('/%70ets?limit=1&x=%20')
    await server.fetch('/pets', NEW_PET)
    await server.fetch('/pets/99', { method: 'HEAD' })
    await server.fetch('/pets', { method: 'OPTIONS' })
    await server.fetch('/pets', { method: 'PATCH' })
    await server.fetch('/nope')
    await server.fetch('/__admin/health')
    await server.fetch('/__admin/health', { headers: { origin: 'https://evil.example' } })
    await server.fetch('/pets', { ...NEW_PET, body: '{' })
    const record = (method: string, target: string, operation: string | undefined, status: number, code?: string) => ({
      ...{ method, target, operation, status, code, sandbox: undefined, fault: undefined, failure: undefined },
      ...{ service: undefined, upstream: undefined, isNewSandbox: undefined, evictedSandbox: undefined },
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      durationMs: expect.any(Number),
      violations: undefined as unknown,
    })
    const violations = [expect.any(String)]
    expect(records).toStrictEqual([
      record('GET', '/%70ets?limit=1&x=%20', 'listPets', 200),
      record('POST', '/pets', 'createPet', 201),
      record('HEAD', '/pets/99', 'getPet', 404, 'PET_NOT_FOUND'),
      record('OPTIONS', '/pets', undefined, 204),
      { ...record('PATCH', '/pets', undefined, 405, 'METHOD_NOT_ALLOWED'), violations },
      { ...record('GET', '/nope', undefined, 404, 'ROUTE_NOT_FOUND'), violations },
      record('GET', '/__admin/health', 'getHealth', 200),
      record('GET', '/__admin/health', undefined, 403, 'FORBIDDEN_ORIGIN'),
      { ...record('POST', '/pets', 'createPet', 400, 'MALFORMED_BODY'), violations },
    ])
    for (const { durationMs } of records) expect(durationMs).toBeGreaterThanOrEqual(0)
  })

  it('receives the query without the API keys that the document declares', async () => {
    const securitySchemes = { key: { type: 'apiKey', in: 'query', name: 'api_key' } }
    const secured = { ...document, components: { ...document.components, securitySchemes } }
    const targets: string[] = []
    const onRequest = ({ target }: RequestRecord) => targets.push(target)
    await using server = await startServer({ document: secured, port: 0, onRequest })
    await fetch(`${server.url}/books?borrower=Ada&api%5Fkey=s3cret`)
    await fetch(`${server.url}/nope?api_key=s3cret`)
    const services = { town: { document }, school: { document: secured } }
    await using several = await startServer({ services, port: 0, onRequest })
    await fetch(`${several.url}/shool/books?api_key=s3cret`)
    expect(targets).toEqual([
      '/books?borrower=Ada&api%5Fkey=(hidden)',
      '/nope?api_key=(hidden)',
      '/shool/books?api_key=(hidden)',
    ])
  })

  it('receives the sandbox, and how long a client waits for a slow response', async () => {
    const records: RequestRecord[] = []
    const server = await openServer({ ...SHOP, onRequest: (record) => records.push(record) })
    server.petstore.sandboxes.open('slow').faults.add({ kind: 'slow', delayMs: 80 })
    await (await server.fetch('/sandbox/slow/pets')).text()
    await server.fetch('/pets', { headers: { 'X-Petstore-Sandbox': 'other' } })
    expect(records).toMatchObject([{ sandbox: 'slow' }, { sandbox: 'other' }])
    expect(records[0]?.durationMs).toBeGreaterThanOrEqual(80)
    expect(server.petstore.sandboxes.open('slow').journal.entries()[0]?.durationMs).toBeGreaterThanOrEqual(80)
  })

  it('receives whether the request has created a sandbox, and which one was removed for it', async () => {
    const records: RequestRecord[] = []
    const server = await openServer({ ...SHOP, maxSandboxes: 1, onRequest: (record) => records.push(record) })
    for (const name of ['a', 'a', 'b', 'a']) await server.fetch(`/sandbox/${name}/pets`)
    expect(records.map(({ sandbox, isNewSandbox, evictedSandbox }) => [sandbox, isNewSandbox, evictedSandbox])).toEqual(
      [
        ['a', true, undefined],
        ['a', undefined, undefined],
        ['b', true, 'a'],
        ['a', true, 'b'],
      ],
    )
  })

  it('receives the fault that was applied', async () => {
    const records: RequestRecord[] = []
    const server = await openServer({ ...SHOP, onRequest: (record) => records.push(record) })
    server.petstore.faults.add({ kind: 'reset' })
    expect(await exchange(server.port, toHttpText(['GET /pets HTTP/1.1', HOST]))).toEqual([])
    expect(records).toMatchObject([{ operation: 'listPets', status: 0, fault: { id: 1, kind: 'reset' } }])
  })
})
