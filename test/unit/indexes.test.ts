import { describe, expect, it } from 'vitest'
import type { Selection } from '../../src/engine/store/selection.js'
import type { Id } from '../../src/lib/int64.js'
import type { PetRecord } from '../../src/petstore/records.js'
import { createBaseWorld, createWorld, type World } from '../../src/petstore/world.js'

/** More than an index keeps, so that by the last of them the first are forgotten. */
const SEVERAL = 80

const pets: PetRecord[] = Array.from({ length: 200 }, (_, index) => ({
  id: String(index + 1) as Id,
  name: `pet ${index}`,
  categoryId: String((index % 3) + 1) as Id,
  status: 'available',
  stock: index,
}))

const createBase = () => createBaseWorld({ categories: [], pets, orders: [] })

/** The pets with at least so many in stock, with and without a group of their own. */
function selections(atLeast: number): Selection<PetRecord>[] {
  const where = { key: `stock>=${atLeast}`, test: (pet: PetRecord) => pet.stock >= atLeast }
  return [{ where }, { where, group: { by: 'categoryId', value: '2' } }]
}

describe('more different lists than are kept', () => {
  it('are all right, before and after changes, however often each is asked for', () => {
    const world = createWorld(createBase())
    const current = new Map(pets.map((pet) => [pet.id, pet]))
    for (let round = 0; round < 3; round++) {
      for (let atLeast = 0; atLeast < SEVERAL; atLeast++) {
        for (const selection of [...selections(atLeast), ...selections(0)]) {
          const { where, group } = selection
          const expected = [...current.values()].filter(
            (pet) => where?.test(pet) && (group === undefined || pet.categoryId === group.value),
          )
          expect([...world.pets.select(selection)].map(({ id }) => id)).toEqual(expected.map(({ id }) => id))
        }
        const changed = pets[(round * SEVERAL + atLeast) % pets.length] as PetRecord
        const next = { ...changed, stock: (changed.stock * 7) % 90, categoryId: '2' as Id }
        world.pets.replace(next)
        current.set(next.id, next)
      }
    }
  })

  it('do not applyFault those of another world over the same starting state', () => {
    const base = createBase()
    const [one, other] = [createWorld(base), createWorld(base)]
    for (let atLeast = 0; atLeast < SEVERAL; atLeast++) {
      for (const selection of selections(atLeast)) {
        const before = [...other.pets.select(selection)]
        one.pets.select(selection)
        one.pets.replace({ ...(pets[atLeast] as PetRecord), stock: 500, categoryId: '2' as Id })
        expect([...other.pets.select(selection)]).toEqual(before)
      }
    }
  })
})

describe('a list that is asked for again', () => {
  /** How many records are looked at to make a list of one category. */
  function lookedAt(world: World, key: string): number {
    let count = 0
    const test = () => {
      count += 1
      return true
    }
    const size = world.pets.select({ where: { key, test }, group: { by: 'categoryId', value: '2' } }).size
    expect(size).toBe(67)
    return count
  }

  it('is kept, and kept right by looking at what changed alone', () => {
    const world = createWorld(createBase())
    expect(lookedAt(world, 'first')).toBe(67)
    expect(lookedAt(world, 'first')).toBe(0)
    let count = 0
    const where = { key: 'counted', test: () => Boolean(++count) }
    world.pets.select({ where })
    count = 0
    world.pets.replace({ ...(pets[0] as PetRecord), stock: 5 })
    expect(world.pets.select({ where }).size).toBe(200)
    // As it was, and as it is.
    expect(count).toBe(2)
  })

  it('is forgotten for others once it is the longest unused, and made anew', () => {
    const world = createWorld(createBase())
    lookedAt(world, 'used')
    lookedAt(world, 'unused')
    for (let other = 0; other < SEVERAL; other++) {
      lookedAt(world, `other ${other}`)
      expect(lookedAt(world, 'used')).toBe(0)
    }
    expect(lookedAt(world, 'unused')).toBe(67)
  })

  it('is made once for all worlds over the same starting state', () => {
    const base = createBase()
    let count = 0
    const where = { key: 'counted', test: () => Boolean(++count) }
    for (let each = 0; each < 3; each++) expect(createWorld(base).pets.select({ where }).size).toBe(200)
    expect(count).toBe(200)
  })
})

describe('a group', () => {
  it('that no record is in is empty', () => {
    const world = createWorld(createBase())
    expect(world.pets.select({ group: { by: 'categoryId', value: '9' } }).size).toBe(0)
    expect(world.pets.countIn('categoryId', '9' as Id)).toBe(0)
  })

  it('that the last record leaves is empty, and fills again', () => {
    const world = createWorld(createBaseWorld({ categories: [], pets: pets.slice(0, 1), orders: [] }))
    const [pet] = pets as [PetRecord]
    const inGroup = (value: string) => world.pets.select({ group: { by: 'categoryId', value } }).size
    world.pets.replace({ ...pet, categoryId: '2' as Id })
    expect([inGroup('1'), inGroup('2')]).toEqual([0, 1])
    world.pets.replace(pet)
    expect([inGroup('1'), inGroup('2')]).toEqual([1, 0])
  })

  it('named like a member of every object is a group like any other', () => {
    const world = createWorld(createBase())
    for (const name of ['__proto__', 'constructor', 'toString']) {
      expect(world.pets.countIn('categoryId', name as Id)).toBe(0)
    }
  })

  it('by what nothing is grouped by is a mistake, not an empty group', () => {
    const world = createWorld(createBase())
    for (const name of ['colour', 'constructor']) expect(() => world.pets.countIn(name, '1' as Id)).toThrow(name)
  })
})
