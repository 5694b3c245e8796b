import { expect, it, vi } from 'vitest'
import { describeAdapters } from '../support/adapters.js'
import { openClient, shop } from '../support/client.js'

const fixtures = shop([{ id: 1, name: 'Rex' }])

const FAILURES: [how: string, fail: () => unknown, message: string][] = [
  [
    'throws',
    () => {
      throw new RangeError('thrown by the listener')
    },
    'thrown by the listener',
  ],
  ['rejects', () => Promise.reject(new RangeError('thrown by the listener')), 'thrown by the listener'],
  [
    'throws a value that is not an error',
    () => {
      throw Object.create(null)
    },
    'An event listener threw [object Object]',
  ],
  ['rejects with undefined', () => Promise.reject(), 'An event listener threw undefined'],
]

describeAdapters('an event listener that fails', (adapter) => {
  it.each(FAILURES)(
    'fails the test, but not the request or the other listeners, if it %s',
    async (_, fail, message) => {
      const api = await openClient(adapter, { fixtures })
      const received: string[] = []
      api.mock.petstore.events.subscribe(fail)
      api.mock.petstore.events.subscribe(({ type }) => received.push(type))
      expect((await api.get('/pets/1')).status).toBe(200)
      expect(received).toEqual(['request'])
      await vi.waitFor(() => expect(() => api.mock.petstore.check()).toThrow(message), { timeout: 30_000 })
    },
  )

  it.each(FAILURES)('of a deleted sandbox does not affect the others, if it %s', async (_, fail, message) => {
    const { petstore } = (await openClient(adapter, { fixtures, maxSandboxes: 1 })).mock
    const ended: string[] = []
    petstore.sandboxes.open('a').events.subscribe(() => {}, fail as () => void)
    petstore.sandboxes.open('a').events.subscribe(
      () => {},
      () => ended.push('second'),
    )
    petstore.sandboxes.open('b')
    expect(ended).toEqual(['second'])
    await vi.waitFor(() => expect(() => petstore.check()).toThrow(message), { timeout: 30_000 })
  })
})
