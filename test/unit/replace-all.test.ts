import { describe, expect, it } from 'vitest'
import type { Id } from '../../src/lib/int64.js'
import type { PetRecord } from '../../src/petstore/records.js'
import { createBaseWorld, createWorld, type World } from '../../src/petstore/world.js'

const asId = (value: number | bigint) => String(value) as Id

const petWith = (id: number, name = `Pet ${id}`): PetRecord => ({
  id: asId(id),
  name,
  categoryId: asId(1),
  status: 'available',
  stock: 1,
})

const STARTING = [1, 2, 3].map((id) => petWith(id))

const openWorld = () => createWorld(createBaseWorld({ categories: [], pets: STARTING, orders: [] }))

function replacePets(world: World, pets: readonly PetRecord[], next?: Id): void {
  world.replaceAll({ categories: [], pets, orders: [] }, next === undefined ? {} : { pets: next })
}

const idsOf = (world: World) => [...world.pets.select({})].map(({ id }) => id)
const namesOf = (world: World) => [...world.pets.select({})].map(({ name }) => name)

/** What a world keeps for itself; the rest it shares with all others over the same starting state. */
const changedIn = (world: World) => [...world.snapshot().pets.changes.keys()]

describe('records that replace all others', () => {
  it('are the only ones, in lists and groups too', () => {
    const world = openWorld()
    world.pets.insert(petWith(0, 'Gone'))
    replacePets(world, [petWith(9), petWith(2, 'Changed'), { ...petWith(5), categoryId: asId(2) }])
    expect(namesOf(world)).toEqual(['Changed', 'Pet 5', 'Pet 9'])
    expect(world.pets.size).toBe(3)
    expect(world.pets.get(asId(1))).toBeUndefined()
    expect(world.pets.countIn('categoryId', asId(1))).toBe(2)
    expect(world.pets.countIn('categoryId', asId(2))).toBe(1)
  })

  it('cost nothing to keep where they are those the world started with', () => {
    const world = openWorld()
    world.pets.replace(petWith(2, 'Changed'))
    replacePets(world, STARTING)
    expect(changedIn(world)).toEqual([])
    expect(idsOf(world)).toEqual(['1', '2', '3'])
  })

  it.each<[string, Partial<PetRecord>]>([
    ['name', { name: 'Changed' }],
    ['category', { categoryId: asId(2) }],
    ['status', { status: 'pending' }],
    ['stock', { stock: 0 }],
  ])('cost what differs: one that has another %s, one that is new and one that is missing', (_, change) => {
    const world = openWorld()
    const changed = { ...petWith(1), ...change }
    replacePets(world, [changed, petWith(3), petWith(4)])
    expect(changedIn(world).sort()).toEqual(['1', '2', '4'])
    expect(world.pets.get(asId(1))).toMatchObject(changed)
  })

  it('are left behind by a reset', () => {
    const world = openWorld()
    replacePets(world, [petWith(9)])
    world.reset()
    expect(namesOf(world)).toEqual(['Pet 1', 'Pet 2', 'Pet 3'])
    expect(world.pets.nextId).toBe('4')
  })

  it('say which id is next, unless it is said', () => {
    const world = openWorld()
    replacePets(world, [petWith(9), petWith(10)])
    expect(world.pets.nextId).toBe('11')
    replacePets(world, [petWith(9), petWith(10)], asId(40))
    expect(world.pets.insert(petWith(0)).id).toBe('40')
    replacePets(world, [])
    expect(world.pets.insert(petWith(0)).id).toBe('1')
  })
})

describe('a starting state that says which id is next', () => {
  it('goes on from there, past the ids that are taken', () => {
    const next = { pets: asId(2) }
    const world = createWorld(createBaseWorld({ categories: [], pets: STARTING, orders: [] }, next))
    expect([world.pets.insert(petWith(0)).id, world.pets.insert(petWith(0)).id]).toEqual(['4', '5'])
  })
})

describe('a record that has the last id of int64', () => {
  it('may be the only one: the next counts from 1', () => {
    const last = { ...petWith(1), id: asId(2n ** 63n - 1n) }
    const world = createWorld(createBaseWorld({ categories: [], pets: [last], orders: [] }))
    expect(world.pets.insert(petWith(0)).id).toBe('1')
  })
})
