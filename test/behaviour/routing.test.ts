import { expect, it } from 'vitest'
import { describeAdapters } from '../support/adapters.js'
import { expectError, expectUnchanged, openClient, readResponse } from '../support/client.js'
import { fillPath, operations, paths, STARTING_DATA } from '../support/operations.js'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

const methodsOf = (path: string) => operations.filter((each) => each.path === path).map(({ method }) => method)
const disallowed = paths.flatMap((path) => METHODS.filter((method) => !methodsOf(path).includes(method)))
const readable = operations.filter(({ method }) => method === 'GET')

/** The methods in the Allow header of a response, and those that the document declares for a path, sorted. */
const allowed = ({ headers }: { headers: Headers }) => headers.get('allow')?.split(', ').sort()
const expectedMethods = (path: string) => [...methodsOf(path), 'HEAD', 'OPTIONS'].sort()

describeAdapters('routing', (adapter) => {
  it('is tested on every path of the document', () => {
    expect(paths).toHaveLength(8)
    expect(operations).toHaveLength(18)
    expect(readable).toHaveLength(8)
    expect(disallowed).toHaveLength(22)
  })

  it.each([...METHODS, 'OPTIONS'])('returns 404 for %s on an unknown path', async (method) => {
    const { mock } = await openClient(adapter)
    expectError(await readResponse(await mock.fetch('/nope', { method })), 404, 'ROUTE_NOT_FOUND')
  })

  it.each(paths)('returns the allowed methods for OPTIONS on %s', async (path) => {
    const { mock } = await openClient(adapter, STARTING_DATA)
    const response = await mock.fetch(fillPath(path), { method: 'OPTIONS' })
    expect(response.status).toBe(204)
    expect(allowed(response)).toEqual(expectedMethods(path))
    expect(await response.text()).toBe('')
  })

  it.each(paths)('returns 405 on %s for every other method, and changes nothing', async (path) => {
    const { mock } = await openClient(adapter, STARTING_DATA)
    const others = [...METHODS, 'PROPFIND'].filter((method) => !methodsOf(path).includes(method))
    await expectUnchanged(mock, async () => {
      for (const method of others) {
        const response = await readResponse(await mock.fetch(fillPath(path), { method }))
        expectError(response, 405, 'METHOD_NOT_ALLOWED', method)
        expect(allowed(response)).toEqual(expectedMethods(path))
      }
    })
  })
})
