import { createHash, X509Certificate } from 'node:crypto'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { beforeAll, expect, it, onTestFinished } from 'vitest'
import { startServer } from '../../src/adapters/server/index.js'
import { useTemporaryCache } from '../support/adapter-tls.js'
import { makeFolder } from '../support/certificates.js'
import { findChromium } from '../support/chromium.js'
import { useBrowser, watchPage } from './browser.js'
import { hideWelcome, requestRows, untilLive } from './dashboard.js'

/** More than the six connections that a browser opens to one origin over HTTP/1.1. */
const DASHBOARDS = 8

const browser = useBrowser()

beforeAll(useTemporaryCache)

async function startHttps() {
  const server = await startServer({ port: 0, https: true })
  onTestFinished(() => server.close())
  return { url: server.url, certificate: server.certificate as string }
}

/** Opens a browser that accepts one certificate, and checks all others as usual. */
async function openTrusting(certificate: string): Promise<BrowserContext> {
  const { publicKey } = new X509Certificate(certificate)
  const hash = createHash('sha256').update(publicKey.export({ type: 'spki', format: 'der' }))
  const profile = await chromium.launchPersistentContext(makeFolder(), {
    executablePath: findChromium() as string,
    args: ['--no-sandbox', `--ignore-certificate-errors-spki-list=${hash.digest('base64')}`],
  })
  onTestFinished(() => profile.close())
  await profile.addInitScript(hideWelcome)
  return profile
}

async function openDashboard(profile: BrowserContext, url: string): Promise<Page> {
  const page = await profile.newPage()
  watchPage(page, url)
  await page.goto(`${url}/__admin/#/requests`)
  return page
}

/** Runs in the page. */
function protocolOfPage(): string {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  return navigation?.nextHopProtocol ?? ''
}

it('eight dashboards of one browser are live at once over HTTP/2', async () => {
  const { url, certificate } = await startHttps()
  const profile = await openTrusting(certificate)
  const pages = await Promise.all(Array.from({ length: DASHBOARDS }, () => openDashboard(profile, url)))
  await Promise.all(pages.map(untilLive))
  expect(await Promise.all(pages.map((page) => page.evaluate(protocolOfPage)))).toEqual(pages.map(() => 'h2'))

  const sent = await pages[0]?.evaluate(async () => {
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ name: 'Rex', categoryId: 1 })
    const { status } = await fetch('/pets', { method: 'POST', headers, body })
    return { status, isSecure: isSecureContext }
  })
  expect(sent).toEqual({ status: 201, isSecure: true })
  for (const page of pages) {
    await expect.poll(() => requestRows(page).allInnerTexts()).toEqual([expect.stringMatching(/201\s+POST\s+\/pets/)])
  }
})

it('a browser that was not told to trust the certificate refuses it', async () => {
  const { url } = await startHttps()
  const page = await browser.openPage()
  await expect(page.goto(`${url}/__admin/`)).rejects.toThrow('ERR_CERT_AUTHORITY_INVALID')
})
