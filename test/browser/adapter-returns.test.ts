import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { isFullRun } from '../support/full-run.js'
import { type SitePage, useAdapterSites } from './adapter-site.js'

const { openSite } = useAdapterSites()

interface StartedPage extends SitePage {
  /** The requests that reached the server. */
  readonly received: readonly string[]
  readonly workerScript: string
  /** Stops the worker, as a browser does after a while without work. */
  stopWorker(): Promise<void>
}

declare global {
  interface Window {
    /** Puts the page's monotonic clock forward, but not its timers, which do not run in a page that is hidden for long. */
    letPass(milliseconds: number): void
  }
}

/** Runs in the page, before its scripts. */
function addLetPass(): void {
  const now = performance.now.bind(performance)
  let passed = 0
  performance.now = () => now() + passed
  window.letPass = (milliseconds) => {
    passed += milliseconds
  }
}

async function openStarted(): Promise<StartedPage> {
  const { url, received, workerScript, openPage } = await openSite()
  const open = await openPage('/', (page) => page.addInitScript(addLetPass))
  expect(await open.start({ baseUrl: '/api' })).toBe('')
  await waitForKnownVersion(open.page)
  const session = await open.page.context().newCDPSession(open.page)
  let isStopped = false
  session.on('ServiceWorker.workerVersionUpdated', ({ versions }) => {
    const own = versions.filter(({ scriptURL }) => scriptURL.startsWith(`${url}/`))
    // The page may start it again at once, when it registers itself.
    if (own.some(({ runningStatus }) => runningStatus === 'stopped')) isStopped = true
  })
  await session.send('ServiceWorker.enable')
  return {
    ...open,
    received,
    workerScript,
    async stopWorker() {
      isStopped = false
      await session.send('ServiceWorker.stopAllWorkers')
      await expect.poll(() => isStopped).toBe(true)
    },
  }
}

/** Waits for the worker's response to the adapter's version check: it responds in order. */
function waitForKnownVersion(page: Page): Promise<void> {
  return page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        navigator.serviceWorker.addEventListener('message', ({ data }) => {
          if (data.type === 'INTEGRITY_CHECK_RESPONSE') resolve()
        })
        navigator.serviceWorker.controller?.postMessage('INTEGRITY_CHECK_REQUEST')
      }),
  )
}

/** Sends a request in the page's own event listener, as libraries do that refresh data when the page comes back. */
function requestOn(page: Page, type: string, api: 'fetch' | 'XMLHttpRequest'): Promise<string> {
  return page.evaluate(
    ([name, client]) =>
      new Promise<string>((resolve) => {
        const target = name === 'visibilitychange' ? document : window
        const send = () => {
          if (client === 'fetch') return resolve(fetch('/api/pets/1').then((response) => response.text()))
          const request = new XMLHttpRequest()
          request.onload = () => resolve(request.responseText)
          request.open('GET', 'api/pets/1')
          request.send()
        }
        target.addEventListener(name, send, { once: true })
        target.dispatchEvent(new Event(name))
      }),
    [type, api] as const,
  )
}

/** How long a request waits for a worker that does not respond. */
const CONFIRMATION_TIMEOUT_MS = 5000

