import { expect, it } from 'vitest'
import type { Fixture } from '../../src/index.js'
import { describeAdapters, type RunningMock } from '../support/adapters.js'
import { forEachCase, sampleFor } from '../support/cases.js'
import { expectResponse, openClient } from '../support/client.js'
import { type Item, operations, parseItems, parseLinks, selectItems } from '../support/operations.js'

const lists = operations.filter(({ id }) => id.startsWith('list'))
const PATHS = lists.map(({ path }) => path)

/** Every list with each of its declared sort orders. */
const sortOrders = lists.flatMap(({ path, parameters }) =>
  (parameters.find(({ name }) => name === 'sort')?.schema.enum ?? []).map((sort) => [path, sort] as const),
)

const [BIG, BIGGER] = ['9007199254740992', '9007199254740993']
const [MIN, MAX] = ['-9223372036854775808', '9223372036854775807']

/** Ids that sort differently as strings and as numbers, equal values, and missing values. */
const ODD: Fixture = {
  categories: [
    { id: 10, name: 'Dogs', description: 'They bark' },
    { id: BIGGER, name: 'Cats' },
    { id: 9, name: 'Dogs' },
    { id: -3, name: 'Ants', description: 'They bark' },
    { id: BIG, name: 'Cats', description: 'Quiet' },
    { id: MAX, name: 'Élan 100% _*.' },
  ],
  pets: [
    { id: 100, name: 'Ada', categoryId: 10, status: 'sold' },
    { id: 10, name: 'Bo', categoryId: 9, status: 'available' },
    { id: 9, name: 'Cy', categoryId: BIGGER, status: 'pending' },
    { id: MIN, name: 'Ada', categoryId: -3, status: 'available' },
    { id: -5, name: 'adam', categoryId: BIG, status: 'sold' },
    { id: MAX, name: 'Bo', categoryId: 10, status: 'available' },
    { id: BIG, name: 'Élan', categoryId: 9, status: 'available' },
    { id: BIGGER, name: 'Ada', categoryId: 9, status: 'pending' },
  ],
  inventory: [
    { petId: 10, quantity: 10, status: 'available' },
    { petId: 9, quantity: 0, status: 'pending' },
    { petId: MIN, quantity: 9, status: 'available' },
    { petId: MAX, quantity: 10, status: 'available' },
    { petId: BIG, quantity: 2, status: 'available' },
  ],
  orders: [
    { id: 10, petId: 100, quantity: 2, shipDate: '2026-01-02T00:00:00+02:00', complete: true },
    { id: 9, petId: 9, quantity: 10, complete: false },
    { id: BIGGER },
    { id: BIG, petId: BIGGER, quantity: 9, shipDate: '2026-01-01T23:00:00.000Z' },
    { id: MIN, petId: BIG, shipDate: '2026-01-01T22:00:00.000Z', complete: false },
    { id: 2, petId: 10, quantity: 10, shipDate: '2025-12-31T00:00:00.000Z', complete: true },
    { id: -1, petId: MIN, quantity: 2, complete: true },
    { id: MAX, petId: 9, quantity: 1, complete: false },
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

/** Follows a link relation from page to page. Returns the items of each page. */
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

/** The parameters of a link, without those of the page. */
function filtersOf(target: string): string[] {
  const parameters = new URLSearchParams(target.slice(target.indexOf('?')))
  return [...parameters]
    .filter(([name]) => !['limit', 'offset'].includes(name))
    .map(([name, value]) => `${name}=${value}`)
}

/** Queries of `ODD`, and the ids of the items they match. */
const FILTERS: readonly (readonly [target: string, ids: readonly string[]])[] = [
  ['/pets?status=available', [MIN, '10', BIG, MAX]],
  ['/pets?status=sold&status=pending', ['-5', '9', '100', BIGGER]],
  ['/pets?status=sold&status=pending&status=available&status=sold', [MIN, '-5', '9', '10', '100', BIG, BIGGER, MAX]],
  ['/pets?name=ADA', [MIN, '-5', '100', BIGGER]],
  ['/pets?name=dam', ['-5']],
  ['/pets?name=%C3%A9LAN', [BIG]],
  ['/pets?name=', [MIN, '-5', '9', '10', '100', BIG, BIGGER, MAX]],
  ['/pets?name=.*', []],
  ['/pets?name=%25', []],
  ['/pets?name=%20ada', []],
  [`/pets?categoryId=${BIG}`, ['-5']],
  [`/pets?categoryId=${BIGGER}`, ['9']],
  ['/pets?categoryId=-3', [MIN]],
  ['/pets?categoryId=77', []],
  ['/pets?categoryId=9&status=available&name=a', [BIG]],
  ['/pets?categoryId=9&status=pending&status=available&sort=-id', [BIGGER, BIG, '10']],
  ['/categories?name=DOG', ['9', '10']],
  ['/categories?name=100%25', [MAX]],
  ['/categories?name=_*.', [MAX]],
  ['/store/orders?petId=9', ['9', MAX]],
  [`/store/orders?petId=${BIG}`, [MIN]],
  ['/store/orders?complete=true', ['-1', '2', '10']],
  ['/store/orders?complete=false', [MIN, '9', BIG, BIGGER, MAX]],
  ['/store/orders?petId=9&complete=false&sort=quantity', [MAX, '9']],
  ['/store/orders?petId=9&complete=true', []],
  ['/store/inventory?maxQuantity=2', ['-5', '9', '100', BIG, BIGGER]],
  ['/store/inventory?maxQuantity=9&status=available', [MIN, BIG]],
  ['/store/inventory?maxQuantity=0&status=pending&status=sold&sort=status', ['9', '-5', '100']],
  ['/store/inventory?maxQuantity=-1', []],
]

describeAdapters('lists', (adapter) => {
  it('are all tested', () => {
    expect(PATHS).toEqual(['/pets', '/categories', '/store/orders', '/store/inventory'])
    expect(sortOrders).toHaveLength(8 + 6 + 10 + 6)
  })

  it('return the first 20 items by default, and count all', async () => {
    const { mock } = await openClient(adapter)
    await forEachCase(
      [
        ['/pets', 72],
        ['/categories', 10],
        ['/store/orders', 120],
        ['/store/inventory', 72],
      ] as const,
      async ([path, total]) => {
        const all = (await follow(mock, `${path}?limit=100`, 'next')).flat()
        expect(all).toHaveLength(total)
        for (const [query, items] of [
          ['', all.slice(0, 20)],
          ['?limit=100', all.slice(0, 100)],
          [`?limit=1&offset=${total - 1}`, all.slice(-1)],
          ['?limit=3&offset=5', all.slice(5, 8)],
          ['?offset=7', all.slice(7, 27)],
        ] as const) {
          expect(await readList(mock, path + query)).toMatchObject({ items, total })
        }
      },
    )
  })

  it('link each page to the others', async () => {
    const { mock } = await openClient(adapter)
    await forEachCase(
      [
        [0, { first: 0, next: 20, last: 60 }],
        [20, { first: 0, prev: 0, next: 40, last: 60 }],
        [40, { first: 0, prev: 20, next: 60, last: 60 }],
        [60, { first: 0, prev: 40, last: 60 }],
      ] as const,
      async ([offset, expected]) => {
        const { link } = await readList(mock, `/pets?offset=${offset}&limit=20`)
        const targets = Object.entries(parseLinks(link)).map(([relation, target]) => {
          const [path, query] = target.split('?')
          const parameters = new URLSearchParams(query)
          expect([path, parameters.get('limit')]).toEqual(['/pets', '20'])
          return [relation, Number(parameters.get('offset'))]
        })
        expect(Object.fromEntries(targets)).toEqual(expected)
      },
    )
  })

  it('have only first and last links when they fit on one page', async () => {
    const { mock } = await openClient(adapter, { fixtures: ODD })
    await forEachCase(PATHS, async (path) => {
      const { link } = await readList(mock, path)
      expect(Object.keys(parseLinks(link)).sort()).toEqual(['first', 'last'])
    })
  })

  it('can be read completely with next links, and backwards with prev links', async () => {
    const { mock } = await openClient(adapter)
    await forEachCase(PATHS, async (path) => {
      const all = (await follow(mock, `${path}?limit=100`, 'next')).flat()
      const forwards = await follow(mock, `${path}?limit=7`, 'next')
      expect(forwards.flat()).toEqual(all)
      const { link } = await readList(mock, `${path}?limit=7`)
      const backwards = await follow(mock, parseLinks(link).last ?? '', 'prev')
      expect(backwards.toReversed()).toEqual(forwards)
    })
  })

  it('keep filters and sort order from page to page', async () => {
    const { mock } = await openClient(adapter)
    await forEachCase(
      [
        ['/pets', 'sort=-status&status=available&status=sold&name=o'],
        ['/pets', 'categoryId=1&sort=name'],
        ['/categories', 'sort=-name&name=s'],
        ['/store/orders', 'sort=-shipDate&complete=false'],
        ['/store/orders', 'sort=quantity&complete=true'],
        ['/store/inventory', 'sort=-quantity&maxQuantity=5&status=available'],
      ] as const,
      async ([path, query]) => {
        const all = (await follow(mock, `${path}?limit=100`, 'next')).flat()
        const found = (await follow(mock, `${path}?${query}&limit=2`, 'next')).flat()
        expect(found).toEqual(selectItems(all, query))
        expect(found.length).toBeGreaterThan(2)
      },
    )
  })

  it('keep the declared parameters in every link, and no others', async () => {
    const { mock } = await openClient(adapter)
    const declared = ['status=available', 'status=pending', 'categoryId=1', 'name=a', 'sort=-name']
    const { link } = await readList(mock, `/pets?${declared.join('&')}&bogus=1&limit=2&offset=2&Status=x&limit[]=9`)
    const links = parseLinks(link)
    expect(Object.keys(links).sort()).toEqual(['first', 'last', 'next', 'prev'])
    for (const target of Object.values(links)) expect(filtersOf(target).sort()).toEqual(declared.toSorted())
  })

  it.each(['a&b=c', 'a b+c', '<a>, "b"; rel="next"', '100% é 한 🐕', '#?/\\', "'()*!"])(
    'keep the name %j unchanged in their links',
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

  it('read a plus in a query as a space', async () => {
    const pets = ['a b', 'a+b', 'ab'].map((name, at) => ({ id: at + 1, name, categoryId: 1 }))
    const { mock } = await openClient(adapter, { fixtures: { categories: [{ id: 1, name: 'Dogs' }], pets } })
    for (const { id, name } of pets) {
      const { items } = await readList(mock, `/pets?${new URLSearchParams({ name })}`)
      expect(items.map((item) => item.id)).toEqual([String(id)])
    }
  })

  it('are empty past their end, with a link back', async () => {
    const { mock } = await openClient(adapter)
    await forEachCase(PATHS, async (path) => {
      const { total } = await readList(mock, path)
      for (const offset of [total, total + 1, 1_000_000, Number.MAX_SAFE_INTEGER]) {
        const page = await readList(mock, `${path}?offset=${offset}&limit=7`)
        expect(page).toMatchObject({ items: [], total })
        const { prev = '', next } = parseLinks(page.link)
        expect(next).toBeUndefined()
        expect((await readList(mock, prev)).items).not.toEqual([])
      }
    })
  })

  it('are empty without data, and have no prev or next link', async () => {
    const { mock, get } = await openClient(adapter, { scenario: 'empty' })
    await forEachCase(PATHS, async (path) => {
      expectResponse(await get(path), 200, [])
      const { total, link } = await readList(mock, path)
      expect(total).toBe(0)
      expect(Object.keys(parseLinks(link)).filter((relation) => ['prev', 'next'].includes(relation))).toEqual([])
    })
  })

  it('can be sorted in every declared order', async () => {
    for (const options of sampleFor(adapter, [{ fixtures: ODD }, {}])) {
      const { mock } = await openClient(adapter, options)
      await forEachCase(sortOrders, async ([path, sort]) => {
        const all = (await follow(mock, `${path}?limit=100`, 'next')).flat()
        const sorted = (await follow(mock, `${path}?limit=100&sort=${sort}`, 'next')).flat()
        expect(sorted).toEqual(selectItems(all, `sort=${sort}`))
      })
    }
  })

  it('sort ids as numbers, not as strings', async () => {
    const { mock } = await openClient(adapter, { fixtures: ODD })
    await forEachCase(
      [
        ['/pets', [MIN, '-5', '9', '10', '100', BIG, BIGGER, MAX]],
        ['/categories', ['-3', '9', '10', BIG, BIGGER, MAX]],
        ['/store/orders', [MIN, '-1', '2', '9', '10', BIG, BIGGER, MAX]],
        ['/store/inventory', [MIN, '-5', '9', '10', '100', BIG, BIGGER, MAX]],
      ] as const,
      async ([path, ids]) => {
        const key = path === '/store/inventory' ? 'petId' : 'id'
        const read = async (query: string) => (await readList(mock, path + query)).items.map((item) => item[key])
        expect(await read('')).toEqual(ids)
        expect(await read(`?sort=${key}`)).toEqual(ids)
        expect(await read(`?sort=-${key}`)).toEqual(ids.toReversed())
      },
    )
  })

  it('sort equal values by id, and missing values last', async () => {
    const { mock } = await openClient(adapter, { fixtures: ODD })
    await forEachCase(
      [
        ['/pets?sort=-name', [BIG, '-5', '9', '10', MAX, MIN, '100', BIGGER]],
        ['/categories?sort=-description', ['-3', '10', BIG, '9', BIGGER, MAX]],
        ['/categories?sort=description', [BIG, '-3', '10', '9', BIGGER, MAX]],
        ['/store/orders?sort=shipDate', ['2', MIN, '10', BIG, '-1', '9', BIGGER, MAX]],
        ['/store/orders?sort=-shipDate', [BIG, MIN, '10', '2', '-1', '9', BIGGER, MAX]],
        ['/store/orders?sort=-quantity', ['2', '9', BIG, '-1', '10', MAX, MIN, BIGGER]],
        ['/store/orders?sort=-complete', ['-1', '2', '10', MIN, '9', MAX, BIG, BIGGER]],
        ['/store/orders?sort=petId', ['-1', '9', MAX, '2', '10', MIN, BIG, BIGGER]],
      ] as const,
      async ([target, ids]) => {
        expect((await readList(mock, target)).items.map(({ id }) => id)).toEqual(ids)
      },
    )
  })

  it('contain the items that match every filter', async () => {
    const { mock } = await openClient(adapter, { fixtures: ODD })
    await forEachCase(FILTERS, async ([target, ids]) => {
      const { items, total } = await readList(mock, target)
      expect(items.map((item) => item.id ?? item.petId)).toEqual(ids)
      expect(total).toBe(ids.length)
    })
  })
})
