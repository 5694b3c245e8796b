import { describe, expect, it } from 'vitest'
import { type AnyService, createMock, createPetstore, defineService, type Petstore } from '../../src/index.js'
import { parseJson, stringifyJson } from '../../src/lib/json.js'
import { petstoreService } from '../../src/petstore/service.js'
import { readReproduction, startingOptions } from '../../src/tools/replay/read-reproduction.js'
import { replay } from '../../src/tools/replay/replay.js'
import { toSnippet } from '../../src/tools/snippets/index.js'
import { document } from '../support/library-document.js'
import { collection, object, TEXT, toDocument } from '../support/small-documents.js'

const EMPTY = { scenario: 'empty' } as const
const { signal } = new AbortController()

const textOf = (petstore: Petstore) => stringifyJson(petstore.reproduction()) as string

/** Expects that the recording of a mock can be repeated: the same responses, and the same data at the end. */
async function expectRepeatable(petstore: Petstore, outcomes: readonly string[] = ['same']) {
  const reproduction = readReproduction(parseJson(textOf(petstore)), petstoreService)
  const other = createPetstore(startingOptions(reproduction))
  await other.ready
  const report = await replay(other, reproduction, { signal })
  expect(report.requests.filter(({ outcome }) => !outcomes.includes(outcome))).toEqual([])
  expect(other.exportState()).toEqual(petstore.exportState())
  return { report, steps: reproduction.steps }
}

describe('calls in process are repeated', () => {
  it('when they create more records than the admin API does at once', async () => {
    const petstore = createPetstore(EMPTY)
    petstore.data.pets.createMany(101)
    await petstore.fetch('/pets')
    await expectRepeatable(petstore)
  })

  it('when the last of many records is rejected, so that none is created', async () => {
    const petstore = createPetstore(EMPTY)
    const create = () => petstore.data.pets.createMany(101, (index) => (index === 100 ? { status: 'x' as never } : {}))
    expect(create).toThrow('status')
    petstore.data.pets.create()
    await petstore.fetch('/pets')
    await expectRepeatable(petstore)
  })

  it('when an override or a fault is a sequence, and when the sunset mode changes', async () => {
    const petstore = createPetstore()
    petstore.override('getPet', [{ status: 503, headers: { 'Set-Cookie': 'secret=1' } }, 'pass', { status: 429 }])
    petstore.override('listPets', ['pass', ({ next }) => next(), { status: 500 }])
    petstore.faults.add({ operation: 'listCategories', sequence: [{ status: 500 }, 'pass', { status: 503 }] })
    for (const path of ['/pets/1', '/pets', '/categories']) {
      for (let count = 0; count < 4; count++) await petstore.fetch(path)
    }
    petstore.clock.set('2031-01-01T00:00:00Z')
    petstore.clock.setSunset('enforce')
    await petstore.fetch('/pets/1')
    expect(textOf(petstore)).not.toContain('secret=1')
    const { report } = await expectRepeatable(petstore, ['same', 'skipped'])
    expect(report.requests.filter(({ outcome }) => outcome === 'skipped').map(({ number }) => number)).toEqual([6, 7])
  })

  it('when ids and fields are of the wrong kind', async () => {
    const petstore = createPetstore(EMPTY)
    const { pets } = petstore.data
    expect(() => pets.delete(1.5)).toThrow()
    expect(() => pets.delete('1.5')).toThrow()
    expect(() => pets.update('a?b', { name: 'Rex' })).toThrow()
    expect(() => pets.create(null as never)).toThrow()
    expect(() => pets.create(Promise.resolve({}) as never)).toThrow()
    expect(() => pets.createMany(2, () => null as never)).toThrow()
    expect(() => pets.createMany(2, (async () => ({})) as never)).toThrow()
    const { id } = pets.create()
    expect(() => pets.update(id, null as never)).toThrow()
    expect(() => pets.update(id, [] as never)).toThrow()
    await petstore.fetch('/pets')
    await expectRepeatable(petstore)
  })

  it('when they are larger than a request to the admin API may be', async () => {
    const petstore = createPetstore(EMPTY)
    const pet = { id: 1, name: 'Rex', categoryId: 1, status: 'available' as const }
    petstore.override('listPets', { status: 200, body: Array.from({ length: 3000 }, () => pet) })
    petstore.override('getPet', { status: 200, body: { ...pet, name: 'x'.repeat(1_100_000) } }, { unchecked: true })
    await petstore.fetch('/pets/1')
    await petstore.fetch('/pets')
    await expectRepeatable(petstore)
  })
})

