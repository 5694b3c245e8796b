import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type OpenPage, openContext, openPage } from '../support/adapter-browser.js'
import { type AdapterSite, openAdapterSite } from '../support/adapter-site.js'
import { findChromium } from '../support/chromium.js'

let browser: Browser
let site: AdapterSite

beforeAll(async () => {
  browser = await chromium.launch({ executablePath: findChromium() as string, args: ['--no-sandbox'] })
  site = await openAdapterSite()
})
beforeEach(() => {
  site.received.length = 0
})
afterAll(async () => {
  await browser?.close()
  site?.close()
})

interface StartedPage extends OpenPage {
  /** Stops the worker, as a browser does after a while without work. */
  stopWorker(): Promise<void>
}

declare global {
  interface Window {
    /** Puts the page's monotonic clock forward. */
    letPass(milliseconds: number): void
  }
}

async function openStarted(): Promise<StartedPage> {
  const context = await openContext(browser)
  await context.addInitScript(() => {
    const now = performance.now.bind(performance)
    let passed = 0
    performance.now = () => now() + passed
    window.letPass = (milliseconds) => {
      passed += milliseconds
    }
  })
  const open = await openPage(context, site)
  expect(await open.start({ baseUrl: '/api' })).toBe('')
  await waitForKnownVersion(open.page)
  const session = await context.newCDPSession(open.page)
  let isStopped = false
  session.on('ServiceWorker.workerVersionUpdated', ({ versions }) => {
    for (const { runningStatus } of versions) isStopped = runningStatus === 'stopped'
  })
  await session.send('ServiceWorker.enable')
  return {
    ...open,
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

const APIS = ['fetch', 'XMLHttpRequest'] as const

describe('When the browser has stopped the worker of a hidden page', () => {
  for (const api of APIS) {
    it.each(['visibilitychange', 'pageshow', 'focus', 'beforeunload'])(
      `handles the first ${api} in a listener of %s, every time`,
      async (type) => {
        const { page, stopWorker } = await openStarted()
        for (let count = 0; count < 5; count++) {
          await stopWorker()
          expect(await requestOn(page, type, api)).toMatch(/^\{"id":1,/)
        }
        expect(site.received).toEqual([])
      },
    )
  }

  it('handles the first request of a page that is still hidden', async () => {
    const { fetch, page, stopWorker } = await openStarted()
    await page.evaluate(() => window.letPass(60_000))
    await stopWorker()
    expect((await fetch('/api/pets/1')).text).toMatch(/^\{"id":1,/)
    expect(site.received).toEqual([])
  })

  it('does not delay requests to other addresses', async () => {
    const { page, stopWorker } = await openStarted()
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
    expect(site.received).toEqual(['GET /other/thing', 'POST /other/thing'])
  })
})

/** Makes the worker unreachable, so that requests wait for it. */
async function disconnectWorker({ page }: OpenPage): Promise<void> {
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
    skip(!site.workerScript.includes("PACKAGE_VERSION = '2."), 'requests do not wait with later versions of msw')
    const open = await openStarted()
    await disconnectWorker(open)
    const [later, total] = await open.page.evaluate(async () => {
      const request = new XMLHttpRequest()
      request.open('GET', '/api/pets/1')
      request.send()
      request.abort()
      const { status } = await fetch('/api/pets/2')
      return [status, window.page.get('petstore').journal.total]
    })
    expect([later, total]).toEqual([200, 1])
  })

  it('is sent if the worker does not respond for seconds', async () => {
    const open = await openStarted()
    await disconnectWorker(open)
    expect((await open.fetch('/api/pets/1')).status).toBe(200)
  })
})

it('restores fetch and XMLHttpRequest when it is stopped', async () => {
  const open = await openPage(await openContext(browser), site)
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
