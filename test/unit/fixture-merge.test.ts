import { describe, expect, it } from 'vitest'
import { expandInline, mergeOver as merge } from '../../src/engine/data/merge.js'
import { runNow } from '../../src/lib/steps.js'
import type { Fixture, FixtureId } from '../../src/petstore/fixtures/format.js'
import { petstoreService } from '../../src/petstore/service.js'

const LAST = '9223372036854775807'

const SCENARIO: Fixture = {
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

const format = petstoreService.fixtureFormat
const mergeOver = (scenario: Fixture, own: object) => merge(scenario as never, own as never, format)
const expand = (fixture: object) => runNow(expandInline({ categories: [], ...fixture }, format))

const messagesOf = (fixture: object) => expand(fixture).problems.map(({ message }) => message)

const petWith = (id: FixtureId, category: unknown) => ({ id, name: `Pet ${id}`, category })

describe('a fixture merged over a scenario', () => {
  it.each([
    ['categories', { id: 2, name: 'Lions' }, { id: 3, name: 'Owls' }],
    ['orders', { id: 2, quantity: 7 }, { id: 3 }],
  ] as const)('replaces entries with the same id and adds the others: %s', (list, same, other) => {
    const merged = mergeOver(SCENARIO, { [list]: [same, other] })
    expect(merged).toEqual({ ...SCENARIO, [list]: [same, other, SCENARIO[list][0]] })
  })

  it.each([2, 2n, '2'])('recognizes the id %o of any type', (id) => {
    const pet = { id, name: 'Bo', categoryId: 1 }
    expect(mergeOver(SCENARIO, { pets: [pet] }).pets).toEqual([pet, SCENARIO.pets[0]])
    const entry = { petId: id, quantity: 0, status: 'sold' }
    expect(mergeOver(SCENARIO, { inventory: [entry] }).inventory).toEqual([entry, SCENARIO.inventory[0]])
  })

  it.each(['categories', 'pets', 'inventory', 'orders'])('does not change a value that is not a list: %s', (list) => {
    for (const value of ['x', 5, null, {}]) expect(mergeOver(SCENARIO, { [list]: value })[list]).toEqual(value)
  })

  it('does not remove invalid entries and unknown fields', () => {
    const own = { pets: [null, 5, { name: 'Bo' }, { id: 'x' }], description: 'mine', sales: [] }
    const merged = mergeOver(SCENARIO, own)
    expect(merged).toMatchObject({ description: 'mine', sales: [] })
    expect(merged.pets).toEqual([...own.pets, ...SCENARIO.pets])
    expect(merged.inventory).toEqual(SCENARIO.inventory)
  })
})

describe('categories that are described in pets', () => {
  it('are those of the list with the same name, whose description does not change', () => {
    const { fixture } = expand({ ...SCENARIO, pets: [petWith(1, { name: 'Dogs', description: 'Other' })] })
    expect(fixture.categories).toEqual(SCENARIO.categories)
    expect(fixture.pets).toEqual([{ id: 1, name: 'Pet 1', categoryId: 1 }])
  })

  it.each<[string, FixtureId[]]>([
    ['continues after the largest', [2, 40, 7]],
    ['continues beyond the safe integers', ['9007199254740993', 9007199254740992n]],
    ['is positive after negative ids', [-5]],
    ['avoids the largest int64', [1, LAST]],
    ['avoids ids at both ends', [1, 2, 4, BigInt(LAST), BigInt(LAST) - 1n]],
  ])('get an unused id: it %s', (_, ids) => {
    const categories = ids.map((id) => ({ id, name: `Category ${id}` }))
    const { fixture, problems } = expand({ categories, pets: ['A', 'B', 'C'].map((name) => petWith(name, { name })) })
    const all = (fixture.categories as Fixture['categories']).map(({ id }) => BigInt(id))
    expect(problems).toEqual([])
    expect(all).toHaveLength(ids.length + 3)
    expect(new Set(all).size).toBe(all.length)
    for (const id of all.slice(ids.length)) expect(id > 0n && id <= BigInt(LAST)).toBe(true)
  })

  it('cannot be combined with an id, even of the same category', () => {
    const pet = { ...petWith(1, { name: 'Dogs' }), categoryId: 1 }
    expect(messagesOf({ ...SCENARIO, pets: [SCENARIO.pets[0], pet] })).toEqual([
      '/pets/1/category cannot be combined with categoryId.',
    ])
  })

  it.each([
    ['Dogs', '/pets/1/category must be an object, but is the string "Dogs"'],
    [{}, '/pets/1/category/name is missing: it must be a string'],
    [{ name: 'Owls', description: 5 }, '/pets/1/category/description must be a string, but is the number 5'],
  ])('have one problem if they are invalid: %j', (category, message) => {
    expect(messagesOf({ pets: [petWith(1, { name: 'Owls' }), petWith(2, category)] })).toEqual([message])
  })
})