it('hides secrets that a fault or an override matches', async () => {
  const petstore = createPetstore(EMPTY)
  const match = { headers: { Authorization: 'Bearer s3cret', 'x-api-key': /s3cret/, accept: 'text/html' } }
  const { id } = petstore.faults.add({ status: 401, match })
  petstore.faults.update(id, { match })
  petstore.override(
    'getPet',
    { status: 401, body: { code: 'X', message: 'x', status: 401 } },
    { match, unchecked: true },
  )
  const text = textOf(petstore)
  expect(text).not.toContain('s3cret')
  expect(text).toContain('text/html')
  await petstore.fetch('/pets')
  const reproduction = petstore.reproduction()
  const requests = reproduction.steps.filter((step) => 'request' in step)
  const code = toSnippet('vitest', reproduction, requests, { base: '' })
  const remarks = code.match(/The header \S+ in match is a secret/g) ?? []
  expect([remarks.length, new Set(remarks).size]).toEqual([6, 2])
})

it('compares what is left of a body that was cut inside a character', async () => {
  const petstore = createPetstore(EMPTY)
  for (const length of [65_530, 65_531]) {
    petstore.override(
      'getPet',
      { status: 200, body: { name: `${'x'.repeat(length - 10)}${'🐶'.repeat(20)}` } },
      { unchecked: true },
    )
    await petstore.fetch('/pets/1')
  }
  const { steps } = await expectRepeatable(petstore)
  expect(stringifyJson(steps)).toContain('\uFFFD')
})

it('keeps the last hundred states that were imported, and what came after them', async () => {
  const petstore = createPetstore(EMPTY)
  for (let number = 1; number <= 105; number++) {
    petstore.importState({ pets: [{ id: number, name: `Pet ${number}`, category: { name: 'Dogs' } }] })
    await petstore.fetch('/pets')
  }
  const { report, steps } = await expectRepeatable(petstore)
  expect(report).toMatchObject({ same: 100, missing: 10 })
  expect(steps).toHaveLength(200)
  petstore.reset()
  expect(petstore.reproduction()).toMatchObject({ missing: 0, steps: [] })
})

it('keeps as many requests to the service as the journal, and no others', async () => {
  const petstore = createPetstore({ journalSize: 3 })
  for (const path of ['/pets/1', '/openapi.json', '/pets/2', '/openapi.yaml', '/pets/3']) await petstore.fetch(path)
  const paths = () => petstore.reproduction().steps.map((step) => 'request' in step && step.request.path)
  expect(paths()).toEqual(['/pets/1', '/pets/2', '/pets/3'])
  expect(petstore.reproduction().missing).toBe(0)
  await petstore.fetch('/pets/4')
  expect(paths()).toEqual(['/pets/2', '/pets/3', '/pets/4'])
  expect(petstore.reproduction().missing).toBe(1)
})

it('has a request without its response while it is in flight, in the order in which they began', async () => {
  const petstore = createPetstore()
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  petstore.override(
    'getPet',
    async ({ next }) => {
      await released
      return next()
    },
    { times: 1 },
  )
  const first = petstore.fetch('/pets/1')
  await petstore.fetch('/pets/2')
  const responses = ({ steps }: ReturnType<typeof petstore.reproduction>) =>
    steps.flatMap((step) => ('request' in step ? [[step.request.path, step.response?.status]] : []))
  const during = petstore.reproduction()
  release()
  await first
  expect(responses(during)).toEqual([
    ['/pets/1', undefined],
    ['/pets/2', 200],
  ])
  expect(responses(petstore.reproduction())).toEqual([
    ['/pets/1', 200],
    ['/pets/2', 200],
  ])
})

