import { describe, expect, it } from 'vitest'
import type { CollectionSnapshot } from '../../src/engine/store/collection.js'
import { createBaseStore, createStore } from '../../src/engine/store/store.js'
import type { Id } from '../../src/lib/int64.js'
import { type PetstoreStore, petstoreModel } from '../../src/petstore/model.js'
import type { PetRecord } from '../../src/petstore/records.js'
import { openStore } from '../support/store.js'

const asId = (value: number | bigint) => String(value) as Id

const petWith = (id: number, name = `Pet ${id}`): PetRecord => ({
  id: asId(id),
  name,
  categoryId: asId(1),
  status: 'available',
  stock: 1,
})

const STARTING = [1, 2, 3].map((id) => petWith(id))

const open = () => openStore({ pets: STARTING })

function replacePets(store: PetstoreStore, pets: readonly PetRecord[], next?: Id): void {
  store.replaceAll({ categories: [], pets, orders: [] }, next === undefined ? {} : { pets: next })
}

const idsOf = (store: PetstoreStore) => [...store.collections.pets.select({})].map(({ id }) => id)
const namesOf = (store: PetstoreStore) => [...store.collections.pets.select({})].map(({ name }) => name)

/** The ids of the records that the store does not share with its base. */
const changedIn = (store: PetstoreStore) => [...(store.snapshot().pets as CollectionSnapshot<PetRecord>).changes.keys()]

describe('records that replace all others', () => {
  it('are the only ones, in lists and groups too', () => {
    const store = open()
    store.collections.pets.insert(petWith(0, 'Gone'))
    replacePets(store, [petWith(9), petWith(2, 'Changed'), { ...petWith(5), categoryId: asId(2) }])
    expect(namesOf(store)).toEqual(['Changed', 'Pet 5', 'Pet 9'])
    expect(store.collections.pets.size).toBe(3)
    expect(store.collections.pets.get(asId(1))).toBeUndefined()
    expect(store.collections.pets.countIn('categoryId', asId(1))).toBe(2)
    expect(store.collections.pets.countIn('categoryId', asId(2))).toBe(1)
  })

  it('need no storage if they equal the base', () => {
    const store = open()
    store.collections.pets.replace(petWith(2, 'Changed'))
    replacePets(store, STARTING)
    expect(changedIn(store)).toEqual([])
    expect(idsOf(store)).toEqual(['1', '2', '3'])
  })

  it.each<[string, Partial<PetRecord>]>([
    ['name', { name: 'Changed' }],
    ['category', { categoryId: asId(2) }],
    ['status', { status: 'pending' }],
    ['stock', { stock: 0 }],
  ])(
    'need storage only for differences: one that has another %s, one that is new and one that is missing',
    (_, change) => {
      const store = open()
      const changed = { ...petWith(1), ...change }
      replacePets(store, [changed, petWith(3), petWith(4)])
      expect(changedIn(store).sort()).toEqual(['1', '2', '4'])
      expect(store.collections.pets.get(asId(1))).toMatchObject(changed)
    },
  )

  it('are removed by a reset', () => {
    const store = open()
    replacePets(store, [petWith(9)])
    store.reset()
    expect(namesOf(store)).toEqual(['Pet 1', 'Pet 2', 'Pet 3'])
    expect(store.collections.pets.nextId).toBe('4')
  })

  it('determine the next id, unless it is given', () => {
    const store = open()
    replacePets(store, [petWith(9), petWith(10)])
    expect(store.collections.pets.nextId).toBe('11')
    replacePets(store, [petWith(9), petWith(10)], asId(40))
    expect(store.collections.pets.insert(petWith(0)).id).toBe('40')
    replacePets(store, [])
    expect(store.collections.pets.insert(petWith(0)).id).toBe('1')
  })
})

describe('a base with given next ids', () => {
  it('continues from there, and skips the ids in use', () => {
    const next = { pets: asId(2) }
    const store = createStore(createBaseStore(petstoreModel, { categories: [], pets: STARTING, orders: [] }, next))
    expect([store.collections.pets.insert(petWith(0)).id, store.collections.pets.insert(petWith(0)).id]).toEqual([
      '4',
      '5',
    ])
  })
})

describe('a record with the largest int64 as id', () => {
  it('may be the only one, and the next id is 1', () => {
    const last = { ...petWith(1), id: asId(2n ** 63n - 1n) }
    const store = openStore({ pets: [last] })
    expect(store.collections.pets.insert(petWith(0)).id).toBe('1')
  })
})
