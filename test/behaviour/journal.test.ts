import { expect, it } from 'vitest'
import { describeAdapters } from '../support/adapters.js'
import { openClient, shop } from '../support/client.js'

const fixtures = shop([{ id: 1, name: 'Rex' }])

describeAdapters('the journal', (adapter) => {
  it('has the contract violations of a request', async () => {
    const api = await openClient(adapter, { fixtures })
    await api.get('/pets?limit=0')
    await api.post('/pets', '{"name"')
    await api.get('/petz')
    await api.delete('/pets')
    await api.get('/pets/99')
    const violations = api.mock.petstore.journal.entries().map((entry) => entry.violations)
    expect(violations).toEqual([
      [expect.stringContaining('limit')],
      [expect.stringContaining('JSON')],
      [expect.stringContaining('/petz')],
      [expect.stringContaining('DELETE')],
      undefined,
    ])
    const [badLimit, badBody] = api.mock.petstore.journal.entries()
    expect(badLimit?.query).toEqual({ limit: 0 })
    expect(badBody?.request.body).toBe('{"name"')
  })

  it('records no violation for an error from an override', async () => {
    const api = await openClient(adapter, { fixtures })
    const message = 'x'.repeat(70_000)
    api.mock.petstore.override('getPet', { status: 400, body: { code: 'INVALID_REQUEST', message, status: 400 } })
    await api.get('/pets/1')
    expect(api.mock.petstore.journal.entries()).toMatchObject([{ status: 400, response: { cut: true } }])
    expect(api.mock.petstore.journal.entries()[0]?.violations).toBeUndefined()
  })
})

describeAdapters('lifecycle warnings', (adapter) => {
  it('name the deprecated and experimental operations that were used, with counts', async () => {
    const api = await openClient(adapter, { fixtures })
    await api.get('/pets/1')
    await api.get('/pets/99')
    await api.get('/store/orders')
    await api.delete('/pets/1')
    expect(api.mock.petstore.lifecycleWarnings).toEqual([
      { operation: 'getPet', marker: 'deprecated', count: 2, since: '2026-01-01', sunset: '2030-12-05' },
      { operation: 'deletePet', marker: 'experimental', count: 1 },
    ])
    api.mock.petstore.reset()
    expect(api.mock.petstore.lifecycleWarnings).toEqual([])
  })

  it('fail the test with the option failOn', async () => {
    const api = await openClient(adapter, { fixtures, failOn: ['deprecated', 'experimental'] })
    await api.get('/pets')
    api.mock.petstore.check()
    await api.get('/pets/1')
    await api.get('/pets/1')
    api.mock.petstore.reset()
    expect(() => api.mock.petstore.check()).toThrow(/^getPet was used 2 times, but is deprecated since 2026-01-01/)
    await api.get('/pets/1')
    await api.delete('/pets/1')
    expect(() => api.mock.petstore.check()).toThrow(/getPet was used once[\s\S]*deletePet was used once/)
    // Thrown once, but still listed.
    api.mock.petstore.check()
    expect(api.mock.petstore.lifecycleWarnings).toHaveLength(2)
  })
})
