import { describe, expect, it } from 'vitest'
import type { FaultRule } from '../../src/index.js'
import { VERY_LONG_MS } from '../support/faults.js'
import { useAdapterSites } from './adapter-site.js'

const opened = useAdapterSites().useStartedPage()

// What fetch gets is tested in fault-kinds.wire.test.ts.
describe('fetch in a page', () => {
  it('can abort a slow body', async () => {
    await addFault({ kind: 'slow', delayMs: VERY_LONG_MS })
    const outcome = await opened().page.evaluate(async () => {
      const aborter = new AbortController()
      const response = await fetch('/api/pets/1', { signal: aborter.signal })
      const reader = response.body?.getReader()
      const first = await reader?.read()
      const next = reader?.read().catch((error: Error) => error.name)
      aborter.abort()
      return [response.status, (first?.value?.length ?? 0) > 0, await next]
    })
    expect(outcome).toEqual([200, true, 'AbortError'])
  })

  it('that is aborted at once does not use up a fault, as when React starts an effect twice', async () => {
    await addFault({ operation: 'getPet', status: 503, times: 1 })
    const outcome = await opened().page.evaluate(async () => {
      const startEffect = (request: (signal: AbortSignal) => Promise<Response>) => {
        const aborter = new AbortController()
        const status = request(aborter.signal).then(
          (response) => response.status,
          (error: Error) => error.name,
        )
        return { status, cleanUp: () => aborter.abort() }
      }
      const first = startEffect((signal) => fetch('/api/pets/1', { signal }))
      first.cleanUp()
      const again = startEffect((signal) => fetch(new Request('/api/pets/1', { signal })))
      again.cleanUp()
      const second = startEffect((signal) => fetch('/api/pets/1', { signal }))
      return [await first.status, await again.status, await second.status, (await fetch('/api/pets/1')).status]
    })
    expect(outcome).toEqual(['AbortError', 'AbortError', 503, 200])
  })

  it.each<[FaultRule]>([[{ kind: 'timeout', times: 1 }], [{ delayMs: VERY_LONG_MS, times: 1 }]])(
    'waits under %j until it is aborted, while other requests get responses',
    async (rule) => {
      await addFault(rule)
      const outcome = await opened().page.evaluate(async () => {
        const aborter = new AbortController()
        let settled = false
        const waiting = fetch('/api/pets/1', { signal: aborter.signal })
          .then(String, (error: Error) => error.name)
          .finally(() => {
            settled = true
          })
        const { faults } = window.page.get('petstore')
        while (faults.list()[0]?.applied !== 1) await new Promise(requestAnimationFrame)
        const other = await fetch('/api/pets/1')
        const before = settled
        aborter.abort()
        return [other.status, before, await waiting]
      })
      expect(outcome).toEqual([200, false, 'AbortError'])
    },
  )
})

it('XMLHttpRequest in a page ends with the event that fits the fault', async () => {
  const expected: [FaultRule, status: number, event: string][] = [
    [{ kind: 'reset' }, 0, 'error'],
    // Chromium reports an error only if the body comes from a server, not from a service worker.
    [{ kind: 'truncate' }, 0, 'abort'],
    [{ kind: 'malformed' }, 200, 'load'],
    [{ kind: 'slow', delayMs: 20 }, 200, 'load'],
    [{ kind: 'timeout' }, 0, 'timeout'],
    [{ delayMs: VERY_LONG_MS }, 0, 'timeout'],
  ]
  const ended: unknown[] = []
  for (const [rule, , event] of expected) {
    await opened().page.evaluate(() => window.page.get('petstore').reset())
    await addFault(rule)
    ended.push([rule, ...(await endOfXhr(event === 'timeout' ? 50 : 0))])
  }
  expect(ended).toEqual(expected)
})

/** The status of a request, and the events that it ends with. */
function endOfXhr(timeout: number): Promise<unknown[]> {
  return opened().page.evaluate(async (given) => {
    const request = new XMLHttpRequest()
    request.open('GET', '/api/pets/1')
    request.timeout = given
    const events: string[] = []
    for (const name of ['load', 'error', 'timeout', 'abort']) request.addEventListener(name, () => events.push(name))
    await new Promise((resolve) => {
      request.onloadend = resolve
      request.send()
    })
    return [request.status, ...events]
  }, timeout)
}

function addFault(rule: FaultRule): Promise<void> {
  return opened().page.evaluate((given) => void window.page.get('petstore').faults.add(given), rule)
}