it('is not changed by a change of its objects', async () => {
  const petstore = createPetstore(EMPTY)
  petstore.faults.add({ status: 503, delayMs: [1, 2] })
  petstore.override('getPet', { status: 200, body: { name: 'Rex' } }, { unchecked: true })
  const before = structuredClone(petstore.reproduction().steps)
  for (const step of petstore.reproduction().steps) {
    const { body = {} } = 'control' in step ? step.control : {}
    for (const member of Object.values(body))
      if (typeof member === 'object') Object.assign(member, { 0: 9, name: 'Ada' })
  }
  expect(petstore.reproduction().steps).toEqual(before)
  expect(petstore.faults.list()).toMatchObject([{ delayMs: [1, 2] }])
})

it('says which requests were not repeated when the replay was stopped', async () => {
  const petstore = createPetstore()
  for (const path of ['/pets/1', '/pets/2']) await petstore.fetch(path)
  const report = await replay(createPetstore(), petstore.reproduction(), { signal: AbortSignal.abort() })
  expect(report).toMatchObject({ same: 0, different: 0, skipped: 2 })
  expect(report.requests[1]).toMatchObject({ number: 2, reason: 'the run was stopped' })
})

it('a change of a fault rule is recorded as it was, and may be empty', () => {
  const petstore = createPetstore(EMPTY)
  const { id } = petstore.faults.add({ status: 503 })
  const headers = { 'Retry-After': '1' }
  petstore.faults.update(id, { headers })
  headers['Retry-After'] = '2'
  petstore.faults.update(id, undefined as never)
  expect(petstore.reproduction().steps.slice(1)).toMatchObject([
    { control: { method: 'PATCH', body: { headers: { 'Retry-After': '1' } } } },
    { control: { method: 'PATCH', body: {} } },
  ])
})

it('repeats changes of records whose ids are texts', async () => {
  const record = object({ id: { ...TEXT, readOnly: true }, title: TEXT }, ['id', 'title'])
  const service = defineService({
    document: toDocument(collection('films', { id: TEXT, record })),
    scenarios: { default: { films: ['a', 'b/ü', '007', 'report.pdf', 'v1.2'].map((id) => ({ id, title: 'Old' })) } },
  })
  const mock = createMock(service)
  await mock.ready
  const films = mock.data.films as NonNullable<typeof mock.data.films>
  films.update('b/ü', { title: 'New' })
  films.update('report.pdf', { title: 'New' })
  const headers = { 'content-type': 'application/json' }
  await mock.fetch('/__admin/data/films/v1.2', { method: 'PATCH', headers, body: '{"title":"New"}' })
  films.delete('a')
  for (const id of ['c', '', '.', '..', 'c.', '\ud800']) expect(() => films.delete(id)).toThrow()
  await mock.fetch('/films')
  const reproduction = readReproduction(parseJson(stringifyJson(mock.reproduction()) as string), service)
  const other = createMock(service, startingOptions<AnyService>(reproduction))
  await other.ready
  expect(await replay(other, reproduction, { signal })).toMatchObject({ same: 1, different: 0 })
  expect(other.exportState()).toEqual(mock.exportState())
  expect(other.data.films?.all()).toEqual([
    { id: '007', title: 'Old' },
    { id: 'b/ü', title: 'New' },
    { id: 'report.pdf', title: 'New' },
    { id: 'v1.2', title: 'New' },
  ])
})

it('has what is needed to find its OpenAPI document', async () => {
  const mock = createMock({ document })
  await mock.ready
  const reproduction = mock.reproduction()
  expect(reproduction.document).toEqual({ title: 'Library', version: '1.0.0' })
  expect(() => readReproduction(reproduction, petstoreService)).toThrow(
    /another OpenAPI document, "Library" 1\.0\.0: its hash is/,
  )
})
