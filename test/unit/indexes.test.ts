import { describe, expect, it } from 'vitest'
import type { Id } from '../../src/contract/int64.js'
import type { PetRecord } from '../../src/model/records.js'
import type { Selection } from '../../src/model/selection.js'
import { createBaseWorld, createWorld } from '../../src/model/world.js'

/** More than an index keeps, so that by the last of them the first are forgotten. */
const SEVERAL = 80

const pets: PetRecord[] = Array.from({ length: 200 }, (_, index) => ({
  id: String(index + 1) as Id,
  name: `pet ${index}`,
  categoryId: String((index % 3) + 1) as Id,
  status: 'available',
  stock: index,
}))

const base = createBaseWorld({ categories: [], pets, orders: [] })

/** The pets with at least so many in stock, with and without a group of their own. */
function selections(atLeast: number): Selection<PetRecord>[] {
  const where = { key: `stock>=${atLeast}`, test: (pet: PetRecord) => pet.stock >= atLeast }
  return [{ where }, { where, group: { by: 'categoryId', value: '2' } }]
}

describe('more different lists than are kept', () => {
  it('are all right, before and after changes, however often each is asked for', () => {
    const world = createWorld(base)
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

  it('do not disturb those of another world over the same starting state', () => {
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

describe('a group', () => {
  it('that no record is in is empty', () => {
    const world = createWorld(base)
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
    const world = createWorld(base)
    for (const name of ['__proto__', 'constructor', 'toString']) {
      expect(world.pets.countIn('categoryId', name as Id)).toBe(0)
    }
  })

  it('by what nothing is grouped by is a mistake, not an empty group', () => {
    const world = createWorld(base)
    for (const name of ['colour', 'constructor']) expect(() => world.pets.countIn(name, '1' as Id)).toThrow(name)
  })
})
