import { describe, expect, it } from 'vitest'
import { storeContract } from '../../src/petstore/contract.js'
import type { Fixture, FixtureId } from '../../src/petstore/fixtures/format.js'
import { expandCategories, mergeOver } from '../../src/petstore/fixtures/merge.js'

const LAST = '9223372036854775807'

const WORLD: Fixture = {
  categories: [
    { id: 1, name: 'Dogs', description: 'They bark' },
    { id: 2, name: 'Cats' },
  ],
  pets: [
    { id: 1, name: 'Rex', categoryId: 1, status: 'available' },
    { id: 2, name: 'Ada', categoryId: 2, status: 'sold' },
  ],
  inventory: [
    { petId: 1, quantity: 5, status: 'available' },
    { petId: 2, quantity: 0, status: 'sold' },
  ],
  orders: [
    { id: 1, petId: 1, quantity: 1, complete: false },
    { id: 2, petId: 2, complete: true },
  ],
}

const expand = (draft: object) => expandCategories({ categories: [], ...draft }, storeContract())

/** A pet that brings its category along. */
const petWith = (id: FixtureId, category: unknown) => ({ id, name: `Pet ${id}`, category })

describe('a fixture laid over a world', () => {
  it('that says nothing leaves it as it is', () => {
    expect(mergeOver(WORLD, {})).toEqual(WORLD)
  })

  it.each([
    ['categories', { id: 2, name: 'Lions' }, { id: 3, name: 'Owls' }],
    ['orders', { id: 2, quantity: 7 }, { id: 3 }],
  ] as const)('replaces what has the same id and adds the rest: %s', (list, same, other) => {
    const merged = mergeOver(WORLD, { [list]: [same, other] })
    expect(merged).toEqual({ ...WORLD, [list]: [same, other, WORLD[list][0]] })
  })

  it.each([2, 2n, '2'])('knows the id %s in any spelling', (id) => {
    const pet = { id, name: 'Bo', categoryId: 1 }
    expect(mergeOver(WORLD, { pets: [pet] }).pets).toEqual([pet, WORLD.pets[0]])
    const entry = { petId: id, quantity: 0, status: 'sold' }
    expect(mergeOver(WORLD, { inventory: [entry] }).inventory).toEqual([entry, WORLD.inventory[0]])
  })

  it('takes the old entry of a pet away with the pet, and leaves the orders', () => {
    const pet = { id: 1, name: 'Bo', categoryId: 1 }
    const merged = mergeOver(WORLD, { pets: [pet] })
    expect(merged).toEqual({ ...WORLD, pets: [pet, WORLD.pets[1]], inventory: [WORLD.inventory[1]] })
  })

  it('replaces the entry of a pet that stays', () => {
    const entry = { petId: 1, quantity: 9, status: 'available' }
    expect(mergeOver(WORLD, { inventory: [entry] })).toEqual({ ...WORLD, inventory: [entry, WORLD.inventory[1]] })
  })

  it.each(['categories', 'pets', 'inventory', 'orders'])('keeps what should be a list and is none: %s', (list) => {
    for (const value of ['x', 5, null, {}]) expect(mergeOver(WORLD, { [list]: value })[list]).toEqual(value)
  })

  it('keeps entries that cannot be read, and fields that it does not know', () => {
    const own = { pets: [null, 5, { name: 'Bo' }, { id: 'x' }], description: 'mine', sales: [] }
    const merged = mergeOver(WORLD, own)
    expect(merged).toMatchObject({ description: 'mine', sales: [] })
    expect(merged.pets).toEqual([...own.pets, ...WORLD.pets])
    expect(merged.inventory).toEqual(WORLD.inventory)
  })

  it('changes neither the world nor the fixture', () => {
    const own = { pets: [petWith(1, { name: 'Owls' })] }
    const before = structuredClone([WORLD, own])
    expandCategories(mergeOver(WORLD, own), storeContract())
    expect([WORLD, own]).toEqual(before)
  })
})

