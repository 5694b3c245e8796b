import { expect, it } from 'vitest'
import type { Fixture } from '../../src/index.js'
import { describeAdapters, type RunningMock } from '../support/adapters.js'
import { expectResponse, openClient } from '../support/client.js'
import { type Item, operations, parseItems, parseLinks, selectItems } from '../support/operations.js'

const lists = operations.filter(({ id }) => id.startsWith('list'))
const PATHS = lists.map(({ path }) => path)

/** Every list with every order that the document declares for it. */
const orders = lists.flatMap(({ path, parameters }) =>
  (parameters.find(({ name }) => name === 'sort')?.schema.enum ?? []).map((sort) => [path, sort] as const),
)

const [BIG, BIGGER] = ['9007199254740992', '9007199254740993']
const [LEAST, MOST] = ['-9223372036854775808', '9223372036854775807']

/** Ids whose order as texts is not their order as numbers, equal values, and values that are missing. */
const ODD: Fixture = {
  categories: [
    { id: 10, name: 'Dogs', description: 'They bark' },
    { id: BIGGER, name: 'Cats' },
    { id: 9, name: 'Dogs' },
    { id: -3, name: 'Ants', description: 'They bark' },
    { id: BIG, name: 'Cats', description: 'Quiet' },
    { id: MOST, name: 'Élan 100% _*.' },
  ],
  pets: [
    { id: 100, name: 'Ada', categoryId: 10, status: 'sold' },
    { id: 10, name: 'Bo', categoryId: 9, status: 'available' },
    { id: 9, name: 'Cy', categoryId: BIGGER, status: 'pending' },
    { id: LEAST, name: 'Ada', categoryId: -3, status: 'available' },
    { id: -5, name: 'adam', categoryId: BIG, status: 'sold' },
    { id: MOST, name: 'Bo', categoryId: 10, status: 'available' },
    { id: BIG, name: 'Élan', categoryId: 9, status: 'available' },
    { id: BIGGER, name: 'Ada', categoryId: 9, status: 'pending' },
  ],
  inventory: [
    { petId: 10, quantity: 10, status: 'available' },
    { petId: 9, quantity: 0, status: 'pending' },
    { petId: LEAST, quantity: 9, status: 'available' },
    { petId: MOST, quantity: 10, status: 'available' },
    { petId: BIG, quantity: 2, status: 'available' },
  ],
  orders: [
    { id: 10, petId: 100, quantity: 2, shipDate: '2026-01-02T00:00:00+02:00', complete: true },
    { id: 9, petId: 9, quantity: 10, complete: false },
    { id: BIGGER },
    { id: BIG, petId: BIGGER, quantity: 9, shipDate: '2026-01-01T23:00:00.000Z' },
    { id: LEAST, petId: BIG, shipDate: '2026-01-01T22:00:00.000Z', complete: false },
    { id: 2, petId: 10, quantity: 10, shipDate: '2025-12-31T00:00:00.000Z', complete: true },
    { id: -1, petId: LEAST, quantity: 2, complete: true },
    { id: MOST, petId: 9, quantity: 1, complete: false },
  ],
}

async function readList(
  mock: RunningMock,
  target: string,
): Promise<{ items: Item[]; total: number; link: string | null }> {
  const response = await mock.fetch(target)
  const text = await response.text()
  expect(response.status, text).toBe(200)
  const total = Number(response.headers.get('x-total-count'))
  return { items: parseItems(text), total, link: response.headers.get('link') }
}

/** All items of the pages from this one on, each found through the link on the one before. */
async function follow(mock: RunningMock, target: string, relation: string): Promise<Item[][]> {
  const pages: Item[][] = []
  for (let next: string | undefined = target; next !== undefined; ) {
    const { items, link } = await readList(mock, next)
    pages.push(items)
    expect(pages.length).toBeLessThan(200)
    next = parseLinks(link)[relation]
  }
  return pages
}

