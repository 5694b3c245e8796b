import { describe, expect, it } from 'vitest'
import { createPetstore, type Petstore } from '../../src/index.js'

const names = (petstore: Petstore) => petstore.data.pets.all().map(({ name }) => name)
const only = (name: string) => ({ categories: [], pets: [{ id: 1, name, category: { name: 'Dogs' } }] })
const EMPTY = { scenario: 'empty' } as const

describe('the last call that replaces the data wins', () => {
  it('when a snapshot is restored while a reset is generating its data', async () => {
    const petstore = createPetstore(EMPTY)
    const pet = petstore.data.pets.create({ name: 'Rex' })
    const snapshot = petstore.snapshot()
    const reset = petstore.reset({ seed: 7, scenario: 'default' })
    petstore.restore(snapshot)
    await reset
    expect(petstore.data.pets.all()).toEqual([pet])
  })

  it('when a state is imported while a reset is generating its data', async () => {
    const petstore = createPetstore(EMPTY)
    const reset = petstore.reset({ seed: 7, scenario: 'default' })
    petstore.importState(only('Rex'))
    await reset
    expect(names(petstore)).toEqual(['Rex'])
  })

  it('when fixtures are loaded twice', async () => {
    const petstore = createPetstore(EMPTY)
    await Promise.all([petstore.load(only('first')), petstore.load(only('second'))])
    expect(names(petstore)).toEqual(['second'])
  })

  it('when a state is imported while fixtures are being loaded, which the next reset starts from', async () => {
    const petstore = createPetstore(EMPTY)
    const load = petstore.load(only('loaded'))
    petstore.importState(only('imported'))
    await load
    expect(names(petstore)).toEqual(['imported'])
    petstore.reset()
    expect(names(petstore)).toEqual(['loaded'])
  })
})

it('is ready after load, although generating the data failed', async () => {
  const petstore = createPetstore({ seed: 7, scenario: 'default', fixtures: { pets: 'none' } as never })
  await expect(petstore.ready).rejects.toMatchObject({ code: 'INVALID_FIXTURE' })
  await petstore.load({})
  await petstore.ready
  expect((await petstore.fetch('/pets')).status).toBe(200)
})

it('imports an exported state to which a pet with a new category was added by hand', () => {
  const petstore = createPetstore()
  const { nextIds, ...state } = petstore.exportState()
  const pets = [...state.pets, { id: 4711, name: 'Rex', category: { name: 'Dragons' } }]
  petstore.importState({ ...state, nextIds, pets } as never)
  const category = petstore.data.categories.all().find(({ name }) => name === 'Dragons')
  expect(category?.id).toBe(nextIds?.categories)
  expect(petstore.data.pets.find(4711)).toMatchObject({ name: 'Rex', categoryId: category?.id })
  expect(petstore.data.categories.create().id).toBe(Number(nextIds?.categories) + 1)
})

describe('a request that is aborted while it is handled', () => {
  it('rejects although an override returned a response', async () => {
    const petstore = createPetstore()
    const aborter = new AbortController()
    petstore.override('getPet', () => {
      aborter.abort()
      return { status: 200, body: { id: 1, name: 'Rex', categoryId: 1, status: 'available' as const } }
    })
    await expect(petstore.fetch('/pets/1', { signal: aborter.signal })).rejects.toMatchObject({ name: 'AbortError' })
  })

  it('rejects although an asynchronous override never responds', async () => {
    const petstore = createPetstore()
    const aborter = new AbortController()
    petstore.override('getPet', () => {
      aborter.abort()
      return new Promise<never>(() => {})
    })
    await expect(petstore.fetch('/pets/1', { signal: aborter.signal })).rejects.toMatchObject({ name: 'AbortError' })
  })

  it('rejects although a fault makes it time out', async () => {
    const petstore = createPetstore()
    const aborter = new AbortController()
    petstore.faults.add({ operation: 'getPet', kind: 'timeout' })
    petstore.events.subscribe((event) => {
      if (event.type === 'fault') aborter.abort()
    })
    await expect(petstore.fetch('/pets/1', { signal: aborter.signal })).rejects.toMatchObject({ name: 'AbortError' })
  })
})
