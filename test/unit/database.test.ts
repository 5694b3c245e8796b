import { describe, expect, it } from 'vitest'
import { type Id, toId } from '../../src/lib/int64.js'
import { isStored } from '../../src/lib/stored.js'
import type { PetRecord } from '../../src/petstore/records.js'
import { openStore } from '../support/store.js'

// That its lists are those of a store after random writes: any-record.random.test.ts.

const asId = (value: number) => String(value) as Id
const STATUSES = ['available', 'pending', 'sold'] as const

function createPets(count: number): PetRecord[] {
  return Array.from({ length: count }, (_, index) => ({
    id: asId(index + 1),
    name: `Pet ${index}`,
    categoryId: asId((index % 3) + 1),
    status: STATUSES[index % 3] as PetRecord['status'],
    stock: index % 5,
  }))
}

const [REX] = createPets(1) as [PetRecord]

describe('the model of @mswjs/data', () => {
  it('rejects a second record with the same id', () => {
    expect(() => openStore({ pets: [REX, REX] })).toThrow('already exists')
  })

  it('stores no field that it does not have', () => {
    const { collections } = openStore({ pets: [{ ...REX, colour: 'red' } as PetRecord] })
    expect(Object.keys(collections.pets.get(REX.id) ?? {})).toEqual(['id', 'name', 'categoryId', 'status', 'stock'])
  })
})

describe('the queries of @mswjs/data', () => {
  it('find the records of a store', () => {
    const { database, collections } = openStore({ pets: createPets(30) })
    collections.pets.remove(asId(3))
    collections.pets.replace({ ...REX, name: 'Rex', stock: 40 })
    const added = collections.pets.insert({ ...REX, name: 'Ada', stock: 50 })
    expect(database.pets.findFirst({ where: { id: { equals: REX.id } } })).toMatchObject({ name: 'Rex' })
    expect(database.pets.findFirst({ where: { id: { equals: asId(3) } } })).toBeNull()
    expect(database.pets.findMany({ where: { stock: { gte: 40 } }, orderBy: { stock: 'desc' } })).toMatchObject([
      { id: added.id },
      { id: REX.id },
    ])
    expect(database.pets.count()).toBe(30)
    expect(database.pets.count({ where: { name: { contains: 'Pet' } } })).toBe(28)
    expect(database.pets.getAll()).toHaveLength(30)
  })
})

const CATEGORY = { id: toId(1), name: 'Dogs' }

it('tells records of a database from other values', () => {
  const { collections } = openStore({ categories: [CATEGORY] })
  expect(isStored(collections.categories.get(CATEGORY.id))).toBe(true)
  for (const value of [CATEGORY, {}, null, undefined, 'Dogs', 1]) expect(isStored(value)).toBe(false)
})

it('leaves the length of stack traces as it was', () => {
  const before = Error.stackTraceLimit
  openStore()
  expect(before).toBeGreaterThan(0)
  expect(Error.stackTraceLimit).toBe(before)
})
