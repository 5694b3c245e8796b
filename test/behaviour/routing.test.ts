import { expect, it } from 'vitest'
import { describeAdapters } from '../support/adapters.js'
import { forEachCase } from '../support/cases.js'
import { expectError, expectUnchanged, openClient, readResponse } from '../support/client.js'
import { fillPath, operations, paths, STARTING_DATA } from '../support/operations.js'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

const methodsOf = (path: string) => operations.filter((each) => each.path === path).map(({ method }) => method)
const disallowed = paths.flatMap((path) =>
  [...METHODS, 'PROPFIND']
    .filter((method) => !methodsOf(path).includes(method))
    .map((method) => [path, method] as const),
)

/** The methods in the Allow header of a response, and those that the document declares for a path, sorted. */
const allowed = ({ headers }: { headers: Headers }) => headers.get('allow')?.split(', ').sort()
const expectedMethods = (path: string) => [...methodsOf(path), 'HEAD', 'OPTIONS'].sort()

describeAdapters('routing', (adapter) => {
  it('returns 404 for any method on an unknown path', async () => {
    const { mock } = await openClient(adapter, STARTING_DATA)
    await forEachCase([...METHODS, 'OPTIONS'], async (method) => {
      expectError(await readResponse(await mock.fetch('/nope', { method })), 404, 'ROUTE_NOT_FOUND')
    })
  })

  it('suggests the path that was probably meant', async () => {
    const { mock } = await openClient(adapter, STARTING_DATA)
    await forEachCase(
      [
        ['/pet/1', '"/pets/1"'],
        ['/Pets', '"/pets"'],
        ['/catgories/7', '"/categories/7"'],
        ['/orders/7', '"/store/orders/7"'],
        ['/store/order', '"/store/orders"'],
        ['/__admin/fault', '"/__admin/faults"'],
        ['/__admin/sandboxs/a', '"/__admin/sandboxes/a"'],
      ] as const,
      async ([path, meant]) => {
        const response = await readResponse(await mock.fetch(path))
        expectError(response, 404, 'ROUTE_NOT_FOUND', `Did you mean ${meant}?`)
      },
    )
    await forEachCase(['/', '/nope', '/pets/', '/pets/1/2', `/${'p'.repeat(100)}`], async (path) => {
      expect((await readResponse(await mock.fetch(path))).text).not.toContain('Did you mean')
    })
  })

  it('returns the allowed methods for OPTIONS on every path', async () => {
    const { mock } = await openClient(adapter, STARTING_DATA)
    await forEachCase(paths, async (path) => {
      const response = await mock.fetch(fillPath(path), { method: 'OPTIONS' })
      expect(response.status).toBe(204)
      expect(allowed(response)).toEqual(expectedMethods(path))
      expect(await response.text()).toBe('')
    })
  })

  it('returns 405 on every path for any other method, and changes nothing', async () => {
    const { mock } = await openClient(adapter, STARTING_DATA)
    await expectUnchanged(mock, () =>
      forEachCase(disallowed, async ([path, method]) => {
        const response = await readResponse(await mock.fetch(fillPath(path), { method }))
        expectError(response, 405, 'METHOD_NOT_ALLOWED', method)
        expect(allowed(response)).toEqual(expectedMethods(path))
      }),
    )
  })
})
