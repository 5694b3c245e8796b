import { beforeEach, describe, expect, it, vi } from 'vitest'
import { createSavedState } from '../../src/adapters/browser/saved-state.js'
import { stringifyJson } from '../../src/lib/json.js'
import type { PetstoreOptions } from '../../src/petstore/options.js'
import { createPetstoreMock, petstoreService } from '../../src/petstore/service.js'

// What a session storage is needed for. In a page: test/browser/adapter-state.test.ts.

const stored = new Map<string, string>()

beforeEach(() => {
  stored.clear()
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, text: string) => void stored.set(key, text),
    removeItem: (key: string) => void stored.delete(key),
  })
  return () => vi.unstubAllGlobals()
})

/** A page that keeps the state of its mock. */
async function openPage(options: PetstoreOptions = {}, baseUrl = '/api') {
  const { mock: petstore, saved } = createPetstoreMock(options)
  await petstore.ready
  const notices: string[] = []
  const state = createSavedState({
    service: petstoreService,
    mock: petstore,
    saved,
    options,
    baseUrl,
    onNotice: (notice) => notices.push(notice),
  })
  state.restore()
  state.follow()
  return { petstore, notices, save: state.save }
}

type Petstore = Awaited<ReturnType<typeof openPage>>['petstore']

/** Changes, deletes and creates records, and uses up ids. */
function change({ data }: Petstore): void {
  data.pets.update(2, { name: 'Renamed', stock: 9 })
  data.pets.delete(data.pets.create({ name: 'Gone' }).id)
  const { id } = data.pets.create({ name: 'Kept', categoryId: 1 })
  data.orders.create({ petId: id, quantity: 1 })
  data.orders.delete(data.orders.all().find(({ complete }) => !complete)?.id as number)
}

const stateOf = (petstore: Petstore) => stringifyJson(petstore.exportState())

describe('kept data', () => {
  it('is that of each base URL, if an origin has several mocks', async () => {
    const first = await openPage({ seed: 1 }, '/api')
    const other = await openPage({ seed: 2 }, 'https://other.example/v1')
    first.petstore.data.pets.update(1, { name: 'First' })
    other.petstore.data.pets.update(1, { name: 'Other' })
    for (const page of [first, other]) page.save()
    const again = [await openPage({ seed: 1 }, '/api'), await openPage({ seed: 2 }, 'https://other.example/v1')]
    expect(again.map(({ petstore }) => petstore.data.pets.find(1)?.name)).toEqual(['First', 'Other'])
    expect(again.flatMap(({ notices }) => notices)).toEqual([])
  })

  it('takes the space of what was changed, however large the starting data is', async () => {
    const options = { pets: 3000, orders: 300 }
    const first = await openPage(options)
    change(first.petstore)
    first.save()
    expect(stored.get('petstore-mock /api')?.length).toBeLessThan(2000)
    const second = await openPage(options)
    expect(stateOf(second.petstore)).toBe(stateOf(first.petstore))
    // What was restored is still compared with the starting data.
    second.petstore.data.pets.create({ name: 'Later' })
    second.save()
    expect(stored.get('petstore-mock /api')?.length).toBeLessThan(2000)
    const third = await openPage(options)
    expect(stateOf(third.petstore)).toBe(stateOf(second.petstore))
    expect([first.notices, second.notices, third.notices]).toEqual([[], [], []])
  })

  it('takes no space if nothing was changed', async () => {
    const { petstore, save } = await openPage()
    save()
    expect([...stored.keys()]).toEqual([])
    petstore.data.pets.delete(petstore.data.pets.create().id)
    save()
    expect([...stored.keys()]).toEqual(['petstore-mock /api'])
    expect((await openPage()).petstore.data.pets.create().id).toBe(petstore.data.pets.create().id)
  })

  it('is complete after other data was imported, loaded or chosen', async () => {
    for (const replace of [
      (petstore: Petstore) => petstore.importState({ categories: [{ id: 7, name: 'Birds' }] }),
      (petstore: Petstore) => petstore.load({ categories: [{ id: 8, name: 'Fish' }] }),
      (petstore: Petstore) => petstore.reset({ scenario: 'single' }),
    ]) {
      const { petstore, save } = await openPage()
      await replace(petstore)
      petstore.data.categories.create({ name: 'More' })
      save()
      expect(stateOf((await openPage()).petstore)).toBe(stateOf(petstore))
    }
  })

  it.each<[string, PetstoreOptions]>([
    ['the delay', { delay: 5 }],
    ['the sunset mode', { sunset: 'enforce' }],
    ['a limit', { maxBodyBytes: 500 }],
    ['the starting data', { fixtures: { categories: [{ id: 1, name: 'Dogs' }] } }],
  ])('is discarded if an option has changed: %s', async (_, options) => {
    const first = await openPage()
    change(first.petstore)
    first.petstore.faults.add({ status: 503 })
    first.save()
    const second = await openPage(options)
    expect(second.notices).toEqual([
      'petstore-mock discarded the saved data of this tab, because the options have changed.',
      'petstore-mock discarded the saved state of faults, overrides and clock of this tab, because the options have changed.',
    ])
    expect(second.petstore.faults.list()).toEqual([])
    expect(stateOf(second.petstore)).toBe(stateOf((await openPage(options)).petstore))
  })

  it('names the limit and what to do if it is too large', async () => {
    const { petstore, notices, save } = await openPage()
    petstore.data.pets.createMany(3, () => ({ name: 'x'.repeat(900_000) }))
    save()
    const limit = 'The limit is 2,000,000 characters. Reset the mock, or put data into the option fixtures'
    expect(notices).toEqual([expect.stringMatching(/too large: 2,7\d\d,\d{3} characters\. /)])
    expect(notices[0]).toContain(limit)
    expect((await openPage()).notices).toEqual([expect.stringContaining(`it was too large. ${limit}`)])
  })

  it('says that the storage is full or blocked', async () => {
    const { petstore, notices, save } = await openPage()
    petstore.data.pets.create()
    sessionStorage.setItem = () => {
      throw new Error('QuotaExceededError')
    }
    save()
    expect(notices).toEqual([
      'petstore-mock cannot save its data, because the session storage of this tab is full or blocked.',
    ])
  })
})

describe('kept snapshots', () => {
  it('have large ids exactly, and only what differs from the starting data', async () => {
    const options = { scenario: 'big-ids' } as const
    const { petstore, save } = await openPage(options)
    const before = stateOf(petstore)
    petstore.snapshots.take('first')
    petstore.data.pets.create({ name: 'Later' })
    petstore.snapshots.take('second')
    save()
    const { petstore: other } = await openPage(options)
    expect(other.snapshots.list()).toEqual(petstore.snapshots.list())
    other.snapshots.restore('first')
    expect(stateOf(other)).toBe(before)
    other.snapshots.restore('second')
    expect(stateOf(other)).toBe(stateOf(petstore))
    expect(stored.get('petstore-mock /api snapshots')?.length).toBeLessThan(1000)
  })

  it('are discarded all together if one is invalid', async () => {
    const { petstore, save } = await openPage()
    petstore.snapshots.take('first')
    petstore.data.pets.create({ name: 'Later', categoryId: 1 })
    petstore.snapshots.take('second')
    save()
    const text = stored.get('petstore-mock /api snapshots') ?? ''
    stored.set('petstore-mock /api snapshots', text.replace('\\"categoryId\\":1', '\\"categoryId\\":777'))
    const { petstore: other, notices } = await openPage()
    expect(notices).toEqual([expect.stringContaining('it is invalid.')])
    expect(other.snapshots.list()).toEqual([])
  })
})
