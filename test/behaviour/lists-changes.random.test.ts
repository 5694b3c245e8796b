import { expect, it } from 'vitest'
import { describeAdapters, inMemory } from '../support/adapters.js'
import { type Client, createClient, openClient, withoutAdapter } from '../support/client.js'
import { isFullRun } from '../support/full-run.js'
import { type Item, parseItems, parseLinks, selectItems } from '../support/operations.js'

const KINDS = ['/pets', '/categories', '/store/orders'] as const
type Kind = (typeof KINDS)[number]

/** The ids that exist, tracked from the responses to creations and deletions. */
type Ids = Readonly<Record<Kind, Set<string>>>

const STATUSES = ['available', 'pending', 'sold']
const NAMES = ['Ada', 'Bo', 'Cy', 'ada', 'Bob', 'Dot']

const QUERIES = [
  ...['/pets', '/pets?status=available', '/pets?status=pending&status=sold&sort=categoryId', '/pets?sort=-id'],
  ...['/pets?categoryId=1', '/pets?categoryId=2&sort=-name', '/pets?name=b&sort=status', '/pets?categoryId=11&name=a'],
  ...['/categories', '/categories?name=D', '/categories?sort=-description', '/categories?sort=name&name=o'],
  ...['/store/orders', '/store/orders?complete=false&sort=-shipDate', '/store/orders?complete=true&sort=petId'],
  ...['/store/orders?petId=1', '/store/orders?petId=10&sort=-quantity&complete=false', '/store/orders?sort=complete'],
  ...['/store/inventory', '/store/inventory?maxQuantity=1&sort=-quantity', '/store/inventory?status=sold&sort=-petId'],
  ...['/store/inventory?status=available&sort=quantity&maxQuantity=5', '/store/inventory?sort=status'],
]

/** Numbers from 0 up to 1, the same ones for the same seed. */
function createRandom(seed: number) {
  let state = seed
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  return { next, pick: <T>(from: Iterable<T>): T => [...from][Math.floor(next() * [...from].length)] as T }
}

type Random = ReturnType<typeof createRandom>
type Request = readonly [method: 'post' | 'put' | 'patch' | 'delete', kind: Kind, path: string, body?: object]

/** A random write, usually to a record that exists. */
function randomWrite({ next, pick }: Random, ids: Ids): Request {
  const [pet, category, order] = KINDS.map((kind) => pick([...ids[kind], '1', '10']))
  const name = pick(NAMES)
  const petBody = { name, categoryId: Number(category), ...(next() < 0.7 && { status: pick(STATUSES) }) }
  const categoryBody = { name, ...(next() < 0.5 && { description: pick(NAMES) }) }
  const orderBody = {
    ...(next() < 0.8 && { petId: Number(pet) }),
    ...(next() < 0.5 && { quantity: pick([1, 2, 3]) }),
    ...(next() < 0.4 && { shipDate: `2026-0${pick([1, 2, 3])}-01T00:00:00Z` }),
    ...(next() < 0.3 && { complete: true }),
  }
  return pick<Request>([
    ['post', '/pets', '/pets', petBody],
    ['post', '/pets', '/pets', petBody],
    ['put', '/pets', `/pets/${pet}`, petBody],
    ['delete', '/pets', `/pets/${pet}`],
    ['post', '/categories', '/categories', categoryBody],
    ['put', '/categories', `/categories/${category}`, categoryBody],
    ['delete', '/categories', `/categories/${category}`],
    ['post', '/store/orders', '/store/orders', orderBody],
    ['post', '/store/orders', '/store/orders', orderBody],
    ['patch', '/store/orders', `/store/orders/${order}`, orderBody],
    ['delete', '/store/orders', `/store/orders/${order}`],
    ['put', '/pets', `/store/inventory/${pet}`, { quantity: pick([0, 0, 1, 2, 10]) }],
  ])
}

/** Sends the write and updates the ids. Returns whether it succeeded. */
async function write(api: Client, [method, kind, path, body]: Request, ids: Ids): Promise<boolean> {
  const response = method === 'delete' ? await api.delete(path) : await api[method](path, body)
  if (response.status === 201) ids[kind].add(parseItems(response.text)[0]?.id as string)
  if (response.status === 204) ids[kind].delete(path.slice(kind.length + 1))
  expect([200, 201, 204, 404, 409, 422]).toContain(response.status)
  return response.status < 300
}

/** Reads every item by its own path, without a list. */
async function readAll({ mock }: Client, ids: Ids): Promise<Readonly<Record<string, Item[]>>> {
  const api = createClient(withoutAdapter(mock))
  const read = async (path: string, from: Set<string>) => {
    const items: Item[] = []
    for (const id of from) items.push(...parseItems((await api.get(`${path}/${id}`)).text))
    return items
  }
  return {
    '/pets': await read('/pets', ids['/pets']),
    '/categories': await read('/categories', ids['/categories']),
    '/store/orders': await read('/store/orders', ids['/store/orders']),
    '/store/inventory': await read('/store/inventory', ids['/pets']),
  }
}

