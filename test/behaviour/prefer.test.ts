import { expect, it } from 'vitest'
import { describeAdapters } from '../support/adapters.js'
import { type Answer, type Client, expectError, openClient, readAnswer } from '../support/client.js'
import { expectSameState } from '../support/faults.js'
import { BODIES, named, operations, WORLD } from '../support/http.js'

describeAdapters('Prefer', (adapter) => {
  it('asks for one failure, which is answered in the shape of the contract', async () => {
    const api = await openClient(adapter, WORLD)
    const answer = await ask(api, 'code=503')
    expectError(answer, 503, 'SERVICE_UNAVAILABLE', 'Prefer')
    expect(answer.headers.get('preference-applied')).toBe('code=503')
    const next = await api.get('/pets')
    expect(next.status).toBe(200)
    expect(next.headers.get('preference-applied')).toBeNull()
  })

  it.each<[string, number, string]>([
    ['code="429"', 429, 'RATE_LIMITED'],
    ['CODE = 400', 400, 'BAD_REQUEST'],
    ['respond-async, wait=10, code=404', 404, 'NOT_FOUND'],
    ['code=599; foo=bar', 599, 'HTTP_599'],
    ['code=418, code=503', 418, 'HTTP_418'],
  ])('%s is answered with %i', async (prefer, status, code) => {
    const answer = await ask(await openClient(adapter, WORLD), prefer)
    expectError(answer, status, code)
    expect(answer.headers.get('preference-applied')).toBe(`code=${status}`)
  })

  it.each([
    'code=200',
    'code=302',
    'code=399',
    'code=600',
    'code=abc',
    'code',
    'code=',
    'respond-async',
    'return=minimal; code=503',
    'foo="code=503, code=503"',
    'code=200, code=503',
    '',
  ])('%s is ignored', async (prefer) => {
    const api = await openClient(adapter, WORLD)
    const answer = await ask(api, prefer)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('preference-applied')).toBeNull()
    expect(api.open.petstore.journal.entries()[0]).not.toHaveProperty('fault')
  })

  it('takes several headers as one', async () => {
    const api = await openClient(adapter, WORLD)
    const headers = new Headers([
      ['prefer', 'respond-async'],
      ['prefer', 'code=503'],
    ])
    expect((await api.open.fetch('/pets', { headers })).status).toBe(503)
  })

  it.each(named(operations))('is taken by %s, which does nothing', async (_, { id, method, path, body }) => {
    const { open } = await openClient(adapter, WORLD)
    const sent = body && { body: JSON.stringify(BODIES[id]) }
    const headers = { prefer: 'code=500', ...(sent && { 'content-type': 'application/json' }) }
    await expectSameState(open, async () => {
      const answer = await readAnswer(await open.fetch(path.replace(/\{.*\}/, '1'), { method, headers, ...sent }))
      expectError(answer, 500, 'INTERNAL_ERROR', 'Prefer')
    })
    expect(open.petstore.journal.entries()).toMatchObject([{ operation: id, status: 500, fault: { kind: 'error' } }])
    expect(open.petstore.journal.entries()[0]?.fault).toStrictEqual({ kind: 'error' })
  })

  it('brings the lifecycle headers of its operation along, and no body for HEAD', async () => {
    const { open } = await openClient(adapter, WORLD)
    const headers = { prefer: 'code=503' }
    const pet = await open.fetch('/pets/1', { headers })
    expect([pet.status, pet.headers.get('deprecation')]).toEqual([503, '@1767225600'])
    const head = await open.fetch('/pets', { method: 'HEAD', headers })
    expect([head.status, await head.text()]).toEqual([503, ''])
    expect(head.headers.get('preference-applied')).toBe('code=503')
  })

  it('uses up no rule, and is counted by none', async () => {
    const api = await openClient(adapter, WORLD)
    api.open.petstore.faults.add({ status: 429, times: 1, after: 1 })
    expect((await ask(api, 'code=503')).status).toBe(503)
    expect((await ask(api, 'code=503')).status).toBe(503)
    expect(api.open.petstore.faults.list()).toMatchObject([{ matched: 0, applied: 0, active: true }])
    expect((await ask(api, 'code=200')).status).toBe(200)
    expect((await api.get('/pets')).status).toBe(429)
  })

  it('is none of the contract’s violations, and nothing that a test has to hear of', async () => {
    const api = await openClient(adapter, WORLD)
    await ask(api, 'code=400')
    expect(api.open.petstore.journal.entries()[0]).not.toHaveProperty('violations')
    expect(() => api.open.petstore.check()).not.toThrow()
  })

  it('is asked before an override, Accept and everything in the request, and after path, method and sunset', async () => {
    const api = await openClient(adapter, { ...WORLD, sunset: 'enforce' })
    api.open.petstore.override('listPets', () => expect.unreachable('it is not asked'))
    api.open.petstore.clock.set('2031-01-01T00:00:00Z')
    expect((await ask(api, 'code=503', '/pets?limit=0', { accept: 'text/html' })).status).toBe(503)
    expectError(await ask(api, 'code=503', '/petz'), 404, 'ROUTE_NOT_FOUND')
    expectError(await ask(api, 'code=503', '/pets/1'), 410, 'OPERATION_SUNSET')
    const wrong = await api.open.fetch('/pets', { method: 'DELETE', headers: { prefer: 'code=503' } })
    expect(wrong.status).toBe(405)
  })

  it('means nothing to the control plane', async () => {
    const api = await openClient(adapter, WORLD)
    for (const path of ['/__admin/health', '/__admin/faults', '/openapi.json']) {
      const answer = await ask(api, 'code=503', path)
      expect([answer.status, answer.headers.get('preference-applied')]).toEqual([200, null])
    }
  })

  it('asks in a sandbox too', async () => {
    const api = await openClient(adapter, WORLD)
    expect((await ask(api, 'code=503', '/sandbox/one/pets')).status).toBe(503)
    expect(api.open.petstore.sandboxes.get('one').journal.entries()).toMatchObject([{ fault: { kind: 'error' } }])
    expect(api.open.petstore.journal.entries()).toEqual([])
  })
})

async function ask(
  { open }: Client,
  prefer: string,
  path = '/pets',
  headers: Record<string, string> = {},
): Promise<Answer> {
  return readAnswer(await open.fetch(path, { headers: { prefer, ...headers } }))
}
