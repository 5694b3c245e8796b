import { expect, it } from 'vitest'
import { describeAdapters } from '../support/adapters.js'
import { expectError, expectUnchanged, openClient, readAnswer } from '../support/client.js'
import { fill, operations, paths, WORLD } from '../support/http.js'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

const offered = (path: string) => operations.filter((each) => each.path === path).map(({ method }) => method)
const refused = paths.flatMap((path) => METHODS.filter((method) => !offered(path).includes(method)))
const readable = operations.filter(({ method }) => method === 'GET')

/** The methods that an answer says are allowed, and those that the document offers on a path, in one order. */
const allowed = ({ headers }: { headers: Headers }) => headers.get('allow')?.split(', ').sort()
const expectedMethods = (path: string) => [...offered(path), 'HEAD', 'OPTIONS'].sort()

describeAdapters('routing', (adapter) => {
  it('is tried on every path of the document', () => {
    expect(paths).toHaveLength(8)
    expect(operations).toHaveLength(18)
    expect(readable).toHaveLength(8)
    expect(refused).toHaveLength(22)
  })

  it.each([...METHODS, 'OPTIONS'])('answers 404 for %s on an unknown path', async (method) => {
    const { open } = await openClient(adapter)
    expectError(await readAnswer(await open.fetch('/nope', { method })), 404, 'ROUTE_NOT_FOUND')
  })

  it.each(paths)('answers OPTIONS on %s with the methods it takes', async (path) => {
    const { open } = await openClient(adapter, WORLD)
    const response = await open.fetch(fill(path), { method: 'OPTIONS' })
    expect(response.status).toBe(204)
    expect(allowed(response)).toEqual(expectedMethods(path))
    expect(await response.text()).toBe('')
  })

  it.each(paths)('answers 405 on %s for every method it does not take, and changes nothing', async (path) => {
    const { open } = await openClient(adapter, WORLD)
    const others = [...METHODS, 'PROPFIND'].filter((method) => !offered(path).includes(method))
    await expectUnchanged(open, async () => {
      for (const method of others) {
        const answer = await readAnswer(await open.fetch(fill(path), { method }))
        expectError(answer, 405, 'METHOD_NOT_ALLOWED', method)
        expect(allowed(answer)).toEqual(expectedMethods(path))
      }
    })
  })
})
