import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { useAdapterSites } from './adapter-site.js'

const POST = { method: 'POST', headers: { 'content-type': 'application/json' } }
const PET = { ...POST, body: '{"name":"Rex","categoryId":1}' }

const { openSite, useStartedPage } = useAdapterSites()

describe('In a page whose Content-Security-Policy forbids eval', () => {
  const opened = useStartedPage()

  it('works under a path, with its worker script there too', async () => {
    const site = await openSite()
    const { start, fetch, page } = await site.openPage('/app/')
    expect(await start({ baseUrl: '/app/api', worker: '/app/mockServiceWorker.js' })).toBe('')
    const location = await page.evaluate(async (init) => {
      const response = await window.fetch('/app/api/pets', init)
      return response.headers.get('location')
    }, PET)
    expect(location).toBe('/app/api/pets/73')
    expect((await fetch('/app/api/pets/73')).status).toBe(200)
    expect(site.received).toEqual([])
  })

  it('mocks two services side by side, which share nothing', async () => {
    const site = await openSite()
    const { fetch, page } = await site.openPage()
    await page.evaluate(() => window.page.startServices())
    const book = { ...POST, body: '{"title":"Emil"}' }
    expect(await fetch('/books/api/books', book)).toMatchObject({ status: 201, text: '{"id":3,"title":"Emil"}' })
    expect(await fetch('/books/api/books', { ...POST, body: '{"title":""}' })).toMatchObject({ status: 400 })
    expect(await fetch('/books/api/books/1', { method: 'DELETE' })).toMatchObject({ status: 409 })
    expect(await fetch('/pets/api/pets', PET)).toMatchObject({ status: 201 })
    expect(await fetch('/pets/api/books/1')).toMatchObject({ status: 404 })
    expect(await fetch('/books/api/pets/1')).toMatchObject({ status: 404 })
    expect(JSON.parse((await fetch('/books/api/__admin/journal')).text).total).toBe(4)
    expect((await fetch('/pets/api/__admin/reset', { method: 'POST' })).status).toBe(204)
    expect((await fetch('/books/api/books/3')).status).toBe(200)
    expect(site.received).toEqual([])
  })

  it('resolves relative addresses as the page does, against its base element', async () => {
    const site = await openSite()
    const { start, page } = await site.openPage('/shop/')
    await page.evaluate(() => document.head.append(Object.assign(document.createElement('base'), { href: '/' })))
    expect(await start({ baseUrl: 'api', worker: 'mockServiceWorker.js' })).toBe('')
    expect(await page.evaluate(async () => (await fetch('api/pets/1')).json())).toMatchObject({ id: 1 })
    expect(site.received).toEqual([])
  })

  it('handles only its own paths where the page is below the base address', async () => {
    const site = await openSite()
    const { start, fetch, page } = await site.openPage()
    expect(await start({ baseUrl: '/' })).toBe('')
    expect((await fetch('/icon.svg')).text).toContain('<svg')
    await fetch('/pets.html')
    expect(site.received.splice(0)).toEqual(['GET /pets.html'])
    const paths = ['/pets/1', '/sandbox/a/pets?limit=1', '/openapi.yaml', '/sandbox/a/__admin/health']
    for (const path of paths) expect((await fetch(path)).status).toBe(200)
    // Loads a script.
    await page.evaluate(() => window.page.get('petstore').openDashboard())
    await page.getByRole('region', { name: 'petstore-mock dashboard' }).getByText('Live', { exact: true }).waitFor()
    expect(site.received).toEqual([])
  })

  it('handles the requests of a module worker', async () => {
    const { page } = opened()
    const result = await page.evaluate(
      () =>
        new Promise<{ status: number }>((resolve) => {
          const worker = new Worker('/adapter-worker.js', { type: 'module' })
          worker.onmessage = ({ data }) => resolve(data)
          worker.postMessage('/api/pets/1')
        }),
    )
    expect(result).toMatchObject({ status: 200 })
  })

  it('accepts a streamed body and returns one', async () => {
    const { page } = opened()
    const result = await page.evaluate(async () => {
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          const encoder = new TextEncoder()
          controller.enqueue(encoder.encode('{"name":"Rex",'))
          controller.enqueue(encoder.encode('"categoryId":1}'))
          controller.close()
        },
      })
      const headers = { 'content-type': 'application/json' }
      // A stream requires `duplex`, which TypeScript does not know yet.
      const init = { method: 'POST', headers, body, duplex: 'half' } as RequestInit
      const created = await fetch('/api/pets', init)
      const reader = created.body?.pipeThrough(new TextDecoderStream()).getReader()
      let text = ''
      for (;;) {
        const { done, value } = (await reader?.read()) ?? { done: true }
        if (done) return [created.status, text]
        text += value
      }
    })
    expect(result).toEqual([201, '{"id":73,"name":"Rex","categoryId":1,"status":"available"}'])
  })

  it('fails a request as if offline for an invalid override, and prints the reason', async () => {
    const { page, printedErrors } = opened()
    const [failure, reason] = await page.evaluate(async () => {
      const petstore = window.page.get('petstore')
      petstore.override('listPets', () => ({ status: 200, body: [{} as never] }))
      const failed = await fetch('/api/pets').catch((error: Error) => error.name)
      try {
        petstore.check()
      } catch (error) {
        return [failed, (error as Error).message]
      }
      return [failed, '']
    })
    expect(failure).toBe('TypeError')
    await expect.poll(() => printedErrors).toHaveLength(1)
    expect(printedErrors.splice(0)).toEqual([
      expect.stringContaining('The override of listPets returned 200 with a body that violates the OpenAPI document'),
    ])
    expect(reason).toContain(
      'The override of listPets returned 200 with a body that violates the OpenAPI document: /0/',
    )
  })
})