/** A link's target without its page. */
function filtersOf(target: string): string[] {
  const asked = new URLSearchParams(target.slice(target.indexOf('?')))
  return [...asked].filter(([name]) => !['limit', 'offset'].includes(name)).map(([name, value]) => `${name}=${value}`)
}

describeAdapters('lists', (adapter) => {
  it('are all tried', () => {
    expect(PATHS).toEqual(['/pets', '/categories', '/store/orders', '/store/inventory'])
    expect(orders).toHaveLength(8 + 6 + 10 + 6)
  })

  it.each([
    ['/pets', 72],
    ['/categories', 10],
    ['/store/orders', 120],
    ['/store/inventory', 72],
  ])('show the first 20 of %s, and count all %i', async (path, total) => {
    const { mock } = await openClient(adapter)
    const all = (await follow(mock, `${path}?limit=100`, 'next')).flat()
    expect(all).toHaveLength(total)
    expect(await readList(mock, path)).toMatchObject({ items: all.slice(0, 20), total })
    expect(await readList(mock, `${path}?limit=100`)).toMatchObject({ items: all.slice(0, 100), total })
    expect(await readList(mock, `${path}?limit=1&offset=${total - 1}`)).toMatchObject({ items: all.slice(-1), total })
    expect(await readList(mock, `${path}?limit=3&offset=5`)).toMatchObject({ items: all.slice(5, 8), total })
    expect(await readList(mock, `${path}?offset=7`)).toMatchObject({ items: all.slice(7, 27), total })
  })

  it.each([
    [0, { first: 0, next: 20, last: 60 }],
    [20, { first: 0, prev: 0, next: 40, last: 60 }],
    [40, { first: 0, prev: 20, next: 60, last: 60 }],
    [60, { first: 0, prev: 40, last: 60 }],
  ])('link the page at %i of 72 items to the others', async (offset, expected) => {
    const { mock } = await openClient(adapter)
    const { link } = await readList(mock, `/pets?offset=${offset}&limit=20`)
    const targets = Object.entries(parseLinks(link)).map(([relation, target]) => {
      const [path, query] = target.split('?')
      const asked = new URLSearchParams(query)
      expect([path, asked.get('limit')]).toEqual(['/pets', '20'])
      return [relation, Number(asked.get('offset'))]
    })
    expect(Object.fromEntries(targets)).toEqual(expected)
  })

  it.each(PATHS)('link %s to nothing but itself where all is on one page', async (path) => {
    const { mock } = await openClient(adapter, { fixtures: ODD })
    const { link } = await readList(mock, path)
    expect(Object.keys(parseLinks(link)).sort()).toEqual(['first', 'last'])
  })

  it.each(PATHS)('lead through all of %s by next and back by prev, each item once', async (path) => {
    const { mock } = await openClient(adapter)
    const all = (await follow(mock, `${path}?limit=100`, 'next')).flat()
    const forth = await follow(mock, `${path}?limit=7`, 'next')
    expect(forth.flat()).toEqual(all)
    const { link } = await readList(mock, `${path}?limit=7`)
    const back = await follow(mock, parseLinks(link).last ?? '', 'prev')
    expect(back.toReversed()).toEqual(forth)
  })

  it.each([
    ['/pets', 'sort=-status&status=available&status=sold&name=o'],
    ['/pets', 'categoryId=1&sort=name'],
    ['/categories', 'sort=-name&name=s'],
    ['/store/orders', 'sort=-shipDate&complete=false'],
    ['/store/orders', 'sort=quantity&complete=true'],
    ['/store/inventory', 'sort=-quantity&maxQuantity=5&status=available'],
  ])('lead through %s?%s without losing the question', async (path, query) => {
    const { mock } = await openClient(adapter)
    const all = (await follow(mock, `${path}?limit=100`, 'next')).flat()
    const found = (await follow(mock, `${path}?${query}&limit=2`, 'next')).flat()
    expect(found).toEqual(selectItems(all, query))
    expect(found.length).toBeGreaterThan(2)
  })

  it('keep the declared parameters in every link, and no others', async () => {
    const { mock } = await openClient(adapter)
    const asked = ['status=available', 'status=pending', 'categoryId=1', 'name=a', 'sort=-name']
    const { link } = await readList(mock, `/pets?${asked.join('&')}&bogus=1&limit=2&offset=2&Status=x&limit[]=9`)
    const links = parseLinks(link)
    expect(Object.keys(links).sort()).toEqual(['first', 'last', 'next', 'prev'])
    for (const target of Object.values(links)) expect(filtersOf(target).sort()).toEqual(asked.toSorted())
  })

  it.each(['a&b=c', 'a b+c', '<a>, "b"; rel="next"', '100% é 한 🐕', '#?/\\', "'()*!"])(
    'keep the name %j in their links as it is',
    async (name) => {
      const pets = [1, 2, 3].map((id) => ({ id, name: `Pet ${name} ${id}`, categoryId: 1 }))
      const { mock } = await openClient(adapter, { fixtures: { categories: [{ id: 1, name: 'Dogs' }], pets } })
      const target = `/pets?name=${encodeURIComponent(name)}&limit=1`
      const { link, total } = await readList(mock, target)
      expect(total).toBe(3)
      for (const each of Object.values(parseLinks(link))) expect(filtersOf(each)).toEqual([`name=${name}`])
      expect((await follow(mock, target, 'next')).map(([item]) => item?.id)).toEqual(['1', '2', '3'])
    },
  )

  it('take a name as forms spell it, with a plus for a blank', async () => {
    const pets = ['a b', 'a+b', 'ab'].map((name, at) => ({ id: at + 1, name, categoryId: 1 }))
    const { mock } = await openClient(adapter, { fixtures: { categories: [{ id: 1, name: 'Dogs' }], pets } })
    for (const { id, name } of pets) {
      const { items } = await readList(mock, `/pets?${new URLSearchParams({ name })}`)
      expect(items.map((item) => item.id)).toEqual([String(id)])
    }
  })

  it.each(PATHS)('show nothing of %s past its end, and lead back', async (path) => {
    const { mock } = await openClient(adapter)
    const { total } = await readList(mock, path)
    for (const offset of [total, total + 1, 1_000_000, Number.MAX_SAFE_INTEGER]) {
      const page = await readList(mock, `${path}?offset=${offset}&limit=7`)
      expect(page).toMatchObject({ items: [], total })
      const { prev = '', next } = parseLinks(page.link)
      expect(next).toBeUndefined()
      expect((await readList(mock, prev)).items).not.toEqual([])
    }
  })

  it.each(PATHS)('show nothing of %s in an empty store', async (path) => {
    const { mock, get } = await openClient(adapter, { scenario: 'empty' })
    expectResponse(await get(path), 200, [])
    const { total, link } = await readList(mock, path)
    expect(total).toBe(0)
    expect(Object.keys(parseLinks(link)).filter((relation) => ['prev', 'next'].includes(relation))).toEqual([])
  })

  it.each(orders)('sort %s by %s', async (path, sort) => {
    for (const options of [{ fixtures: ODD }, {}]) {
      const { mock } = await openClient(adapter, options)
      const all = (await follow(mock, `${path}?limit=100`, 'next')).flat()
      const sorted = (await follow(mock, `${path}?limit=100&sort=${sort}`, 'next')).flat()
      expect(sorted).toEqual(selectItems(all, `sort=${sort}`))
    }
  })

  it.each([
    ['/pets', [LEAST, '-5', '9', '10', '100', BIG, BIGGER, MOST]],
    ['/categories', ['-3', '9', '10', BIG, BIGGER, MOST]],
    ['/store/orders', [LEAST, '-1', '2', '9', '10', BIG, BIGGER, MOST]],
    ['/store/inventory', [LEAST, '-5', '9', '10', '100', BIG, BIGGER, MOST]],
  ])('order %s by id as numbers, not as texts', async (path, ids) => {
    const { mock } = await openClient(adapter, { fixtures: ODD })
    const key = path === '/store/inventory' ? 'petId' : 'id'
    const read = async (query: string) => (await readList(mock, path + query)).items.map((item) => item[key])
    expect(await read('')).toEqual(ids)
    expect(await read(`?sort=${key}`)).toEqual(ids)
    expect(await read(`?sort=-${key}`)).toEqual(ids.toReversed())
  })

  it.each([
    ['/pets?sort=-name', [BIG, '-5', '9', '10', MOST, LEAST, '100', BIGGER]],
    ['/categories?sort=-description', ['-3', '10', BIG, '9', BIGGER, MOST]],
    ['/categories?sort=description', [BIG, '-3', '10', '9', BIGGER, MOST]],
    ['/store/orders?sort=shipDate', ['2', LEAST, '10', BIG, '-1', '9', BIGGER, MOST]],
    ['/store/orders?sort=-shipDate', [BIG, LEAST, '10', '2', '-1', '9', BIGGER, MOST]],
    ['/store/orders?sort=-quantity', ['2', '9', BIG, '-1', '10', MOST, LEAST, BIGGER]],
    ['/store/orders?sort=-complete', ['-1', '2', '10', LEAST, '9', MOST, BIG, BIGGER]],
    ['/store/orders?sort=petId', ['-1', '9', MOST, '2', '10', LEAST, BIG, BIGGER]],
  ])('put equal values in the order of ids and missing ones last: %s', async (target, ids) => {
    const { mock } = await openClient(adapter, { fixtures: ODD })
    expect((await readList(mock, target)).items.map(({ id }) => id)).toEqual(ids)
  })

  it.each([
    ['/pets?status=available', [LEAST, '10', BIG, MOST]],
    ['/pets?status=sold&status=pending', ['-5', '9', '100', BIGGER]],
    [
      '/pets?status=sold&status=pending&status=available&status=sold',
      [LEAST, '-5', '9', '10', '100', BIG, BIGGER, MOST],
    ],
    ['/pets?name=ADA', [LEAST, '-5', '100', BIGGER]],
    ['/pets?name=dam', ['-5']],
    ['/pets?name=%C3%A9LAN', [BIG]],
    ['/pets?name=', [LEAST, '-5', '9', '10', '100', BIG, BIGGER, MOST]],
    ['/pets?name=.*', []],
    ['/pets?name=%25', []],
    ['/pets?name=%20ada', []],
    [`/pets?categoryId=${BIG}`, ['-5']],
    [`/pets?categoryId=${BIGGER}`, ['9']],
    ['/pets?categoryId=-3', [LEAST]],
    ['/pets?categoryId=77', []],
    ['/pets?categoryId=9&status=available&name=a', [BIG]],
    ['/pets?categoryId=9&status=pending&status=available&sort=-id', [BIGGER, BIG, '10']],
    ['/categories?name=DOG', ['9', '10']],
    ['/categories?name=100%25', [MOST]],
    ['/categories?name=_*.', [MOST]],
    ['/store/orders?petId=9', ['9', MOST]],
    [`/store/orders?petId=${BIG}`, [LEAST]],
    ['/store/orders?complete=true', ['-1', '2', '10']],
    ['/store/orders?complete=false', [LEAST, '9', BIG, BIGGER, MOST]],
    ['/store/orders?petId=9&complete=false&sort=quantity', [MOST, '9']],
    ['/store/orders?petId=9&complete=true', []],
    ['/store/inventory?maxQuantity=2', ['-5', '9', '100', BIG, BIGGER]],
    ['/store/inventory?maxQuantity=9&status=available', [LEAST, BIG]],
    ['/store/inventory?maxQuantity=0&status=pending&status=sold&sort=status', ['9', '-5', '100']],
    ['/store/inventory?maxQuantity=-1', []],
  ])('show what passes every filter: %s', async (target, ids) => {
    const { mock } = await openClient(adapter, { fixtures: ODD })
    const { items, total } = await readList(mock, target)
    expect(items.map((item) => item.id ?? item.petId)).toEqual(ids)
    expect(total).toBe(ids.length)
  })
})
