import { expect, it } from 'vitest'
import { describeAdapters } from '../support/adapters.js'
import { forEachCase } from '../support/cases.js'
import { expectError, openClient, readResponse } from '../support/client.js'
import { STARTING_DATA } from '../support/operations.js'

describeAdapters('Accept', (adapter) => {
  it('is ignored if the response belongs to no operation', async () => {
    const { mock } = await openClient(adapter, STARTING_DATA)
    const headers = { Accept: 'text/html' }
    expectError(await readResponse(await mock.fetch('/pets', { method: 'DELETE', headers })), 405, 'METHOD_NOT_ALLOWED')
    expect((await mock.fetch('/pets', { method: 'OPTIONS', headers })).status).toBe(204)
  })

  it('is checked on the documents and the admin API', async () => {
    const { mock } = await openClient(adapter, STARTING_DATA)
    await forEachCase(
      [
        ['/openapi.yaml', 'application/yaml', 200],
        ['/openapi.yaml', '*/*', 200],
        ['/openapi.yaml', 'application/json', 406],
        ['/openapi.json', 'application/json', 200],
        ['/openapi.json', 'application/yaml', 406],
        ['/__admin/health', 'application/json', 200],
        ['/__admin/health', 'text/html', 406],
      ] as const,
      async ([path, Accept, status]) => {
        const response = await mock.fetch(path, { headers: { Accept } })
        expect(response.status).toBe(status)
        if (status === 406) expectError(await readResponse(response), 406, 'NOT_ACCEPTABLE', /Accept/)
      },
    )
  })
})
