import { createPetstore, type Petstore, type PetstoreOptions } from '../../src/index.js'

const JSON_BODY = { 'content-type': 'application/json' }

/** A mock after a run with every kind of step that can be recorded, and with requests that are hard to quote. */
export async function recordRun(options: PetstoreOptions = {}): Promise<Petstore> {
  const petstore = createPetstore(options)
  await petstore.ready
  const { fetch, data, faults, clock } = petstore
  const post = (path: string, body: BodyInit, headers: Record<string, string> = JSON_BODY) =>
    fetch(path, { method: 'POST', headers, body })

  const category = data.categories.create({ id: 9007199254740993n, name: `O'Hara "quoted" \\ \n $(id) \`id\` \u2028` })
  await fetch(`/categories/${category.id}`, { headers: { authorization: 'Bearer secret' } })
  const failing = faults.add({ operation: 'getPet', status: 503, times: 1, delayMs: [5, 6] })
  await fetch('/pets/1')
  await fetch('/pets/1')
  faults.update(failing.id, { status: 429, times: null })
  await fetch('/pets/1')
  failing.remove()
  await post('/pets?note=a%26b', JSON.stringify({ name: `it's`, categoryId: 1 }))
  await post('/pets', '{"name":"Big","categoryId":9007199254740993}')
  await post('/pets', '{ "name": "Spaced", "categoryId": 1 }')
  await post('/pets', Uint8Array.of(0xff, 0x00, 0x27), JSON_BODY)
  await post('/pets', new TextEncoder().encode('no type \u0000 \u001b[31m'), {})
  await fetch('/pets/1', { method: 'HEAD' })
  await fetch('/nowhere')

  clock.freeze()
  clock.set('2030-01-01T00:00:00Z')
  await post('/store/orders', JSON.stringify({ petId: 2, quantity: 1 }))
  clock.advance(60_000)
  const expiring = faults.add({ operation: 'listCategories', code: 'BUSY', expiresAfterMs: 1000 })
  await fetch('/categories')
  clock.advance(1000)
  await fetch('/categories?limit=2')
  faults.remove(expiring.id)

  for (const kind of ['reset', 'timeout', 'truncate', 'malformed'] as const) {
    faults.add({ operation: 'getInventory', kind, times: 1 })
    const response = await fetch('/store/inventory/1', { signal: AbortSignal.timeout(50) }).catch(() => undefined)
    await response?.text().catch(() => {})
  }
  faults.clear()

  data.pets.createMany(2, { status: 'sold' })
  data.pets.createMany(2, (index) => ({ name: `Number ${index}` }))
  data.pets.update(1, { name: 'Renamed', stock: 2 })
  data.categories.delete(category.id < 0 ? 0 : data.categories.create().id)
  try {
    data.pets.create({ categoryId: 999_999 })
  } catch {}
  const fixed = petstore.override('listCategories', { status: 200, body: [] }, { times: 2 })
  await fetch('/categories')
  fixed.remove()
  petstore.override('getPet', ({ params }) => ({
    status: 200,
    body: { id: params.petId, name: 'From a function', categoryId: 1, status: 'sold' as const },
  }))
  await fetch('/pets/1')
  await fetch('/pets/2')
  petstore.overrides.clear()
  petstore.override('getPet', { status: 502, body: '<h1>Bad gateway</h1>' }, { raw: true, times: 1 })
  await fetch('/pets/1')
  petstore.importState(petstore.exportState())
  await fetch('/pets/1', { method: 'DELETE' })
  await fetch('/pets/1')
  await fetch('/pets?limit=100')
  return petstore
}
