import { describe, expect, it } from 'vitest'
import { buildBaseStore, createStore } from '../../src/engine/store/store.js'
import type { Id } from '../../src/lib/int64.js'
import { runNow } from '../../src/lib/steps.js'
import type { PetRecord } from '../../src/petstore/records.js'
import { createBase, openStore, type PetstoreStore, petstoreModel } from '../support/store.js'

const asId = (value: number | bigint) => String(value) as Id

const petWith = (id: number, name = `Pet ${id}`): PetRecord => ({
  id: asId(id),
  name,
  categoryId: asId(1),
  status: 'available',
  stock: 1,
})

const STARTING = [1, 2, 3].map((id) => petWith(id))
const base = createBase({ pets: STARTING })

/** A base with other records, as an import builds it. */
const buildOther = (pets: readonly PetRecord[], next?: Id) =>
  runNow(
    buildBaseStore(petstoreModel, { categories: [], pets, orders: [] }, next === undefined ? {} : { pets: next }, base),
  )

const openOther = (pets: readonly PetRecord[], next?: Id) => createStore(buildOther(pets, next))

const namesOf = (store: PetstoreStore) => [...store.collections.pets.select({})].map(({ name }) => name)

describe('records that replace all others', () => {
  it('are the only ones, in lists and groups too', () => {
    const store = openOther([petWith(9), petWith(2, 'Changed'), { ...petWith(5), categoryId: asId(2) }])
    expect(namesOf(store)).toEqual(['Changed', 'Pet 5', 'Pet 9'])
    expect(store.collections.pets.size).toBe(3)
    expect(store.collections.pets.get(asId(1))).toBeUndefined()
    expect(store.collections.pets.countIn('categoryId', asId(1))).toBe(2)
    expect(store.collections.pets.countIn('categoryId', asId(2))).toBe(1)
  })

  it('need no storage if they equal the base', () => {
    const other = buildOther(STARTING)
    expect(other.collections.pets.rows).toBe(base.collections.pets.rows)
    expect(other.collections.pets.index).toBe(base.collections.pets.index)
    expect(namesOf(createStore(other))).toEqual(['Pet 1', 'Pet 2', 'Pet 3'])
  })

  it.each<[string, Partial<PetRecord>]>([
    ['name', { name: 'Changed' }],
    ['category', { categoryId: asId(2) }],
    ['status', { status: 'pending' }],
    ['stock', { stock: 0 }],
  ])(
    'are new only if they differ: one that has another %s and one that is added, when another is missing',
    (_, change) => {
      const changed = { ...petWith(1), ...change }
      const { rows } = buildOther([changed, petWith(3), petWith(4)]).collections.pets
      const isShared = (id: number) => rows.get(asId(id)) === base.collections.pets.rows.get(asId(id))
      expect([...rows].map(([id]) => id)).toEqual(['1', '3', '4'])
      expect([1, 3, 4].filter(isShared)).toEqual([3])
      expect(rows.get(asId(1))).toMatchObject(changed)
    },
  )

  it('do not share a collection that has more records', () => {
    expect(namesOf(openOther(STARTING.slice(0, 2)))).toEqual(['Pet 1', 'Pet 2'])
  })

  it('leave the base as it is', () => {
    openOther([petWith(9)]).collections.pets.remove(asId(9))
    expect(namesOf(createStore(base))).toEqual(['Pet 1', 'Pet 2', 'Pet 3'])
    expect(createStore(base).collections.pets.nextId).toBe('4')
  })

  it('determine the next id, unless it is given', () => {
    expect(openOther([petWith(9), petWith(10)]).collections.pets.nextId).toBe('11')
    expect(openOther(STARTING).collections.pets.nextId).toBe('4')
    expect(openOther(STARTING, asId(40)).collections.pets.nextId).toBe('40')
    expect(openOther([petWith(9), petWith(10)], asId(40)).collections.pets.insert(petWith(0)).id).toBe('40')
    expect(openOther([]).collections.pets.insert(petWith(0)).id).toBe('1')
  })
})

describe('a base with given next ids', () => {
  it('continues from there, and skips the ids in use', () => {
    const store = openOther(STARTING, asId(2))
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
