import { createRequire } from 'node:module'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, onTestFinished } from 'vitest'

export interface TestBrowser {
  /**
   * Opens a blank page in the profile that all tests of a file share: a new one takes longer than most tests. Mocks and
   * sites have their own ports, so pages of different tests have different origins. The test closes the page.
   */
  openPage(): Promise<Page>
  /** Opens a page that all tests of a file share. */
  openSharedPage(): Promise<Page>
  /** Opens a new profile, which the test closes. */
  openProfile(): Promise<BrowserContext>
}

/** Enough for a page on a busy machine. It costs time only when a test fails. */
export const WAIT_MS = 60_000

/** Connects a test file to the browser of the run. */
export function useBrowser(): TestBrowser {
  let browser: Browser
  let shared: BrowserContext
  async function newProfile(): Promise<BrowserContext> {
    const profile = await browser.newContext()
    profile.setDefaultTimeout(WAIT_MS)
    return profile
  }
  beforeAll(async () => {
    browser = await chromium.connect(inject('browser'))
    shared = await newProfile()
    await openWindow(shared)
  })
  afterAll(() => browser?.close())
  return {
    async openPage() {
      const page = await shared.newPage()
      onTestFinished(() => page.close())
      return page
    },
    openSharedPage: () => shared.newPage(),
    async openProfile() {
      const profile = await newProfile()
      onTestFinished(() => profile.close())
      return profile
    },
  }
}

/**
 * Opens the profile's first page, which stays open, so that the following ones are tabs in its window. Otherwise Chromium
 * opens a window for each, and the user interface of a window costs more than most tests.
 */
async function openWindow(profile: BrowserContext): Promise<void> {
  await profile.newPage()
}

/** What Chromium prints about an error response. */
const ERROR_RESPONSE = /^Failed to load resource: the server responded with a status of [45]\d\d /

/** Makes the test fail if a page prints something, shows a dialog or sends a request to another origin. */
export function watchPage(page: Page, origin: string, expects?: RegExp): void {
  const problems: string[] = []
  page.on('console', (message) => {
    const text = message.text()
    if (!ERROR_RESPONSE.test(text) && !expects?.test(text)) problems.push(`${message.type()}: ${text}`)
  })
  page.on('pageerror', (error) => problems.push(String(error)))
  page.on('dialog', (dialog) => {
    problems.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('request', (request) => {
    const url = request.url()
    if (new URL(url).origin !== origin && !url.startsWith('data:')) problems.push(url)
  })
  onTestFinished(async () => {
    // Its last messages arrive before it is closed.
    await page.close()
    expect(problems).toEqual([])
  })
}

/** Adds axe to a page, or to all pages of a profile. As an init script, because their policy forbids foreign scripts. */
export function addAxe(pages: Page | BrowserContext): Promise<unknown> {
  return pages.addInitScript({ path: createRequire(import.meta.url).resolve('axe-core/axe.min.js') })
}

/**
 * The accessibility rules that a page violates, and where, and whether it is wider than the window: in a wide window in both
 * colour schemes, and in a narrow one, whose colours are the same. The window stays narrow, for what the test does next.
 */
export async function findViolations(page: Page): Promise<string[]> {
  const found: string[] = []
  for (const [width, colorScheme] of LOOKS) {
    await page.setViewportSize({ width, height: 800 })
    const violations = await findViolationsIn(page, colorScheme)
    found.push(...violations.map((violation) => `${colorScheme}, ${width} pixels: ${violation}`))
  }
  return found
}

const LOOKS = [
  [1280, 'light'],
  [1280, 'dark'],
  [360, 'light'],
] as const

/** The rules of axe that depend on the colour scheme. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block']

/** The same in one colour scheme, in the window as it is: in the dark one, only the rules about colours. */
async function findViolationsIn(page: Page, colorScheme: 'light' | 'dark'): Promise<string[]> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  return page.evaluate(runAxe, colorScheme === 'dark' ? COLOR_RULES : undefined)
}

/** Runs in the page. */
async function runAxe(runOnly?: string[]): Promise<string[]> {
  const { axe } = globalThis as unknown as { axe: typeof import('axe-core') }
  // The page learns of the colour scheme with the next frame, and some colours then change gradually.
  await new Promise(requestAnimationFrame)
  await Promise.allSettled(document.getAnimations().map(({ finished }) => finished))
  const { violations } = await axe.run({ resultTypes: ['violations'], ...(runOnly && { runOnly }) })
  const { scrollWidth, clientWidth } = document.documentElement
  return [
    ...violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`),
    ...(scrollWidth > clientWidth ? ['wider than the window'] : []),
  ]
}
