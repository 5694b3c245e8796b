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

  it('survives a reload in mocks that share a worker of msw, and a hot update of them', async () => {
    const { fetch, page, reload, notices } = await (await openSite()).openPage()
    const start = () => page.evaluate(() => window.page.startServices({ keepState: true }))
    const arrange = (name: string) =>
      page.evaluate((given) => void window.page.get('petstore').data.pets.create({ name: given }), name)
    await start()
    await fetch('/books/api/books', { ...PET, body: '{"title":"Emil"}' })
    await arrange('Arranged')
    await reload()
    await start()
    expect((await fetch('/books/api/books/3')).text).toContain('Emil')
    expect((await fetch('/pets/api/pets/73')).text).toContain('Arranged')
    await arrange('Before the update')
    await start()
    expect(await page.evaluate(() => window.page.get('petstore').data.pets.find(74)?.name)).toBe('Before the update')
    // Leaving the page saves only the data of the mock that came last.
    await arrange('After the update')
    await reload()
    await start()
    expect((await fetch('/pets/api/pets/75')).text).toContain('After the update')
    await page.evaluate(() => window.page.get('petstore').stop())
    await arrange('After the stop')
    await reload()
    await start()
    expect([(await fetch('/pets/api/pets/75')).status, (await fetch('/pets/api/pets/76')).status]).toEqual([200, 404])
    expect(await notices()).toEqual([])
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
    ['that violates the rules', (text) => text.replace('\\"categoryId\\":1', '\\"categoryId\\":777'), /it is invalid/],
  ])('is discarded with a notice for a record %s', async (_, damage, notice) => {
    const { fetch, page, reload, start, notices } = await openStarted()
    await fetch('/api/pets', PET)
    // Leaving the page would save it again.
    await page.evaluate(() => window.page.get('petstore').stop())
    const text = await page.evaluate(() => sessionStorage.getItem('petstore-mock /api') ?? '')
    expect(damage(text)).not.toBe(text)
    await page.evaluate((damaged) => sessionStorage.setItem('petstore-mock /api', damaged), damage(text))
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

  it('is not saved while it is too large, with one notice', async () => {
    const { fetch, page, reload, start, notices } = await openStarted()
    const large = { ...PET, body: JSON.stringify({ name: 'x'.repeat(900_000), categoryId: 1 }) }
    for (let count = 0; count < 4; count++) await fetch('/api/pets', large)
    expect(await notices()).toEqual([expect.stringContaining('too large')])
    expect(await page.evaluate(() => sessionStorage.getItem('petstore-mock /api')?.length)).toBeLessThan(200)
    for (const id of [73, 74, 76]) await fetch(`/api/pets/${id}`, { method: 'DELETE' })
    await reload()
    expect(await start(OPTIONS)).toBe('')
    expect(await notices()).toEqual([])
    expect((await fetch('/api/pets/75')).status).toBe(200)
  })

  it('gives notice after the reload if data created without a request was too large', async () => {
    const { fetch, page, reload, start, notices } = await openStarted()
    await page.evaluate(() => {
      const { pets } = window.page.get('petstore').data
      for (let count = 0; count < 3; count++) pets.create({ name: 'x'.repeat(900_000) })
    })
    await reload()
    expect(await start(OPTIONS)).toBe('')
    expect(await notices()).toEqual([expect.stringContaining('it was too large')])
    expect((await fetch(CREATED)).status).toBe(404)
  })
})

