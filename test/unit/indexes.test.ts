import { describe, expect, it } from 'vitest'
import type { Selection } from '../../src/engine/store/selection.js'
import { createStore } from '../../src/engine/store/store.js'
import type { Id } from '../../src/lib/int64.js'
import type { PetstoreStore } from '../../src/petstore/model.js'
import type { PetRecord } from '../../src/petstore/records.js'
import { createBase } from '../support/store.js'

/** More than an index keeps, so that by the last of them the first are forgotten. */
const SEVERAL = 80

const pets: PetRecord[] = Array.from({ length: 200 }, (_, index) => ({
  id: String(index + 1) as Id,
  name: `pet ${index}`,
  categoryId: String((index % 3) + 1) as Id,
  status: 'available',
  stock: index,
}))

/** The pets with at least so many in stock, with and without a group of their own. */
function selections(atLeast: number): Selection<PetRecord, 'categoryId'>[] {
  const where = { key: `stock>=${atLeast}`, test: (pet: PetRecord) => pet.stock >= atLeast }
  return [{ where }, { where, group: { by: 'categoryId', value: '2' } }]
}

describe('more different lists than are kept', () => {
  it('are all right, before and after changes, however often each is asked for', () => {
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

  it('do not change those of another store over the same starting state', () => {
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

describe('a list that is asked for again', () => {
  /** How many records are looked at to make a list of one category. */
  function lookedAt(store: PetstoreStore, key: string): number {
    let count = 0
    const test = () => {
      count += 1
      return true
    }
    const size = store.collections.pets.select({ where: { key, test }, group: { by: 'categoryId', value: '2' } }).size
    expect(size).toBe(67)
    return count
  }

  it('is kept, and kept right by looking at what changed alone', () => {
    const store = createStore(createBase({ pets }))
    expect(lookedAt(store, 'first')).toBe(67)
    expect(lookedAt(store, 'first')).toBe(0)
    let count = 0
    const where = { key: 'counted', test: () => Boolean(++count) }
    store.collections.pets.select({ where })
    count = 0
    store.collections.pets.replace({ ...(pets[0] as PetRecord), stock: 5 })
    expect(store.collections.pets.select({ where }).size).toBe(200)
    // As it was, and as it is.
    expect(count).toBe(2)
  })

  it('is forgotten for others once it is the longest unused, and made anew', () => {
    const store = createStore(createBase({ pets }))
    lookedAt(store, 'used')
    lookedAt(store, 'unused')
    for (let other = 0; other < SEVERAL; other++) {
      lookedAt(store, `other ${other}`)
      expect(lookedAt(store, 'used')).toBe(0)
    }
    expect(lookedAt(store, 'unused')).toBe(67)
  })

  it('is made once for all worlds over the same starting state', () => {
    const base = createBase({ pets })
    let count = 0
    const where = { key: 'counted', test: () => Boolean(++count) }
    for (let each = 0; each < 3; each++) expect(createStore(base).collections.pets.select({ where }).size).toBe(200)
    expect(count).toBe(200)
  })
})

describe('a group', () => {
  it('that no record is in is empty', () => {
    const store = createStore(createBase({ pets }))
    expect(store.collections.pets.select({ group: { by: 'categoryId', value: '9' } }).size).toBe(0)
    expect(store.collections.pets.countIn('categoryId', '9' as Id)).toBe(0)
  })

  it('that the last record leaves is empty, and fills again', () => {
    const store = createStore(createBase({ pets: pets.slice(0, 1) }))
    const [pet] = pets as [PetRecord]
    const inGroup = (value: string) => store.collections.pets.select({ group: { by: 'categoryId', value } }).size
    store.collections.pets.replace({ ...pet, categoryId: '2' as Id })
    expect([inGroup('1'), inGroup('2')]).toEqual([0, 1])
    store.collections.pets.replace(pet)
    expect([inGroup('1'), inGroup('2')]).toEqual([1, 0])
  })

  it('named like a member of every object is a group like any other', () => {
    const store = createStore(createBase({ pets }))
    for (const name of ['__proto__', 'constructor', 'toString']) {
      expect(store.collections.pets.countIn('categoryId', name as Id)).toBe(0)
    }
  })

  it('by what nothing is grouped by is a mistake, not an empty group', () => {
    const store = createStore(createBase({ pets }))
    for (const name of ['colour', 'constructor'])
      expect(() => store.collections.pets.countIn(name as never, '1' as Id)).toThrow(name)
  })
})
