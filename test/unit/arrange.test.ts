import { describe, expect, it } from 'vitest'
import { createPetstore } from '../../src/index.js'

const EMPTY = { scenario: 'empty' } as const

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
  it('rejects an async function', () => {
    const petstore = createPetstore(EMPTY)
    const fields = async () => ({ name: 'Rex' })
    expect(() => petstore.data.pets.createMany(2, fields as never)).toThrow('received [object Promise]')
    expect(petstore.data.pets.all()).toEqual([])
  })
})
