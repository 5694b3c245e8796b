import { expect, it } from 'vitest'
import { describeEveryAdapter } from '../support/adapters.js'
import { forEachCase } from '../support/cases.js'
import {
  type ApiResponse,
  type Client,
  expectError,
  expectUnchanged,
  openClient,
  readResponse,
} from '../support/client.js'
import { operations, STARTING_DATA, VALID_BODIES } from '../support/operations.js'

describeEveryAdapter('Prefer', (adapter) => {
  it('requests one error, in the shape of the contract', async () => {
    const api = await openClient(adapter, STARTING_DATA)
    const response = await request(api, 'code=503')
    expectError(response, 503, 'SERVICE_UNAVAILABLE', 'Prefer')
    expect(response.headers.get('preference-applied')).toBe('code=503')
    const next = await api.get('/pets')
    expect(next.status).toBe(200)
    expect(next.headers.get('preference-applied')).toBeNull()
  })

  it('may be given in several headers', async () => {
    const api = await openClient(adapter, STARTING_DATA)
    const headers = new Headers([
      ['prefer', 'respond-async'],
      ['prefer', 'code=503'],
    ])
    expect((await api.mock.fetch('/pets', { headers })).status).toBe(503)
  })

  it('works with every operation, which then does nothing', async () => {
    const { mock } = await openClient(adapter, STARTING_DATA)
    await forEachCase(operations, async ({ id, method, path, body }) => {
      mock.petstore.reset()
      const sent = body && { body: JSON.stringify(VALID_BODIES[id]) }
      const headers = { prefer: 'code=500', ...(sent && { 'content-type': 'application/json' }) }
      await expectUnchanged(mock, async () => {
        const response = await readResponse(await mock.fetch(path.replace(/\{.*\}/, '1'), { method, headers, ...sent }))
        expectError(response, 500, 'INTERNAL_ERROR', 'Prefer')
      })
      expect(mock.petstore.journal.entries()).toMatchObject([{ operation: id, status: 500, fault: { kind: 'error' } }])
      expect(mock.petstore.journal.entries()[0]?.fault).toStrictEqual({ kind: 'error' })
    })
  })

  it('is not counted by fault rules', async () => {
    const api = await openClient(adapter, STARTING_DATA)
    api.mock.petstore.faults.add({ status: 429, times: 1, after: 1 })
    expect((await request(api, 'code=503')).status).toBe(503)
    expect((await request(api, 'code=503')).status).toBe(503)
    expect(api.mock.petstore.faults.list()).toMatchObject([{ matched: 0, applied: 0, active: true }])
    expect((await request(api, 'code=200')).status).toBe(200)
    expect((await api.get('/pets')).status).toBe(429)
  })

  it('is neither a contract violation nor an unreported error', async () => {
    const api = await openClient(adapter, STARTING_DATA)
    await request(api, 'code=400')
    expect(api.mock.petstore.journal.entries()[0]).not.toHaveProperty('violations')
    expect(() => api.mock.petstore.check()).not.toThrow()
  })

  it('takes precedence over an override and an invalid request, but not over path, method and sunset', async () => {
    const api = await openClient(adapter, { ...STARTING_DATA, sunset: 'enforce' })
    api.mock.petstore.override('listPets', () => expect.unreachable('The override was called.'))
    api.mock.petstore.clock.set('2031-01-01T00:00:00Z')
    expect((await request(api, 'code=503', '/pets?limit=0', { accept: 'text/html' })).status).toBe(503)
    expectError(await request(api, 'code=503', '/petz'), 404, 'ROUTE_NOT_FOUND')
    expectError(await request(api, 'code=503', '/pets/1'), 410, 'OPERATION_SUNSET')
    const wrong = await api.mock.fetch('/pets', { method: 'DELETE', headers: { prefer: 'code=503' } })
    expect(wrong.status).toBe(405)
  })
})

async function request(
  { mock }: Client,
  prefer: string,
  path = '/pets',
  headers: Record<string, string> = {},
): Promise<ApiResponse> {
  return readResponse(await mock.fetch(path, { headers: { prefer, ...headers } }))
}
