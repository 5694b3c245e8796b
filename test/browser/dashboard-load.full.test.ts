import { type Browser, type CDPSession, chromium, type Page } from 'playwright-core'
import { expect, it, onTestFinished } from 'vitest'
import { type PetstoreServer, startServer } from '../../src/adapters/server/index.js'
import { every, monotonicTime } from '../../src/lib/clock.js'
import { findChromium } from '../support/chromium.js'
import { hideWelcome, requestRows, untilLive } from './dashboard.js'

const PER_SECOND = 1000

const SECONDS = 4

/** A longer task delays what people do so much that they notice. */
const MAX_TASK_MS = 100

/** The requests of a few seconds need several times as much if they are kept. */
const MAX_GROWTH_BYTES = 2_000_000

const SANDBOXES = Array.from({ length: 50 }, (_, index) => `tests-${index + 1}`)

/** Sends requests at a constant rate for some seconds. */
async function sendSteadily({ petstore }: PetstoreServer, seconds: number): Promise<void> {
  const total = PER_SECOND * seconds
  const startedAt = monotonicTime.now()
  let sent = 0
  await new Promise<void>((resolve) => {
    const stop = every(10, () => {
      const due = Math.min(total, ((monotonicTime.now() - startedAt) / 1000) * PER_SECOND)
      for (; sent < due; sent += 1) void petstore.fetch(`/pets/${(sent % 80) + 1}`)
      if (sent < total) return
      stop()
      resolve()
    })
    onTestFinished(stop)
  })
}

/** Not the browser that the tests share: all pages of a browser are traced together. */
async function openBrowser(): Promise<Browser> {
  const browser = await chromium.launch({ executablePath: findChromium() as string, args: ['--no-sandbox'] })
  onTestFinished(() => browser.close())
  return browser
}

interface TraceEvent {
  readonly name: string
  readonly pid: number
  readonly tid: number
  /** The CPU time in microseconds. */
  readonly tdur?: number
  readonly args: { readonly name?: string }
}

/**
 * Records the tasks of all pages. Returns a function that ends this, and resolves with the CPU time of each in milliseconds.
 * Not with a PerformanceObserver: on a busy machine a page waits for a core, and its tasks would seem longer than they are.
 */
async function traceTasks(session: CDPSession): Promise<() => Promise<number[]>> {
  const events: TraceEvent[] = []
  session.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as TraceEvent[])))
  const traceConfig = { includedCategories: ['toplevel'], excludedCategories: ['*'] }
  await session.send('Tracing.start', { traceConfig, transferMode: 'ReportEvents' })
  return async () => {
    const completed = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve))
    await session.send('Tracing.end')
    await completed
    const threadOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`
    const isMain = ({ name, args }: TraceEvent) => name === 'thread_name' && args.name === 'CrRendererMain'
    const mainThreads = new Set(events.filter(isMain).map(threadOf))
    const tasks = events.filter((event) => event.name.endsWith('RunTask') && mainThreads.has(threadOf(event)))
    return tasks.flatMap(({ tdur }) => (tdur === undefined ? [] : tdur / 1000))
  }
}

async function heapOf(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage')
  return (await session.send('Runtime.getHeapUsage')).usedSize
}

/** Filters the list until the time is over, and waits for the result each time. */
async function filterAllTheTime(page: Page, seconds: number): Promise<void> {
  const end = monotonicTime.now() + seconds * 1000
  const rows = requestRows(page)
  for (let times = 0; monotonicTime.now() < end; times += 1) {
    const path = `/pets/${(times % 7) + 1}1`
    await page.getByLabel('Search').fill(path)
    await expect.poll(() => rows.first().locator('.path').innerText()).toBe(path)
  }
  await page.getByLabel('Search').fill('')
}

it('stays responsive and bounded in memory with 1,000 requests a second and 50 sandboxes', {
  timeout: 300_000,
}, async () => {
  const server = await startServer({ port: 0 })
  onTestFinished(() => server.close())
  for (const name of SANDBOXES) await fetch(`${server.url}/sandbox/${name}/pets/1`)
  const browser = await openBrowser()
  const page = await browser.newPage()
  await page.addInitScript(hideWelcome)
  await page.goto(`${server.url}/__admin/#/requests`)
  await untilLive(page)
  await sendSteadily(server, 1)
  await page.getByText(`${PER_SECOND} requests`).waitFor()
  const session = await page.context().newCDPSession(page)
  const before = await heapOf(session)

  const endTrace = await traceTasks(await browser.newBrowserCDPSession())
  await Promise.all([sendSteadily(server, SECONDS), filterAllTheTime(page, SECONDS)])
  await page.getByText(`${PER_SECOND * (SECONDS + 1)} requests`).waitFor()
  const longest = Math.max(...(await endTrace()))
  const growth = (await heapOf(session)) - before
  expect(longest).toBeLessThan(MAX_TASK_MS)
  expect(growth).toBeLessThan(MAX_GROWTH_BYTES)

  const switcher = page.getByLabel('Sandbox')
  expect(await switcher.locator('option').count()).toBe(SANDBOXES.length + 2)
  await switcher.selectOption('tests-37')
  await page.waitForURL('**/sandbox/tests-37/__admin/#/requests')
  await expect.poll(() => requestRows(page).count()).toBe(1)
})