describe('categories that pets bring along', () => {
  it('get a place in the list and leave their id with the pet', () => {
    expect(expand({ pets: [petWith(7, { name: 'Owls', description: 'They hoot' })] })).toEqual({
      draft: {
        categories: [{ id: '1', name: 'Owls', description: 'They hoot' }],
        pets: [{ id: 7, name: 'Pet 7', categoryId: '1' }],
      },
      problems: [],
    })
  })

  it('are one where they have one name, and different ones otherwise', () => {
    const names = ['Owls', 'owls', 'Owls', 'Newts', 'owls']
    const { draft } = expand({ pets: names.map((name, index) => petWith(index, { name })) })
    expect(draft.categories).toEqual(['Owls', 'owls', 'Newts'].map((name, index) => ({ id: String(index + 1), name })))
    expect((draft.pets as Fixture['pets']).map(({ categoryId }) => categoryId)).toEqual(['1', '2', '1', '3', '2'])
  })

  it('are those of the list where it has the name, whose description stays', () => {
    const { draft } = expand({ ...WORLD, pets: [petWith(1, { name: 'Dogs', description: 'Other' })] })
    expect(draft.categories).toEqual(WORLD.categories)
    expect(draft.pets).toEqual([{ id: 1, name: 'Pet 1', categoryId: 1 }])
  })

  it.each<[string, FixtureId[]]>([
    ['counts on from the largest', [2, 40, 7]],
    ['counts on beyond what a double holds', ['9007199254740993', 9007199254740992n]],
    ['is positive, whatever there is', [-5]],
    ['stands clear of the end of int64', [1, LAST]],
    ['stands clear of both ends of a run', [1, 2, 4, BigInt(LAST), BigInt(LAST) - 1n]],
  ])('get an id that nobody has: it %s', (_, ids) => {
    const categories = ids.map((id) => ({ id, name: `Category ${id}` }))
    const { draft, problems } = expand({ categories, pets: ['A', 'B', 'C'].map((name) => petWith(name, { name })) })
    const all = (draft.categories as Fixture['categories']).map(({ id }) => BigInt(id))
    expect(problems).toEqual([])
    expect(all).toHaveLength(ids.length + 3)
    expect(new Set(all).size).toBe(all.length)
    for (const id of all.slice(ids.length)) expect(id > 0n && id <= BigInt(LAST)).toBe(true)
  })

  it('count on from the largest id, exactly', () => {
    const categories = [{ id: '9007199254740993', name: 'Dogs' }]
    const { draft } = expand({ categories, pets: [petWith(1, { name: 'Owls' })] })
    expect(draft.categories).toEqual([...categories, { id: '9007199254740994', name: 'Owls' }])
  })

  it('must not stand beside an id, even of the same category', () => {
    const pet = { ...petWith(1, { name: 'Dogs' }), categoryId: 1 }
    const { problems } = expand({ ...WORLD, pets: [WORLD.pets[0], pet] })
    expect(problems).toEqual(['/pets/1/category must not stand beside categoryId'])
  })

  it.each([
    ['Dogs', '/pets/1/category must be an object, but is the string "Dogs"'],
    [null, '/pets/1/category must be an object, but is null'],
    [[], '/pets/1/category must be an object, but is an array'],
    [{}, '/pets/1/category/name is missing: it must be a string'],
    [{ name: 5 }, '/pets/1/category/name must be a string, but is the number 5'],
    [{ name: 'Owls', description: 5 }, '/pets/1/category/description must be a string, but is the number 5'],
  ])('are refused by one line where they are broken: %j', (category, line) => {
    expect(expand({ pets: [petWith(1, { name: 'Owls' }), petWith(2, category)] }).problems).toEqual([line])
  })

  it('are not looked for in what is no pet', () => {
    const pets = [null, 5, 'x', { id: 1 }]
    expect(expand({ pets })).toEqual({ draft: { categories: [], pets }, problems: [] })
  })

  it.each(['x', null, {}])('leave lists alone that are none: %j', (value) => {
    expect(expand({ pets: value }).draft).toEqual({ categories: [], pets: value })
    expect(expand({ categories: value, pets: [] }).draft).toEqual({ categories: value, pets: [] })
  })
})
