import { describe, expect, it } from 'vitest'
import { type SitePage, useAdapterSites } from './adapter-site.js'

const OPTIONS = { baseUrl: '/api', keepState: true }
const PET = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"name":"Kept","categoryId":1}' }
/** The first pet that a page creates. */
const CREATED = '/api/pets/73'

const { openSite } = useAdapterSites()

async function openStarted(): Promise<SitePage> {
  const open = await (await openSite()).openPage()
  expect(await open.start(OPTIONS)).toBe('')
  return open
}

describe('Kept data', () => {
  it('survives a reload, and ids continue', async () => {
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

  it('survives a hot update, in which the page sets up another mock', async () => {
    const { fetch, start } = await openStarted()
    await fetch('/api/pets', PET)
    expect(await start(OPTIONS, 'after the update')).toBe('')
    expect((await fetch(CREATED)).text).toContain('Kept')
    expect((await fetch('/api/pets', PET)).text).toContain('"id":74')
  })

  it('includes changes without a request', async () => {
    const { fetch, page, reload, start } = await openStarted()
    await page.evaluate(() => window.page.get('petstore').data.pets.create({ name: 'Arranged' }))
    await reload()
    expect(await start(OPTIONS)).toBe('')
    expect((await fetch(CREATED)).text).toContain('Arranged')
  })

  it('includes such changes after a hot update and a stop', async () => {
    const { fetch, page, start } = await openStarted()
    const create = (mock: string, name: string) =>
      page.evaluate(([key, given]) => void window.page.get(key).data.pets.create({ name: given }), [
        mock,
        name,
      ] as const)
    await create('petstore', 'Arranged')
    expect(await start(OPTIONS, 'other')).toBe('')
    expect((await fetch(CREATED)).text).toContain('Arranged')
    await create('other', 'Before the stop')
    await page.evaluate(() => window.page.get('other').stop())
    await create('other', 'After the stop')
    await page.evaluate(() => window.page.get('other').start())
    const names = [await fetch('/api/pets/74'), await fetch('/api/pets/75')].map(({ text }) => JSON.parse(text).name)
    expect(names).toEqual(['Before the stop', 'After the stop'])
    // The first mock again, whose data is older than the saved data.
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

  it('is discarded by a reset after a reload', async () => {
    const { fetch, page, reload, start } = await openStarted()
    await fetch('/api/pets', PET)
    await reload()
    expect(await start(OPTIONS)).toBe('')
    expect((await fetch(CREATED)).status).toBe(200)
    await page.evaluate(() => window.page.get('petstore').reset())
    expect((await fetch(CREATED)).status).toBe(404)
    expect((await fetch('/api/pets', PET)).text).toContain('"id":73')
  })

  it('is not saved by default', async () => {
    const { fetch, page, reload, start } = await openStarted()
    await reload()
    expect(await start({ baseUrl: '/api' })).toBe('')
    await page.evaluate(() => sessionStorage.clear())
    await fetch('/api/pets', PET)
    await reload()
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0)
  })

  it('belongs to one tab', async () => {
    const { openPage } = await openSite()
    const [one, other] = [await openPage(), await openPage()]
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
      'of another OpenAPI document',
      (text) => text.replace(/"specHash":"[^"]*"/, '"specHash":"0"'),
      /the OpenAPI document has changed/,
    ],
    ['that is incomplete', () => '{"specHash"', /it is invalid/],
    [
      'that violates the rules',
      (text) => text.replace(/\\"categoryId\\": 1,/, '\\"categoryId\\": 777,'),
      /it is invalid/,
    ],
  ])('is discarded with a notice for a record %s', async (_, damage, notice) => {
    const { fetch, page, reload, start, notices } = await openStarted()
    await fetch('/api/pets', PET)
    // Leaving the page would save it again.
    await page.evaluate(() => window.page.get('petstore').stop())
    const text = await page.evaluate(() => sessionStorage.getItem('petstore-mock') ?? '')
    expect(damage(text)).not.toBe(text)
    await page.evaluate((damaged) => sessionStorage.setItem('petstore-mock', damaged), damage(text))
    await reload()
    expect(await start(OPTIONS)).toBe('')
    expect(await notices()).toEqual([expect.stringMatching(notice)])
    expect((await fetch(CREATED)).status).toBe(404)
  })

  it('is discarded if the options describe other starting data', async () => {
    const { fetch, reload, start, notices } = await openStarted()
    await fetch('/api/pets', PET)
    await reload()
    expect(await start({ ...OPTIONS, scenario: 'single' })).toBe('')
    expect(await notices()).toEqual([expect.stringContaining('the options have changed')])
    expect((await fetch('/api/pets')).text).not.toContain('Kept')
  })

  it('is not saved if it is too large, with one notice', async () => {
    const { fetch, page, notices } = await openStarted()
    const large = { ...PET, body: JSON.stringify({ name: 'x'.repeat(900_000), categoryId: 1 }) }
    for (let count = 0; count < 4; count++) await fetch('/api/pets', large)
    expect(await notices()).toEqual([expect.stringContaining('too large')])
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0)
  })
})
