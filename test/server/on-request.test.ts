import { describe, expect, it } from 'vitest'
import type { RequestRecord, ServerOptions } from '../../src/adapters/server/index.js'
import { shop } from '../support/client.js'
import { exchange, openConnection, openServer, toHttpText } from '../support/raw-connection.js'

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
    const usual = {
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      sandbox: undefined,
      code: undefined,
      violations: undefined as unknown,
      fault: undefined,
      durationMs: expect.any(Number),
      failure: undefined,
    }
    expect(records).toStrictEqual([
      { method: 'GET', target: '/%70ets?limit=1&x=%20', operation: 'listPets', status: 200, ...usual },
      { method: 'POST', target: '/pets', operation: 'createPet', status: 201, ...usual },
      { method: 'HEAD', target: '/pets/99', operation: 'getPet', status: 404, ...usual, code: 'PET_NOT_FOUND' },
      { method: 'OPTIONS', target: '/pets', operation: undefined, status: 204, ...usual },
      {
        method: 'PATCH',
        target: '/pets',
        operation: undefined,
        status: 405,
        ...usual,
        code: 'METHOD_NOT_ALLOWED',
        violations: [expect.any(String)],
      },
      {
        method: 'GET',
        target: '/nope',
        operation: undefined,
        status: 404,
        ...usual,
        code: 'ROUTE_NOT_FOUND',
        violations: [expect.any(String)],
      },
      { method: 'GET', target: '/__admin/health', operation: 'getHealth', status: 200, ...usual },
      {
        method: 'GET',
        target: '/__admin/health',
        operation: undefined,
        status: 403,
        ...usual,
        code: 'FORBIDDEN_ORIGIN',
      },
      {
        method: 'POST',
        target: '/pets',
        operation: 'createPet',
        status: 400,
        ...usual,
        code: 'MALFORMED_BODY',
        violations: [expect.any(String)],
      },
    ])
    for (const { durationMs } of records) expect(durationMs).toBeGreaterThanOrEqual(0)
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

  it('receives the fault that was applied', async () => {
    const records: RequestRecord[] = []
    const server = await openServer({ ...SHOP, onRequest: (record) => records.push(record) })
    server.petstore.faults.add({ kind: 'reset' })
    expect(await exchange(server.port, toHttpText(['GET /pets HTTP/1.1', HOST]))).toEqual([])
    expect(records).toMatchObject([{ operation: 'listPets', status: 0, fault: { id: 1, kind: 'reset' } }])
  })

  it('is called for a rejected expectation', async () => {
    const records: RequestRecord[] = []
    const server = await openServer({ ...SHOP, onRequest: (record) => records.push(record) })
    const connection = await openConnection(server.port)
    connection.send(toHttpText(['GET /pets HTTP/1.1', HOST, 'Expect: banana']))
    expect(await connection.rest()).toMatchObject([{ status: 417 }])
    expect(records).toMatchObject([{ method: 'GET', target: '/pets', status: 417 }])
  })
})
