import { expect, it } from 'vitest'
import { useAdapterSites } from './adapter-site.js'

const OPTIONS = { baseUrl: '/api', keepState: true }
const PET = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"name":"Kept","categoryId":1}' }

const { openSite } = useAdapterSites()

/** When the page is reloaded again. */
const MOMENTS = ['starting', 'with the script', 'started', 'requesting']

/** Runs in the page. A page that msw has reloaded in the meantime does not load the script: nothing starts the mock there. */
const hasWorkerScript = () => {
  const script = new URL('/mockServiceWorker.js', location.href).href
  return document.title !== 'starting' || performance.getEntriesByName(script).length > 0
}

/** msw reloads a page itself if the page was loaded before its worker was active, which may be at the same time. */
function ignoreReload(error: Error): void {
  if (!/because of a navigation|Not attached to an active page/.test(error.message)) throw error
}

/** The test fails if a page prints an error: an unhandled rejection, for example. */
it('survives 20 reloads in a row, during the start and after it, without a rejection and without losing state', async () => {
  const { fetch, page, reload, start, notices } = await (await openSite()).openPage()
  expect(await start(OPTIONS)).toBe('')
  await fetch('/api/pets', PET)
  await page.evaluate(() => {
    const petstore = window.page.get('petstore')
    petstore.faults.add({ operation: 'getPet', status: 503, times: 1 })
    petstore.data.pets.create({ name: 'Arranged' })
    return petstore.openDashboard()
  })
  for (let count = 0; count < 20; count++) {
    const moment = MOMENTS[count % MOMENTS.length]
    await expect.poll(() => reload().then(() => true, ignoreReload)).toBe(true)
    await page
      .evaluate(
        async ([options, moment]) => {
          document.title = 'starting'
          // As in an application, nothing handles a rejection.
          const starting = window.page.setUp('petstore', options).start()
          if (moment === 'started' || moment === 'requesting') await starting
          if (moment === 'requesting') void fetch('/api/store/orders').catch(() => {})
        },
        [OPTIONS, moment] as const,
      )
      .catch(ignoreReload)
    if (moment === 'with the script') await page.waitForFunction(hasWorkerScript).catch(ignoreReload)
  }
  await expect
    .poll(() =>
      reload()
        .then(() => start(OPTIONS))
        .catch(ignoreReload),
    )
    .toBe('')
  expect((await fetch('/api/pets/73')).status).toBe(503)
  expect((await fetch('/api/pets/73')).text).toContain('Kept')
  expect((await fetch('/api/pets/74')).text).toContain('Arranged')
  expect(await notices()).toEqual([])
})