describe('The console', () => {
  it('shows the base address once, also after a hot update', async () => {
    const { start, page } = await (await openSite()).openPage()
    const printed = recordConsole(page, 'info')
    expect(await start({ baseUrl: '/api' })).toBe('')
    expect(await start({ baseUrl: '/api' }, 'after the update')).toBe('')
    const { origin } = new URL(page.url())
    await expect.poll(() => printed).toEqual([`petstore-mock handles the requests of this page to ${origin}/api.`])
  })

  it('warns once of requests that just miss the base address, naming both', async () => {
    const { start, fetch, page, printedErrors } = await (await openSite()).openPage()
    expect(await start({ baseUrl: '/api' })).toBe('')
    for (const path of ['/pets', '/pets/1', '/api/api/pets', '/apii/pets', '/apii/pets/7', '/news']) await fetch(path)
    const { origin } = new URL(page.url())
    await expect.poll(() => printedErrors).toHaveLength(3)
    expect(printedErrors.splice(0)).toEqual([
      expect.stringContaining(`to ${origin}/api, but this page sends some to ${origin}.`),
      expect.stringContaining(`to ${origin}/api, but this page sends some to ${origin}/api/api.`),
      expect.stringContaining(`to ${origin}/api, but this page sends some to ${origin}/apii.`),
    ])
  })

  it('shows nothing of the mock if it is quiet, or stopped', async () => {
    const { start, fetch, page } = await (await openSite()).openPage()
    const printed = recordConsole(page, 'info')
    expect(await start({ baseUrl: '/api', quiet: true })).toBe('')
    await fetch('/pets')
    expect(await start({ baseUrl: '/v1' }, 'other')).toBe('')
    await page.evaluate(() => window.page.get('other').stop())
    await fetch('/v2/pets')
    await expect.poll(() => printed).toEqual([expect.stringContaining('/v1')])
  })
})

function recordConsole(page: Page, type: string): string[] {
  const texts: string[] = []
  page.on('console', (message) => {
    if (message.type() === type) texts.push(message.text())
  })
  return texts
}

describe('The worker script', () => {
  it('is reported missing, even if the server responds to every path with a page', async () => {
    const site = await openSite()
    site.setWorker(undefined)
    const { start } = await site.openPage()
    expect(await start({ baseUrl: '/api' })).toMatch(
      /^WORKER_UNUSABLE: There is no service worker script at http.*\/mockServiceWorker.js\. Run `npx petstore-mock init/,
    )
  })

  it('I13 is rejected if it belongs to another version of msw, and accepted once it is replaced', async () => {
    const site = await openSite()
    site.setWorker(site.workerScript.replace(/INTEGRITY_CHECKSUM = '.*'/, "INTEGRITY_CHECKSUM = 'old'"))
    const { start, fetch, reload } = await site.openPage()
    expect(await start({ baseUrl: '/api' })).toMatch(
      /^WORKER_UNUSABLE: .* belongs to another version of msw than the page\. .* init <dir>` again/,
    )
    site.setWorker(site.workerScript)
    await reload()
    expect(await start({ baseUrl: '/api' })).toBe('')
    expect((await fetch('/api/pets/1')).status).toBe(200)
  })

  it('is accepted once it is replaced, even if the browser restores the old one', async () => {
    const site = await openSite()
    site.setWorker(site.workerScript.replace(/INTEGRITY_CHECKSUM = '.*'/, "INTEGRITY_CHECKSUM = 'old'"))
    const { start, fetch, page } = await site.openPage()
    expect(await start({ baseUrl: '/api' })).toMatch(/^WORKER_UNUSABLE/)
    site.setWorker(site.workerScript)
    // As msw's worker does when its last page leaves. It keeps running while this page is open, but is not listed.
    await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.unregister())
    expect(await start({ baseUrl: '/api' })).toBe('')
    expect((await fetch('/api/pets/1')).status).toBe(200)
  })

  it('is rejected if its folder does not contain the page', async () => {
    const { start } = await (await openSite()).openPage()
    expect(await start({ baseUrl: '/api', worker: '/deep/mockServiceWorker.js' })).toMatch(
      /^WORKER_UNUSABLE: .* serves only pages below http.*\/deep\/, which this page is not/,
    )
  })
})