describe('Kept faults, overrides, clock and snapshots', () => {
  it('survive a reload together, and a hot update', async () => {
    const { fetch, page, reload, start, notices } = await openStarted()
    await page.evaluate(() => {
      const petstore = window.page.get('petstore')
      petstore.snapshots.take('before')
      petstore.data.pets.create({ name: 'After' })
      petstore.override('getPet', { status: 404 }, { times: 1 })
      petstore.override('listPets', { status: 502, body: new Uint8Array([255, 0]) }, { raw: true })
      petstore.override('listOrders', ({ next }) => next())
      petstore.clock.freeze()
      petstore.clock.set('2030-12-06T00:00:00Z')
    })
    const observe = async (mock: string) => {
      const get = await fetch(CREATED)
      const again = await fetch(CREATED)
      const bytes = await page.evaluate(async () => [
        ...new Uint8Array(await (await window.fetch('/api/pets')).arrayBuffer()),
      ])
      const [now, operations] = await page.evaluate((name) => {
        const petstore = window.page.get(name)
        return [petstore.clock.state(), petstore.overrides.list().map(({ operation }) => operation)] as const
      }, mock)
      expect([get.status, again.status, bytes]).toEqual([404, 200, [255, 0]])
      expect(now).toEqual({ now: '2030-12-06T00:00:00.000Z', frozen: true, sunset: 'announce' })
      expect(operations).toEqual(['getPet', 'listPets'])
    }
    await reload()
    expect(await start(OPTIONS)).toBe('')
    await observe('petstore')
    await page.evaluate(() => window.page.get('petstore').override('getPet', { status: 404 }, { times: 1 }))
    expect(await start(OPTIONS, 'after the update')).toBe('')
    await observe('after the update')
    await page.evaluate(() => window.page.get('after the update').snapshots.restore('before'))
    expect((await fetch(CREATED)).status).toBe(404)
    expect(await notices()).toEqual([])
  })

  it('are not doubled by a page that sets them at every load', async () => {
    const { page, reload, start } = await openStarted()
    const set = () =>
      page.evaluate(() => {
        const { faults, override } = window.page.get('petstore')
        faults.add({ operation: 'listPets', status: 503, times: 1 })
        override('getPet', { status: 404 })
      })
    await set()
    await reload()
    expect(await start(OPTIONS)).toBe('')
    await set()
    const counts = await page.evaluate(() => {
      const { faults, overrides } = window.page.get('petstore')
      return [faults.list().length, overrides.list().length]
    })
    expect(counts).toEqual([1, 1])
  })

  it('are cleared by a reset, apart from snapshots', async () => {
    const { page, reload, start } = await openStarted()
    await page.evaluate(() => {
      const petstore = window.page.get('petstore')
      petstore.faults.add({ status: 503 })
      petstore.clock.advance('P1D')
      petstore.snapshots.take('kept')
      petstore.reset()
    })
    await reload()
    expect(await start(OPTIONS)).toBe('')
    const left = await page.evaluate(() => {
      const { faults, snapshots } = window.page.get('petstore')
      return [
        faults.list(),
        snapshots.list().map(({ name }) => name),
        sessionStorage.getItem('petstore-mock /api controls'),
      ]
    })
    expect(left).toEqual([[], ['kept'], null])
  })

  it.each(['controls', 'snapshots'])('are discarded with a notice if they are damaged: %s', async (part) => {
    const { fetch, page, reload, start, notices } = await openStarted()
    await fetch('/api/pets', PET)
    await page.evaluate((name) => {
      const petstore = window.page.get('petstore')
      petstore.faults.add({ operation: 'getPet', status: 503 })
      petstore.snapshots.take('kept')
      petstore.stop()
      const key = `petstore-mock /api ${name}`
      const damaged = (sessionStorage.getItem(key) ?? '').replace(/getPet|categoryId/, 'unknown')
      sessionStorage.setItem(key, damaged)
    }, part)
    await reload()
    expect(await start(OPTIONS)).toBe('')
    expect(await notices()).toEqual([expect.stringMatching(/discarded the saved .* because it is invalid/)])
    // The others are not affected.
    const left = await page.evaluate(() => {
      const { faults, snapshots } = window.page.get('petstore')
      return [faults.list().length, snapshots.list().length]
    })
    expect(left).toEqual(part === 'controls' ? [0, 1] : [1, 0])
    expect(await page.evaluate(() => window.page.get('petstore').data.pets.find(73)?.name)).toBe('Kept')
  })
})
