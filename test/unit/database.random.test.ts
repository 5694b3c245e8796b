import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { StoreSnapshot } from '../../src/engine/store/store.js'
import type { Id } from '../../src/lib/int64.js'
import type { PetRecord } from '../../src/petstore/records.js'
import { isFullRun } from '../support/full-run.js'
import { openStore, type PetstoreStore } from '../support/store.js'

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

// --- Lists are derived from the database ---

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constantFrom('insert', 'replace'), pick: fc.nat(), stock: fc.nat(4) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('remove', 'restore'), pick: fc.nat(), stock: fc.nat(4) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('snapshot', 'reset'), pick: fc.nat(), stock: fc.nat(4) }) },
)

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

function perform(store: PetstoreStore, snapshots: StoreSnapshot[], { kind, pick, stock }: Step): void {
  const { pets } = store.collections
  const existing = store.database.pets.getAll() as unknown as PetRecord[]
  const chosen = existing[pick % Math.max(1, existing.length)]
  const values = {
    name: `Pet ${pick}`,
    categoryId: asId((pick % 3) + 1),
    status: STATUSES[stock % 3],
    stock,
  } as PetRecord
  if (kind === 'insert') pets.insert(values)
  else if (kind === 'replace' && chosen) pets.replace({ ...values, id: chosen.id })
  else if (kind === 'remove' && chosen) pets.remove(chosen.id)
  else if (kind === 'snapshot') snapshots.push(store.snapshot())
  else if (kind === 'reset') store.reset()
  else if (kind === 'restore' && snapshots.length > 0)
    store.restore(snapshots[pick % snapshots.length] as StoreSnapshot)
}

const byId = (a: { id: string }, b: { id: string }) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1)

function expectSameAsDatabase({ database, collections: { pets } }: PetstoreStore): void {
  expect([...pets.select({})]).toEqual(database.pets.getAll().toSorted(byId))
  expect(pets.size).toBe(database.pets.count())
  for (const status of STATUSES) {
    const listed = pets.select({ where: { key: status, test: (pet) => pet.status === status } })
    expect([...listed]).toEqual(database.pets.findMany({ where: { status: { equals: status } } }).toSorted(byId))
  }
  for (const categoryId of [1, 2, 3].map(asId)) {
    const where = { categoryId: { equals: categoryId } }
    expect([...pets.select({ group: { by: 'categoryId', value: categoryId } })]).toEqual(
      database.pets.findMany({ where }).toSorted(byId),
    )
    expect(pets.countIn('categoryId', categoryId)).toBe(database.pets.count({ where }))
  }
  for (const pet of pets.select({})) expect(pets.get(pet.id)).toBe(pet)
}

it('lists exactly the records of the database after random writes, snapshots, restores and resets', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60, size: 'max' }), (steps) => {
      const store = openStore({ pets: createPets(12) })
      const snapshots: StoreSnapshot[] = []
      for (const each of steps) {
        perform(store, snapshots, each)
        expectSameAsDatabase(store)
      }
    }),
    { numRuns: isFullRun ? 120 : 20 },
  )
})
