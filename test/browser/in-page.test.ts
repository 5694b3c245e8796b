import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { type BrowserOptions, type BrowserPetstore, setupPetstore } from '../../src/adapters/browser/index.js'
import { type Adapter, adapters } from '../support/adapters.js'
import { releaseWorker } from '../support/adapters-browser.js'
import { type Client, openClient } from '../support/client.js'

const BASE = 'https://petstore.test'

/** Starts a mock as an application does, and stops it when the test ends. */
async function start(options: BrowserOptions = {}): Promise<BrowserPetstore> {
  const petstore = setupPetstore({ baseUrl: BASE, validateResponses: true, ...options })
  onTestFinished(() => petstore.stop())
  await petstore.start()
  return petstore
}

/** Whether each request to a URL with this ending went through the service worker. */
function wentThroughWorker(ending: string): boolean[] {
  const timings = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
  return timings.filter(({ name }) => name.endsWith(ending)).map(({ workerStart }) => workerStart > 0)
}

// The browser stores only a few hundred.
beforeEach(() => performance.clearResourceTimings())

describe('the adapter of the suite', () => {
  const [, chromium] = adapters as [Adapter, Adapter]

  it.each([1, 2, 3])('sends every request through the service worker, with %i open', async (count) => {
    const clients: Client[] = []
    for (let opened = 0; opened < count; opened += 1) clients.push(await openClient(chromium))
    for (const { get } of clients) expect((await get('/pets/1?counted')).status).toBe(200)
    expect(wentThroughWorker('/pets/1?counted')).toEqual(clients.map(() => true))
    expect(clients.map(({ mock }) => mock.petstore.journal.total)).toEqual(clients.map(() => 1))
  })
})

describe('a mock that is started', () => {
  beforeAll(releaseWorker)

  it.each(['/', '/api', `${location.origin}/v1`, `${BASE}/v1/`])('handles requests to %s', async (baseUrl) => {
    const { data } = await start({ baseUrl })
    const { href, pathname } = new URL('pets', new URL(baseUrl.replace(/\/?$/, '/'), location.href))
    const response = await fetch(href, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"name":"Rex","categoryId":1}',
    })
    expect([response.status, response.headers.get('location')]).toEqual([201, `${pathname}/73`])
    expect(data.pets.find(73)).toEqual(await response.json())
    expect(wentThroughWorker(href)).toEqual([true])
  })

  it('does not handle other addresses', async () => {
    const { journal } = await start()
    expect(await (await fetch('/mockServiceWorker.js')).text()).toContain('INTEGRITY_CHECKSUM')
    await expect(fetch('https://elsewhere.invalid/pets')).rejects.toThrow('Failed to fetch')
    expect(journal.total).toBe(0)
  })

  it('handles no requests while it is stopped, and can be started again', async () => {
    const petstore = await start()
    expect((await fetch(`${BASE}/pets/1`)).status).toBe(200)
    petstore.stop()
    await expect(fetch(`${BASE}/pets/1`)).rejects.toThrow('Failed to fetch')
    await petstore.start()
    expect((await fetch(`${BASE}/pets/1`)).status).toBe(200)
    expect(petstore.journal.total).toBe(2)
  })

  it('throws the errors that were not reported when it is stopped, after it has stopped', async () => {
    const petstore = await start({ onError: () => {} })
    petstore.override('getPet', () => {
      throw new RangeError('swallowed')
    })
    await expect(fetch(`${BASE}/pets/1`)).rejects.toThrow('Failed to fetch')
    expect(() => petstore.stop()).toThrow('swallowed')
    petstore.overrides.clear()
    await expect(fetch(`${BASE}/pets/1`)).rejects.toThrow('Failed to fetch')
  })

  it('replaces the one before', async () => {
    const one = await start({ scenario: 'empty' })
    const other = await start()
    expect((await fetch(`${BASE}/pets/1`)).status).toBe(200)
    one.stop()
    expect((await fetch(`${BASE}/pets/1`)).status).toBe(200)
    expect([one.journal.total, other.journal.total]).toEqual([0, 2])
  })

  it('replaces one that is still starting', async () => {
    const starting = start({ scenario: 'empty' })
    const other = await start()
    const one = await starting
    expect((await fetch(`${BASE}/pets/1`)).status).toBe(200)
    expect([one.journal.total, other.journal.total]).toEqual([0, 1])
  })

  it('stays stopped if it is stopped while it starts', async () => {
    const petstore = setupPetstore({ baseUrl: BASE })
    const starting = petstore.start()
    petstore.stop()
    await starting
    onTestFinished(() => petstore.stop())
    await expect(fetch(`${BASE}/pets/1`)).rejects.toThrow('Failed to fetch')
  })
})