async function readPages(api: Client, target: string): Promise<Item[]> {
  const items: Item[] = []
  for (let next: string | undefined = target; next !== undefined; ) {
    const { text, headers } = await api.get(next)
    items.push(...parseItems(text))
    next = parseLinks(headers.get('link')).next
  }
  return items
}

async function expectListsMatchItems(api: Client, ids: Ids): Promise<void> {
  const all = await readAll(api, ids)
  for (const target of QUERIES) {
    const [path = '', query = ''] = target.split('?')
    const listed = await readPages(api, `${path}?${query}&limit=100`)
    expect([target, listed]).toEqual([target, selectItems(all[path] ?? [], query)])
  }
}

async function readIds(api: Client): Promise<Ids> {
  const read = async (kind: Kind) => new Set((await readPages(api, `${kind}?limit=100`)).map(({ id }) => String(id)))
  return {
    '/pets': await read('/pets'),
    '/categories': await read('/categories'),
    '/store/orders': await read('/store/orders'),
  }
}

const copyOf = (ids: Ids): Ids => ({
  '/pets': new Set(ids['/pets']),
  '/categories': new Set(ids['/categories']),
  '/store/orders': new Set(ids['/store/orders']),
})

/** Few records, so that a change affects a large part of them. */
const FIXTURES = {
  categories: [1, 2, 3].map((id) => ({ id, name: NAMES[id] ?? '', ...(id > 1 && { description: 'Kind' }) })),
  pets: Array.from({ length: 10 }, (_, at) => ({ id: at + 1, name: NAMES[at % 6] ?? '', categoryId: (at % 3) + 1 })),
  orders: [1, 2, 3].map((id) => ({ id, quantity: id, complete: id > 2 })),
}

describeAdapters('lists that change', (adapter) => {
  /** The lists are those of the engine, so one adapter is tested more thoroughly than the others. */
  const isShort = adapter !== inMemory && !isFullRun
  const isLong = adapter === inMemory && isFullRun

  it.each(isLong ? [1, 2] : [1])('match the single items after many random writes (seed %i)', async (seed) => {
    const api = await openClient(adapter, { fixtures: FIXTURES })
    const random = createRandom(seed)
    const ids = await readIds(api)
    const writes = isLong ? 300 : isShort ? 50 : 100
    let succeeded = 0
    for (let count = 1; count <= writes; count++) {
      succeeded += Number(await write(api, randomWrite(random, ids), ids))
      if (count % 50 === 0) await expectListsMatchItems(api, ids)
    }
    expect(succeeded).toBeGreaterThan(writes / 2)
  })

  it('match the single items after a snapshot is restored, and after a reset', async () => {
    const api = await openClient(adapter, { fixtures: FIXTURES })
    const { petstore } = api.mock
    const random = createRandom(4)
    const start = await readIds(api)
    const ids = copyOf(start)
    const change = async (current: Ids) => {
      for (let count = 0; count < (isLong ? 60 : isShort ? 10 : 20); count++)
        await write(api, randomWrite(random, current), current)
    }

    await change(ids)
    await expectListsMatchItems(api, ids)
    const before = await readAll(api, ids)
    const snapshot = petstore.snapshot()

    const later = copyOf(ids)
    await change(later)
    if (!isShort) await expectListsMatchItems(api, later)
    petstore.restore(snapshot)
    await expectListsMatchItems(api, ids)
    expect(await readAll(api, ids)).toEqual(before)

    const again = copyOf(ids)
    await change(again)
    if (!isShort) await expectListsMatchItems(api, again)
    petstore.reset()
    await expectListsMatchItems(api, start)
    petstore.restore(snapshot)
    expect(await readAll(api, ids)).toEqual(before)
    await expectListsMatchItems(api, ids)
  })

  it('match the single items when they are long', async () => {
    const size = isShort ? 150 : 1300
    const pets = Array.from({ length: size }, (_, at) => ({
      id: at * 2,
      name: `${NAMES[at % 6]} ${at % 50}`,
      categoryId: 1,
    }))
    const api = await openClient(adapter, { fixtures: { categories: [{ id: 1, name: 'Dogs' }], pets } })
    const queries = ['', 'sort=-id', 'sort=name', 'status=available&sort=-name', 'name=bo', 'categoryId=1&sort=status']
    const known = new Map((await readPages(api, '/pets?limit=100')).map((pet) => [String(pet.id), pet]))
    expect(known.size).toBe(size)
    const random = createRandom(5)
    for (let count = 1; count <= (isLong ? 300 : 100); count++) {
      const id = random.pick(known.keys())
      const body = { name: `${random.pick(NAMES)} ${count % 50}`, categoryId: 1 }
      if (count % 3 === 0) {
        expect((await api.delete(`/pets/${id}`)).status).toBe(204)
        known.delete(id)
      } else {
        const sent =
          count % 3 === 1 ? await api.post('/pets', body) : await api.put(`/pets/${id}`, { ...body, status: 'pending' })
        for (const pet of parseItems(sent.text)) known.set(String(pet.id), pet)
      }
      if (count % 100 !== 0) continue
      for (const query of queries) {
        const listed = await readPages(api, `/pets?${query}&limit=100`)
        expect([query, listed]).toEqual([query, selectItems([...known.values()], query)])
      }
    }
  })
})
