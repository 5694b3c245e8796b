import { expect, it } from 'vitest'
import { describeAdapters } from '../support/adapters.js'
import { forEachCase } from '../support/cases.js'
import { type Client, expectError, openClient, readResponse } from '../support/client.js'

/** They make RegExp try more ways than anyone waits for. */
const PATTERNS = ['^(a+)+$', '^(a|a)*$', '(a|aa)+$', `${'a*'.repeat(20)}c`]

const HEADERS = { 'X-Text': `${'a'.repeat(2000)}b` }

const statusOf = async ({ mock }: Client) => (await mock.fetch('/pets', { headers: HEADERS })).status

describeAdapters('regular expressions that came over HTTP', (adapter) => {
  it('never block the mock, in faults, overrides and filters', async () => {
    const api = await openClient(adapter)
    await forEachCase(PATTERNS, async (matches) => {
      const match = { headers: { 'x-text': { matches } } }
      const body = { name: { matches } }
      expect((await api.post('/__admin/faults', { match })).status).toBe(201)
      expect((await api.post('/__admin/faults', { match: { body } })).status).toBe(201)
      expect(
        (await api.post('/__admin/overrides', { operation: 'listPets', status: 200, body: [], match })).status,
      ).toBe(201)
      expect(await statusOf(api)).toBe(200)
      expect((await api.patch('/__admin/faults/1', { match, times: 2 })).status).toBe(200)
      // A change in process keeps what came over HTTP.
      api.mock.petstore.faults.update(1, { times: 3 })
      expect(await statusOf(api)).toBe(200)
      const filtered = await api.get(`/__admin/journal?match=${encodeURIComponent(JSON.stringify(match))}`)
      expect(filtered.body).toMatchObject({ entries: [] })
      api.mock.petstore.reset()
    })
  })

  it('are listed as they were given', async () => {
    const api = await openClient(adapter)
    const match = { query: { name: { matches: 'a/b', flags: 'si' } } }
    expect((await api.post('/__admin/faults', { match })).body).toMatchObject({ match })
    expect((await api.patch('/__admin/faults/1', { match, times: 1 })).body).toMatchObject({ match })
    expect(api.mock.petstore.reproduction().steps).toMatchObject([
      { control: { body: { match } } },
      { control: { body: { match } } },
    ])
  })

  it('have an error of their own when they take too long together', async () => {
    const api = await openClient(adapter)
    const match = { headers: { 'x-text': { matches: `${'a?'.repeat(300)}c` } } }
    api.mock.petstore.faults.add({ status: 503, times: 1 })
    for (const _ of [1, 2, 3]) await api.post('/__admin/faults', { match })
    const response = await readResponse(await api.mock.fetch('/pets', { headers: HEADERS }))
    expectError(response, 422, 'LIMIT_REACHED')
    expect(api.mock.petstore.faults.list()[0]).toMatchObject({ applied: 0, active: true })
    expect(api.mock.petstore.journal.entries()).toMatchObject([{ status: 422 }])
    expect(api.mock.petstore.journal.entries()[0]).not.toHaveProperty('violations')
  })

  it('must not have backreferences', async () => {
    const api = await openClient(adapter)
    const match = { body: { tags: [{ matches: '(a)\\1' }] } }
    expectError(
      await api.post('/__admin/faults', { match }),
      400,
      'INVALID_REQUEST',
      /\/match\/body\/tags\/0\/matches has a/,
    )
    api.mock.petstore.faults.add({ match: { body: { tags: [/(a)\1/] } } })
  })
  it('are rejected when they cannot be tested in linear time', async () => {
    const api = await openClient(adapter)
    const patterns = [
      { matches: '[[a]]?(a+)+$', flags: 'v' },
      { matches: `${'('.repeat(5000)}(a+)+$${')'.repeat(5000)}` },
    ]
    await forEachCase(patterns, async (pattern) => {
      const match = { body: { name: pattern } }
      const problem = /^\/match\/body\/name\/matches has /
      expectError(await api.post('/__admin/faults', { match }), 400, 'INVALID_REQUEST', problem)
      const override = { operation: 'createPet', status: 500, match }
      expectError(await api.post('/__admin/overrides', override), 400, 'INVALID_REQUEST', problem)
    })
  })
})
