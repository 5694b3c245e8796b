import { expect, it } from 'vitest'
import { describeAdapters } from '../support/adapters.js'
import { combine, forEachCase } from '../support/cases.js'
import { expectError, expectUnchanged, openClient, readResponse } from '../support/client.js'
import { operations, STARTING_DATA, send } from '../support/operations.js'

const ACCEPTING = [
  '*/*',
  'application/*',
  'application/json',
  'APPLICATION/JSON',
  'Application/*',
  'application/json;q=1',
  'application/json;q=0.001',
  'application/json; q=0.5',
  'application/json ; q=0.5',
  'application/json;Q=0.5',
  'text/html, application/json',
  'text/html,application/json',
  'text/html;q=1.0,application/json;q=0.1',
  'text/html, application/xhtml+xml, application/xml;q=0.9, image/webp, */*;q=0.8',
  'text/html, */*;q=0.1',
  'text/*;q=0, */*',
  'application/xml;q=0, */*',
  // The most specific range decides, regardless of the order.
  '*/*;q=0, application/json',
  'application/json, */*;q=0',
  'application/*;q=0, application/json;q=0.1',
  '*/*;q=0, application/*;q=0.1',
]

const EXCLUDING = [
  'text/html',
  'application/xml',
  'text/json',
  'text/*',
  'image/*, text/html;q=0.9',
  'application/jsonp',
  'application/vnd.api+json',
  'application/problem+json',
  'application/yaml',
  'json',
  'application/json;q=0',
  'application/json;q=0.0',
  'application/json;q=0.000',
  'application/json; q=0',
  'application/json;\tq=0',
  'application/json;Q=0',
  'APPLICATION/JSON;q=0',
  '*/*;q=0',
  'application/*;q=0',
  'text/html, */*;q=0',
  // The most specific range decides, regardless of the order.
  '*/*, application/json;q=0',
  'application/json;q=0, */*',
  'application/*;q=0, */*',
  'application/json;q=0, application/*;q=1, */*;q=1',
  'text/html, application/*;q=0, */*;q=0.9',
]

describeAdapters('Accept', (adapter) => {
  it('is tested on every operation', () => {
    expect(operations.map(({ success }) => success).sort()).toEqual([
      ...Array<number>(12).fill(200),
      ...Array<number>(3).fill(201),
      ...Array<number>(3).fill(204),
    ])
  })

  it('is checked by every operation', async () => {
    const { mock } = await openClient(adapter, STARTING_DATA)
    const excluding = ['application/xml', 'application/json;q=0, */*', 'text/*']
    const accepting = ['application/json', 'application/*', 'text/html, */*;q=0.1', '*/*;q=0, application/json']
    await expectUnchanged(mock, () =>
      forEachCase(
        combine(adapter, operations, () => excluding),
        async ([, Accept, each]) => {
          const response = await readResponse(await send(mock, each, { headers: { Accept } }))
          expectError(response, 406, 'NOT_ACCEPTABLE', /Accept/)
        },
      ),
    )
    await forEachCase(
      combine(adapter, operations, () => accepting),
      async ([, Accept, each]) => {
        mock.petstore.reset()
        expect((await send(mock, each, { headers: { Accept } })).status).toBe(each.success)
      },
    )
  })

  it('may include JSON in many ways', async () => {
    const { mock } = await openClient(adapter, STARTING_DATA)
    await forEachCase(ACCEPTING, async (Accept) => {
      expect((await mock.fetch('/pets', { headers: { Accept } })).status).toBe(200)
    })
  })

  it('may exclude JSON in many ways', async () => {
    const { mock } = await openClient(adapter, STARTING_DATA)
    await forEachCase(EXCLUDING, async (Accept) => {
      const response = await readResponse(await mock.fetch('/pets', { headers: { Accept } }))
      expectError(response, 406, 'NOT_ACCEPTABLE', /application\/json/)
    })
  })

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
