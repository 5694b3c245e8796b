import { expect, it } from 'vitest'
import { toRecords } from '../../src/engine/data/read.js'
import { buildBaseStore } from '../../src/engine/store/store.js'
import type { Outcome } from '../../src/http/messages.js'
import { runNow } from '../../src/lib/steps.js'
import type { Fixture } from '../../src/petstore/fixtures/format.js'
import { generateScenario } from '../../src/petstore/fixtures/generate.js'
import { RECIPES } from '../../src/petstore/fixtures/recipes.js'
import { createPetstore, type Petstore, petstoreService } from '../../src/petstore/service.js'
import { findFixtureProblems } from '../support/petstore-fixtures.js'
import { petstoreModel } from '../support/store.js'

const SIZES = { categories: 10, pets: 3200, orders: 3200 }
const generate = () => generateScenario({ ...RECIPES.default, sizes: SIZES }, 3)
const LARGE = runNow(generate())

async function createLarge(): Promise<Petstore> {
  const petstore = createPetstore({ fixtures: LARGE })
  // Loads the admin API.
  await petstore.handle(toRequest('GET', '/__admin/health'))
  return petstore
}

function toRequest(method: string, path: string, body?: object) {
  const plain = { method, path, query: '', base: '', headers: { 'content-type': 'application/json' } }
  return body === undefined ? plain : { ...plain, body: new TextEncoder().encode(JSON.stringify(body)) }
}

const textOf = ({ response: { bytes } }: Outcome) => new TextDecoder().decode(bytes)

it.each([
  ['generating', generate],
  ['checking', () => findFixtureProblems(LARGE, 'on')],
  ['storing', () => buildBaseStore(petstoreModel, toRecords(LARGE as never, petstoreService.fixtureFormat) as never)],
])('pauses after each record while %s data', (_, work) => {
  expect([...work()].length).toBeGreaterThanOrEqual(SIZES.pets + SIZES.orders)
})

it('exports the data of the moment of the request, although it changes before the response is complete', async () => {
  const petstore = await createLarge()
  const before = JSON.parse(textOf(await petstore.handle(toRequest('GET', '/__admin/state')))) as Fixture
  const exporting = petstore.handle(toRequest('GET', '/__admin/state'))
  expect(exporting).toBeInstanceOf(Promise)
  petstore.data.pets.update(1, { name: 'Changed' })
  petstore.data.pets.update(SIZES.pets, { name: 'Changed' })
  petstore.data.pets.create()
  petstore.data.orders.create()
  expect(JSON.parse(textOf(await exporting))).toEqual(before)
  expect(petstore.exportState()).not.toEqual(before)
})

it('exports a large state and a small one as bytes with the right length', async () => {
  const petstore = await createLarge()
  for (const scenario of [undefined, 'single'] as const) {
    await petstore.reset(scenario ? { scenario } : {})
    const outcome = await petstore.handle(toRequest('GET', '/__admin/state'))
    const text = textOf(outcome)
    expect(text).toBe(JSON.stringify(petstore.exportState()))
    expect(outcome.response.headers['Content-Length']).toBe(String(new TextEncoder().encode(text).length))
    expect(await (await petstore.fetch('/__admin/state')).text()).toBe(text)
  }
})

it.each(['state', 'journal', 'journal.har', 'reproduction'])(
  'exports the %s only when its turn has come, and not for a client that is gone',
  async (name) => {
    const petstore = await createLarge()
    const request = toRequest('GET', `/__admin/${name}`)
    const gone = { signal: AbortSignal.abort() }
    expect((await petstore.handle(request, gone)).response).toMatchObject({ status: 0 })
    let begin = () => {}
    const turn = new Promise<void>((resolve) => {
      begin = resolve
    })
    const { signal } = new AbortController()
    let isDone = false
    const exporting = Promise.resolve(petstore.handle(request, { signal, takeTurn: () => turn })).finally(() => {
      isDone = true
    })
    expect((await petstore.handle(request)).response).toMatchObject({ status: 200 })
    expect(isDone).toBe(false)
    begin()
    expect((await exporting).response.bytes?.length).toBeGreaterThan(0)
  },
)

it('imports nothing when the data was replaced by a later call in the meantime', async () => {
  const petstore = await createLarge()
  const importing = petstore.handle(toRequest('PUT', '/__admin/state', LARGE))
  petstore.importState({ categories: [{ id: 1, name: 'Dogs' }] })
  expect((await importing).response.status).toBe(204)
  expect(petstore.data.pets.all()).toEqual([])
  expect(petstore.data.categories.all()).toHaveLength(1)
})
