import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type OpenPage, openContext, openPage } from '../support/adapter-browser.js'
import { type AdapterSite, openAdapterSite } from '../support/adapter-site.js'
import { findChromium } from '../support/chromium.js'

const OPTIONS = { baseUrl: '/api', keepState: true }
const PET = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"name":"Kept","categoryId":1}' }
/** The first pet that a page creates. */
const CREATED = '/api/pets/73'

let browser: Browser
let site: AdapterSite

beforeAll(async () => {
  browser = await chromium.launch({ executablePath: findChromium() as string, args: ['--no-sandbox'] })
  site = await openAdapterSite()
})
afterAll(async () => {
  await browser?.close()
  site?.close()
})

async function openStarted(): Promise<OpenPage> {
  const open = await openPage(await openContext(browser), site)
  expect(await open.start(OPTIONS)).toBe('')
  return open
}

describe('State that is kept', () => {
  it('survives a reload, and the ids go on from there', async () => {
    const { fetch, reload, start, notices } = await openStarted()
    await fetch('/api/pets', PET)
    await fetch(CREATED, { method: 'DELETE' })
    await fetch('/api/pets', PET)
    await reload()
    expect(await start(OPTIONS)).toBe('')
    expect((await fetch(CREATED)).status).toBe(404)
    expect((await fetch('/api/pets/74')).text).toContain('Kept')
    expect((await fetch('/api/pets', PET)).text).toContain('"id":75')
    expect(await notices()).toEqual([])
  })

  it('survives a hot update, in which the page sets up another pet store', async () => {
    const { fetch, start } = await openStarted()
    await fetch('/api/pets', PET)
    expect(await start(OPTIONS, 'after the update')).toBe('')
    expect((await fetch(CREATED)).text).toContain('Kept')
    expect((await fetch('/api/pets', PET)).text).toContain('"id":74')
  })

  it('holds what was arranged without a request', async () => {
    const { fetch, page, reload, start } = await openStarted()
    await page.evaluate(() => window.page.get('petstore').data.pets.create({ name: 'Arranged' }))
    await reload()
    expect(await start(OPTIONS)).toBe('')
    expect((await fetch(CREATED)).text).toContain('Arranged')
  })

  it('holds that over a hot update and over a stop too', async () => {
    const { fetch, page, start } = await openStarted()
    const arrange = (store: string, name: string) =>
      page.evaluate(([key, given]) => void window.page.get(key).data.pets.create({ name: given }), [
        store,
        name,
      ] as const)
    await arrange('petstore', 'Arranged')
    expect(await start(OPTIONS, 'other')).toBe('')
    expect((await fetch(CREATED)).text).toContain('Arranged')
    await arrange('other', 'Before the stop')
    await page.evaluate(() => window.page.get('other').stop())
    await arrange('other', 'After the stop')
    await page.evaluate(() => window.page.get('other').start())
    const names = [await fetch('/api/pets/74'), await fetch('/api/pets/75')].map(({ text }) => JSON.parse(text).name)
    expect(names).toEqual(['Before the stop', 'After the stop'])
    // The first one again, which others have overtaken.
    await page.evaluate(() => window.page.get('petstore').start())
    expect((await fetch('/api/pets/75')).text).toContain('After the stop')
  })

  it('is cleared by a reset', async () => {
    const { fetch, page, reload, start } = await openStarted()
    await fetch('/api/pets', PET)
    await page.evaluate(() => window.page.get('petstore').reset())
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0)
    expect((await fetch(CREATED)).status).toBe(404)
    await reload()
    expect(await start(OPTIONS)).toBe('')
    expect((await fetch(CREATED)).status).toBe(404)
  })

  it('is left behind by a reset after a reload', async () => {
    const { fetch, page, reload, start } = await openStarted()
    await fetch('/api/pets', PET)
    await reload()
    expect(await start(OPTIONS)).toBe('')
    expect((await fetch(CREATED)).status).toBe(200)
    await page.evaluate(() => window.page.get('petstore').reset())
    expect((await fetch(CREATED)).status).toBe(404)
    expect((await fetch('/api/pets', PET)).text).toContain('"id":73')
  })

  it('is not kept unless it is asked for', async () => {
    const { fetch, page, reload, start } = await openStarted()
    await reload()
    expect(await start({ baseUrl: '/api' })).toBe('')
    await page.evaluate(() => sessionStorage.clear())
    await fetch('/api/pets', PET)
    await reload()
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0)
  })

  it('belongs to its tab', async () => {
    const context = await openContext(browser)
    const [one, other] = [await openPage(context, site), await openPage(context, site)]
    expect([await one.start(OPTIONS), await other.start(OPTIONS)]).toEqual(['', ''])
    await Promise.all(Array.from({ length: 10 }, () => one.fetch('/api/pets', PET)))
    expect((await other.fetch(CREATED)).status).toBe(404)
    await other.fetch('/api/categories', { ...PET, body: '{"name":"Birds"}' })
    await Promise.all([one.reload(), other.reload()])
    expect(await Promise.all([one.start(OPTIONS), other.start(OPTIONS)])).toEqual(['', ''])
    expect([(await one.fetch('/api/pets/82')).status, (await other.fetch(CREATED)).status]).toEqual([200, 404])
    const birds = [await one.fetch('/api/categories?name=Birds'), await other.fetch('/api/categories?name=Birds')]
    expect(birds.map(({ text }) => text.includes('"name":"Birds"'))).toEqual([false, true])
  })

  it.each<[string, (text: string) => string, RegExp]>([
    [
      'of another document',
      (text) => text.replace(/"specHash":"[^"]*"/, '"specHash":"0"'),
      /another version of the document/,
    ],
    ['that is broken', () => '{"specHash"', /cannot be read/],
    [
      'that the rules forbid',
      (text) => text.replace(/\\"categoryId\\": 1,/, '\\"categoryId\\": 777,'),
      /cannot be read/,
    ],
  ])('is dropped with a notice where there is a record %s', async (_, damage, notice) => {
    const { fetch, page, reload, start, notices } = await openStarted()
    await fetch('/api/pets', PET)
    // Leaving the page would write it anew.
    await page.evaluate(() => window.page.get('petstore').stop())
    const text = await page.evaluate(() => sessionStorage.getItem('petstore-mock') ?? '')
    expect(damage(text)).not.toBe(text)
    await page.evaluate((damaged) => sessionStorage.setItem('petstore-mock', damaged), damage(text))
    await reload()
    expect(await start(OPTIONS)).toBe('')
    expect(await notices()).toEqual([expect.stringMatching(notice)])
    expect((await fetch(CREATED)).status).toBe(404)
  })

  it('is dropped where the options describe another world', async () => {
    const { fetch, reload, start, notices } = await openStarted()
    await fetch('/api/pets', PET)
    await reload()
    expect(await start({ ...OPTIONS, scenario: 'single' })).toBe('')
    expect(await notices()).toEqual([expect.stringContaining('other options')])
    expect((await fetch('/api/pets')).text).not.toContain('Kept')
  })

  it('is not kept where there is too much of it, which is said once', async () => {
    const { fetch, page, notices } = await openStarted()
    const large = { ...PET, body: JSON.stringify({ name: 'x'.repeat(900_000), categoryId: 1 }) }
    for (let count = 0; count < 4; count++) await fetch('/api/pets', large)
    expect(await notices()).toEqual([expect.stringContaining('too much')])
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0)
  })
})
