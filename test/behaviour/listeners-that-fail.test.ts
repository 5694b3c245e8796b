import { expect, it, vi } from 'vitest'
import { describeAdapters } from '../support/adapters.js'
import { openClient, shop } from '../support/client.js'

const fixtures = shop([{ id: 1, name: 'Rex' }])

const FAILURES: [how: string, fail: () => unknown, message: string][] = [
  [
    'throws',
    () => {
      throw new RangeError('of the listener')
    },
    'of the listener',
  ],
  ['rejects', () => Promise.reject(new RangeError('of the listener')), 'of the listener'],
  [
    'throws something odd',
    () => {
      throw Object.create(null)
    },
    'An event listener threw [object Object]',
  ],
  ['rejects with nothing', () => Promise.reject(), 'An event listener threw undefined'],
]

describeAdapters('A listener that fails', (adapter) => {
  it.each(FAILURES)('fails the test, not the request or the other listeners, where it %s', async (_, fail, message) => {
    const api = await openClient(adapter, { fixtures })
    const heard: string[] = []
    api.mock.petstore.events.subscribe(fail)
    api.mock.petstore.events.subscribe(({ type }) => heard.push(type))
    expect((await api.get('/pets/1')).status).toBe(200)
    expect(heard).toEqual(['request'])
    await vi.waitFor(() => expect(() => api.mock.petstore.check()).toThrow(message))
  })

  it.each(FAILURES)('fails the test that arranges data or resets, where it %s', async (_, fail, message) => {
    const { petstore } = (await openClient(adapter, { fixtures })).mock
    const end = petstore.events.subscribe(fail)
    petstore.data.categories.create({ name: 'Birds' })
    end()
    await vi.waitFor(() => expect(() => petstore.check()).toThrow(message))
  })

  it.each(FAILURES)('of the end of a sandbox does not disturb the others, where it %s', async (_, fail, message) => {
    const { petstore } = (await openClient(adapter, { fixtures, maxSandboxes: 1 })).mock
    const ended: string[] = []
    petstore.sandboxes.get('a').events.subscribe(() => {}, fail as () => void)
    petstore.sandboxes.get('a').events.subscribe(
      () => {},
      () => ended.push('second'),
    )
    petstore.sandboxes.get('b')
    expect(ended).toEqual(['second'])
    await vi.waitFor(() => expect(() => petstore.check()).toThrow(message))
  })
})