describe('When the browser has stopped the worker of a hidden page', () => {
  it.each(['fetch', 'XMLHttpRequest'] as const)(
    'handles the first %s in a listener of an event of the page coming back, every time',
    async (api) => {
      const { page, received, stopWorker } = await openStarted()
      for (const type of ['visibilitychange', 'pageshow', 'focus', 'beforeunload']) {
        for (let count = 0; count < (isFullRun ? 5 : 1); count++) {
          await stopWorker()
          expect(await requestOn(page, type, api), type).toMatch(/^\{"id":1,/)
        }
      }
      expect(received).toEqual([])
    },
  )

  it('handles the first request of a page that is still hidden', async () => {
    const { fetch, page, received, stopWorker } = await openStarted()
    await page.evaluate(() => window.letPass(60_000))
    await stopWorker()
    expect((await fetch('/api/pets/1')).text).toMatch(/^\{"id":1,/)
    expect(received).toEqual([])
  })

  it('does not delay requests to other addresses', async () => {
    const { page, received, stopWorker } = await openStarted()
    await stopWorker()
    const results = await page.evaluate(async () => {
      window.dispatchEvent(new Event('focus'))
      const other = new Request('/other/thing', { method: 'POST', body: 'text' })
      const request = new XMLHttpRequest()
      request.open('GET', '/other/thing', false)
      request.send()
      return [await fetch(other).then(({ status }) => status), other.bodyUsed, request.status]
    })
    expect(results).toEqual([200, true, 200])
    expect(received).toEqual(['GET /other/thing', 'POST /other/thing'])
  })
})

/** Makes the worker unreachable, so that requests wait for it. */
async function disconnectWorker({ page }: SitePage): Promise<void> {
  await page.evaluate(() => {
    const { controller } = navigator.serviceWorker
    if (controller !== null) controller.postMessage = () => {}
    window.dispatchEvent(new Event('focus'))
  })
}

describe('A request that waits for the worker', () => {
  it('is sent as it was created', async () => {
    const { page, stopWorker } = await openStarted()
    await stopWorker()
    const result = await page.evaluate(async () => {
      window.dispatchEvent(new Event('focus'))
      const headers = new Headers({ 'content-type': 'application/json' })
      const init = { method: 'POST', headers, body: '{"name":"Rex","categoryId":1}' }
      const waiting = fetch(new URL('/api/pets', location.href), init)
      headers.delete('content-type')
      init.method = 'GET'
      const response = await waiting
      return [response.status, await response.json()]
    })
    expect(result).toEqual([201, { id: 73, name: 'Rex', categoryId: 1, status: 'available' }])
  })

  it('is rejected if it is invalid, as without a delay', async () => {
    const open = await openStarted()
    await disconnectWorker(open)
    const failures = await open.page.evaluate(async () => {
      const request = new XMLHttpRequest()
      request.open('GET', '/api/pets/1')
      request.send()
      let again = ''
      try {
        request.send()
      } catch (error) {
        again = (error as Error).name
      }
      return [await fetch('/api/pets', { method: 'GET', body: 'text' }).catch((error: Error) => error.name), again]
    })
    expect(failures).toEqual(['TypeError', 'InvalidStateError'])
  })

  it('can be aborted', async () => {
    const open = await openStarted()
    await disconnectWorker(open)
    const outcome = await open.page.evaluate(async () => {
      const aborter = new AbortController()
      const waiting = fetch('/api/pets/1', { signal: aborter.signal }).catch((error: Error) => error.name)
      aborter.abort()
      const request = new XMLHttpRequest()
      const events: string[] = []
      for (const name of ['load', 'error', 'abort', 'loadend']) request.addEventListener(name, () => events.push(name))
      request.open('GET', '/api/pets/1')
      request.send()
      request.abort()
      const late = await fetch('/api/pets/1', { signal: aborter.signal }).catch((error: Error) => error.name)
      return [await waiting, late, events]
    })
    expect(outcome).toEqual(['AbortError', 'AbortError', ['abort', 'loadend']])
  })

  it('is not sent after it is aborted', async ({ skip }) => {
    const open = await openStarted()
    skip(!open.workerScript.includes("PACKAGE_VERSION = '2."), 'requests do not wait with later versions of msw')
    await open.page.clock.install()
    await disconnectWorker(open)
    await open.page.evaluate(() => {
      const request = new XMLHttpRequest()
      request.open('GET', '/api/pets/1')
      request.send()
      request.abort()
    })
    const later = open.fetch('/api/pets/2')
    await open.page.clock.fastForward(CONFIRMATION_TIMEOUT_MS)
    expect((await later).status).toBe(200)
    expect(await open.page.evaluate(() => window.page.get('petstore').journal.total)).toBe(1)
  })

  it('is sent if the worker does not respond for seconds', async () => {
    const open = await openStarted()
    await open.page.clock.install()
    await disconnectWorker(open)
    const sent = open.fetch('/api/pets/1')
    await open.page.clock.fastForward(CONFIRMATION_TIMEOUT_MS)
    expect((await sent).status).toBe(200)
  })
})

it('restores fetch and XMLHttpRequest when it is stopped', async () => {
  const open = await (await openSite()).openPage()
  const take = () =>
    open.page.evaluate(() => {
      const { open: xhrOpen, send, abort } = XMLHttpRequest.prototype
      return [fetch, xhrOpen, send, abort].map((own) => /\[native code\]/.test(Function.prototype.toString.call(own)))
    })
  expect(await open.start({ baseUrl: '/api' })).toBe('')
  await waitForKnownVersion(open.page)
  await open.page.evaluate(() => window.page.get('petstore').stop())
  expect(await take()).toEqual([true, true, true, true])
})
