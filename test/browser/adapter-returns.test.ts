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
  /** Does what a browser does to a worker that had nothing to do while its page was hidden for long. */
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

/** Until what the adapter has asked the worker at its start was answered: answers come in the order of the questions. */
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

/** What the application asks for at once in a listener of its own, as libraries do that refresh what is shown. */
function askOn(page: Page, type: string, way: 'fetch' | 'XMLHttpRequest'): Promise<string> {
  return page.evaluate(
    ([name, means]) =>
      new Promise<string>((resolve) => {
        const target = name === 'visibilitychange' ? document : window
        const ask = () => {
          if (means === 'fetch') return resolve(fetch('/api/pets/1').then((response) => response.text()))
          const request = new XMLHttpRequest()
          request.onload = () => resolve(request.responseText)
          request.open('GET', 'api/pets/1')
          request.send()
        }
        target.addEventListener(name, ask, { once: true })
        target.dispatchEvent(new Event(name))
      }),
    [type, way] as const,
  )
}

const WAYS = ['fetch', 'XMLHttpRequest'] as const

describe('When the browser has stopped the worker, as it does while a page is hidden for long', () => {
  for (const way of WAYS) {
    it.each(['visibilitychange', 'pageshow', 'focus', 'beforeunload'])(
      `answers the first ${way} from a listener of %s, every time`,
      async (type) => {
        const { page, stopWorker } = await openStarted()
        for (let count = 0; count < 5; count++) {
          await stopWorker()
          expect(await askOn(page, type, way)).toMatch(/^\{"id":1,/)
        }
        expect(site.received).toEqual([])
      },
    )
  }

  it('answers the first request of a page that is still hidden', async () => {
    const { fetch, page, stopWorker } = await openStarted()
    await page.evaluate(() => window.letPass(60_000))
    await stopWorker()
    expect((await fetch('/api/pets/1')).text).toMatch(/^\{"id":1,/)
    expect(site.received).toEqual([])
  })

  it('leaves requests to other addresses alone', async () => {
    const { page, stopWorker } = await openStarted()
    await stopWorker()
    const answers = await page.evaluate(async () => {
      window.dispatchEvent(new Event('focus'))
      const other = new Request('/other/thing', { method: 'POST', body: 'text' })
      const request = new XMLHttpRequest()
      request.open('GET', '/other/thing', false)
      request.send()
      return [await fetch(other).then(({ status }) => status), other.bodyUsed, request.status]
    })
    expect(answers).toEqual([200, true, 200])
    expect(site.received).toEqual(['GET /other/thing', 'POST /other/thing'])
  })
})

/** The worker never answers, so what waits for it waits until the test goes on. */
async function deafen({ page }: OpenPage): Promise<void> {
  await page.evaluate(() => {
    const { controller } = navigator.serviceWorker
    if (controller !== null) controller.postMessage = () => {}
    window.dispatchEvent(new Event('focus'))
  })
}

describe('A request that waits for the worker', () => {
  it('is sent as it was when it was made', async () => {
    const { page, stopWorker } = await openStarted()
    await stopWorker()
    const answer = await page.evaluate(async () => {
      window.dispatchEvent(new Event('focus'))
      const headers = new Headers({ 'content-type': 'application/json' })
      const init = { method: 'POST', headers, body: '{"name":"Rex","categoryId":1}' }
      const waiting = fetch(new URL('/api/pets', location.href), init)
      headers.delete('content-type')
      init.method = 'GET'
      const response = await waiting
      return [response.status, await response.json()]
    })
    expect(answer).toEqual([201, { id: 73, name: 'Rex', categoryId: 1, status: 'available' }])
  })

  it('is refused as ever where it makes no sense', async () => {
    const open = await openStarted()
    await deafen(open)
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
    await deafen(open)
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

  it('is not sent after it was aborted', async ({ skip }) => {
    skip(!site.workerScript.includes("PACKAGE_VERSION = '2."), 'later versions of msw need not be waited for')
    const open = await openStarted()
    await deafen(open)
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

  it('goes on when the worker does not answer for seconds', async () => {
    const open = await openStarted()
    await deafen(open)
    expect((await open.fetch('/api/pets/1')).status).toBe(200)
  })
})

it('gives the page its own fetch and XMLHttpRequest back when it is stopped', async () => {
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
