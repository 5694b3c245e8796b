import { describe, expect, it } from 'vitest'
import type { Selection } from '../../src/engine/store/indexes.js'
import { createStore } from '../../src/engine/store/store.js'
import type { Id } from '../../src/lib/int64.js'
import type { PetRecord } from '../../src/petstore/records.js'
import { createBase, type PetstoreStore } from '../support/store.js'

/** More than an index caches, so that the first are evicted before the last is created. */
const SEVERAL = 80

const pets: PetRecord[] = Array.from({ length: 200 }, (_, index) => ({
  id: String(index + 1) as Id,
  name: `pet ${index}`,
  categoryId: String((index % 3) + 1) as Id,
  status: 'available',
  stock: index,
}))

/** The pets with at least this stock, with and without a group. */
function selections(atLeast: number): Selection<PetRecord, 'categoryId'>[] {
  const where = { key: `stock>=${atLeast}`, test: (pet: PetRecord) => pet.stock >= atLeast }
  return [{ where }, { where, group: { by: 'categoryId', value: '2' } }]
}

describe('more different lists than are cached', () => {
  it('are all correct, before and after changes, however often each is requested', () => {
    const store = createStore(createBase({ pets }))
    const current = new Map(pets.map((pet) => [pet.id, pet]))
    for (let round = 0; round < 3; round++) {
      for (let atLeast = 0; atLeast < SEVERAL; atLeast++) {
        for (const selection of [...selections(atLeast), ...selections(0)]) {
          const { where, group } = selection
          const expected = [...current.values()].filter(
            (pet) => where?.test(pet) && (group === undefined || pet.categoryId === group.value),
          )
          expect([...store.collections.pets.select(selection)].map(({ id }) => id)).toEqual(
            expected.map(({ id }) => id),
          )
        }
        const changed = pets[(round * SEVERAL + atLeast) % pets.length] as PetRecord
        const next = { ...changed, stock: (changed.stock * 7) % 90, categoryId: '2' as Id }
        store.collections.pets.replace(next)
        current.set(next.id, next)
      }
    }
  })

  it('do not affect those of another store with the same base', () => {
    const base = createBase({ pets })
    const [one, other] = [createStore(base), createStore(base)]
    for (let atLeast = 0; atLeast < SEVERAL; atLeast++) {
      for (const selection of selections(atLeast)) {
        const before = [...other.collections.pets.select(selection)]
        one.collections.pets.select(selection)
        one.collections.pets.replace({ ...(pets[atLeast] as PetRecord), stock: 500, categoryId: '2' as Id })
        expect([...other.collections.pets.select(selection)]).toEqual(before)
      }
    }
  })
})

describe('a list that is requested again', () => {
  /** How many records are tested to create a list of one category. */
  function countTested(store: PetstoreStore, key: string): number {
    let count = 0
    const test = () => {
      count += 1
      return true
    }
    const size = store.collections.pets.select({ where: { key, test }, group: { by: 'categoryId', value: '2' } }).size
    expect(size).toBe(67)
    return count
  }

  it('is cached, and updated by testing only the changed records', () => {
    const store = createStore(createBase({ pets }))
    expect(countTested(store, 'first')).toBe(67)
    expect(countTested(store, 'first')).toBe(0)
    let count = 0
    const where = { key: 'counted', test: () => Boolean(++count) }
    store.collections.pets.select({ where })
    count = 0
    store.collections.pets.replace({ ...(pets[0] as PetRecord), stock: 5 })
    expect(store.collections.pets.select({ where }).size).toBe(200)
    // The old and the new version.
    expect(count).toBe(2)
  })

  it('is evicted when it is the least recently used, and created again', () => {
    const store = createStore(createBase({ pets }))
    countTested(store, 'used')
    countTested(store, 'unused')
    for (let other = 0; other < SEVERAL; other++) {
      countTested(store, `other ${other}`)
      expect(countTested(store, 'used')).toBe(0)
    }
    expect(countTested(store, 'unused')).toBe(67)
  })

  it('is created once for all stores with the same base', () => {
    const base = createBase({ pets })
    let count = 0
    const where = { key: 'counted', test: () => Boolean(++count) }
    for (let each = 0; each < 3; each++) expect(createStore(base).collections.pets.select({ where }).size).toBe(200)
    expect(count).toBe(200)
  })
})

describe('a group', () => {
  it('named like a property of every object is an ordinary group', () => {
    const store = createStore(createBase({ pets }))
    for (const name of ['__proto__', 'constructor', 'toString']) {
      expect(store.collections.pets.countIn('categoryId', name as Id)).toBe(0)
    }
  })

  it('by an unknown grouping throws', () => {
    const store = createStore(createBase({ pets }))
    for (const name of ['colour', 'constructor'])
      expect(() => store.collections.pets.countIn(name as never, '1' as Id)).toThrow(name)
  })
})
