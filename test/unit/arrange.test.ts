import { describe, expect, it } from 'vitest'
import { createPetstore } from '../../src/index.js'

const EMPTY = { scenario: 'empty' } as const

it('undoes all steps of a change that is rejected, ids included', () => {
  const petstore = createPetstore(EMPTY)
  const before = petstore.exportState()
  expect(() => petstore.data.orders.create({ quantity: 0 })).toThrow('quantity')
  expect(petstore.exportState()).toEqual(before)
})

it.each([
  ['null', null, 'null'],
  ['a text', 'Rex', 'Rex'],
  ['a list', [{ name: 'Rex' }], 'a list'],
  ['a Map', new Map([['name', 'Rex']]), '[object Map]'],
  ['a promise', Promise.resolve({ name: 'Rex' }), '[object Promise]'],
])('rejects fields that are %s', (_, fields, received) => {
  const { pets } = createPetstore(EMPTY).data
  expect(() => pets.create(fields as never)).toThrow(`data.pets.create expects an object, but received ${received}.`)
  expect(pets.all()).toEqual([])
})

describe('createMany', () => {
  it('creates as many as requested, with the same fields or with those for each index', () => {
    const petstore = createPetstore(EMPTY)
    petstore.data.categories.createMany(2, (index) => ({ name: `Kind ${index}` }))
    expect(petstore.data.categories.all().map(({ name }) => name)).toEqual(['Kind 0', 'Kind 1'])
    expect(petstore.data.pets.createMany(3, { name: 'Rex', stock: 2 })).toMatchObject(Array(3).fill({ name: 'Rex' }))
    expect(petstore.data.orders.createMany(4)).toHaveLength(4)
    expect(petstore.data.pets.createMany(0)).toEqual([])
  })

  it('creates all or none', () => {
    const petstore = createPetstore(EMPTY)
    const create = () => petstore.data.pets.createMany(3, (index) => (index === 2 ? { categoryId: 999 } : {}))
    expect(create).toThrow('999')
    expect(petstore.data.pets.all()).toEqual([])
    expect(() => petstore.data.pets.createMany(-1)).toThrow('data.pets.createMany expects an integer of 0 or more')
  })

  it('rejects an async function', () => {
    const petstore = createPetstore(EMPTY)
    const fields = async () => ({ name: 'Rex' })
    expect(() => petstore.data.pets.createMany(2, fields as never)).toThrow('received [object Promise]')
    expect(petstore.data.pets.all()).toEqual([])
  })
})
