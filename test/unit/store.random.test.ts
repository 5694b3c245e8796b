import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { atomically } from '../../src/engine/store/atomically.js'
import type { Collection } from '../../src/engine/store/collection.js'
import type { Selection } from '../../src/engine/store/indexes.js'
import { createStore, type StoreSnapshot } from '../../src/engine/store/store.js'
import { compareIds, type Id } from '../../src/lib/int64.js'
import type { OrderRecord, PetRecord } from '../../src/petstore/records.js'
import { isFullRun } from '../support/full-run.js'
import { createBase, type PetstoreRecords, type PetstoreStore } from '../support/store.js'

const RUNS = { seed: 2026, numRuns: isFullRun ? 200 : 20 }

const asId = (value: number | bigint) => String(value) as Id
const smallId = fc.integer({ min: 1, max: 4 }).map(asId)
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { freq: 3, nil: undefined })

const petValues = fc.record({
  name: fc.constantFrom('Ada', 'Bo', 'Cy', ''),
  categoryId: smallId,
  status: fc.constantFrom('available' as const, 'pending' as const, 'sold' as const),
  stock: fc.nat(3),
})

const orderValues = fc.record({
  petId: maybe(smallId),
  quantity: maybe(fc.integer({ min: 1, max: 3 })),
  shipDate: maybe(fc.constantFrom('2026-01-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z')),
  complete: maybe(fc.boolean()),
})

const startingRecords: fc.Arbitrary<PetstoreRecords> = fc
  .tuple(
    fc.uniqueArray(fc.integer({ min: -5, max: 30 })),
    fc.uniqueArray(fc.integer({ min: -5, max: 30 })),
    fc.array(petValues, { minLength: 36, maxLength: 36 }),
    fc.array(orderValues, { minLength: 36, maxLength: 36 }),
  )
  .map(([petIds, orderIds, pets, orders]) => ({
    categories: [],
    pets: petIds.map((id, index) => ({ ...(pets[index] as PetRecord), id: asId(id) })),
    orders: orderIds.map((id, index) => ({ ...(orders[index] as OrderRecord), id: asId(id) })),
  }))

// --- Queries ---

type Sort<R> = NonNullable<Selection<R>['sort']>

/** Sorts by one field, with missing values last and equal ones by id. */
function orderBy<R extends { readonly id: Id }>(key: keyof R & string, direction: 1 | -1): Sort<R> {
  return {
    key: `${direction}${key}`,
    compare(left, right) {
      const a = left[key] as string | number | undefined
      const b = right[key] as string | number | undefined
      const order = a === b ? 0 : a === undefined ? 1 : b === undefined ? -1 : (a < b ? -1 : 1) * direction
      return order || compareIds(left.id, right.id)
    },
  }
}

function selectionOf<R>(
  groupings: readonly string[],
  filters: readonly NonNullable<Selection<R>['where']>[],
  sorts: readonly Sort<R>[],
): fc.Arbitrary<Selection<R>> {
  return fc.record(
    {
      group: fc.record({ by: fc.constantFrom(...groupings), value: smallId }),
      where: fc.constantFrom(...filters),
      sort: fc.constantFrom(...sorts),
    },
    { requiredKeys: [] },
  )
}

const petSelection = selectionOf<PetRecord>(
  ['categoryId'],
  [
    { key: 'sold', test: (pet) => pet.status === 'sold' },
    { key: 'in stock', test: (pet) => pet.stock > 0 },
    { key: 'none', test: () => false },
  ],
  [orderBy('name', 1), orderBy('name', -1), orderBy('stock', -1)],
)

const orderSelection = selectionOf<OrderRecord>(
  ['petId', 'openPetId'],
  [
    { key: 'complete', test: (order) => order.complete === true },
    { key: 'dated', test: (order) => order.shipDate !== undefined },
  ],
  [orderBy('quantity', 1), orderBy('quantity', -1), orderBy('shipDate', 1)],
)

// --- The same queries on plain arrays ---

type Groupings<R> = Readonly<Record<string, (record: R) => string | undefined>>

const petGroupings: Groupings<PetRecord> = { categoryId: (pet) => pet.categoryId }
const orderGroupings: Groupings<OrderRecord> = {
  petId: (order) => order.petId,
  openPetId: (order) => (order.complete ? undefined : order.petId),
}

function selectFrom<R extends { readonly id: Id }>(
  records: readonly R[],
  { group, where, sort }: Selection<R>,
  groupings: Groupings<R>,
): R[] {
  return records
    .filter((record) => group === undefined || groupings[group.by]?.(record) === group.value)
    .filter((record) => where?.test(record) ?? true)
    .sort(sort?.compare ?? ((a, b) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1)))
}

/** The records of one kind, and the id that the next one gets. */
interface ModelCollection<R> {
  records: readonly R[]
  next: number
}

interface Model {
  readonly pets: ModelCollection<PetRecord>
  readonly orders: ModelCollection<OrderRecord>
}

function modelCollectionOf<R extends { readonly id: Id }>(records: readonly R[]): ModelCollection<R> {
  return { records, next: Math.max(0, ...records.map(({ id }) => Number(id))) + 1 }
}

const modelOf = ({ pets, orders }: PetstoreRecords): Model => ({
  pets: modelCollectionOf([...pets]),
  orders: modelCollectionOf([...orders]),
})
const copyOf = ({ pets, orders }: Model): Model => ({ pets: { ...pets }, orders: { ...orders } })

/** A record without the hidden properties that the library adds. */
const plain = <R extends object>(record: R): R => Object.fromEntries(Object.entries(record)) as R

// --- Steps ---

interface Write<R> {
  readonly kind: 'insert' | 'replace' | 'remove'
  readonly values: Omit<R, 'id'>
  /** Selects one of the existing records. */
  readonly pick: number
}

const pick = fc.nat(1000)
const kind = fc.constantFrom(
  'insert' as const,
  'insert' as const,
  'replace' as const,
  'replace' as const,
  'remove' as const,
)

const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ pets: fc.record({ kind, values: petValues, pick }) }) },
  { weight: 6, arbitrary: fc.record({ orders: fc.record({ kind, values: orderValues, pick }) }) },
  { weight: 1, arbitrary: fc.constant('snapshot' as const) },
  { weight: 1, arbitrary: fc.record({ restore: pick }) },
  { weight: 1, arbitrary: fc.constant('reset' as const) },
)

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

interface Subject {
  readonly store: PetstoreStore
  model: Model
  readonly snapshots: { readonly store: StoreSnapshot; readonly model: Model }[]
}

function perform(subject: Subject, action: Step, starting: PetstoreRecords): void {
  const { store, model, snapshots } = subject
  if (action === 'snapshot') {
    snapshots.push({ store: store.snapshot(), model: copyOf(model) })
  } else if (action === 'reset') {
    store.reset()
    subject.model = modelOf(starting)
  } else if ('restore' in action) {
    const snapshot = snapshots[action.restore % snapshots.length]
    if (snapshot === undefined) return
    store.restore(snapshot.store)
    subject.model = copyOf(snapshot.model)
  } else if ('pets' in action) {
    write(store.collections.pets as never, model.pets, action.pets)
  } else {
    write(store.collections.orders as never, model.orders, action.orders)
  }
}

function write<R extends { readonly id: Id }>(
  collection: Collection<R, string>,
  shelf: ModelCollection<R>,
  action: Write<R>,
): void {
  const chosen = shelf.records[action.pick % shelf.records.length]
  if (action.kind === 'insert') {
    const record = { ...action.values, id: asId(shelf.next) } as R
    expect(plain(collection.insert(action.values))).toEqual(record)
    shelf.next += 1
    shelf.records = [...shelf.records, record]
  } else if (chosen && action.kind === 'replace') {
    const record = { ...action.values, id: chosen.id } as R
    expect(plain(collection.replace(record))).toEqual(record)
    shelf.records = shelf.records.map((each) => (each === chosen ? record : each))
  } else if (chosen) {
    collection.remove(chosen.id)
    shelf.records = shelf.records.filter((each) => each !== chosen)
  }
}

/** Expects that the lists of a collection equal those of plain records. */
function expectShown<R extends { readonly id: Id }>(
  collection: Collection<R, string>,
  { records }: ModelCollection<R>,
  selections: readonly Selection<R>[],
  groupings: Groupings<R>,
): void {
  for (const selection of [{}, ...selections]) {
    const list = collection.select(selection)
    const expected = selectFrom(records, selection, groupings)
    expect([list.size, [...list].map(plain), list.slice(1, 2).map(plain)]).toEqual([
      ...[expected.length, expected, expected.slice(1, 3)],
    ])
  }
  for (const [name, grouping] of Object.entries(groupings)) {
    const values = [1, 2, 3, 4, 5].map(asId)
    expect(values.map((value) => collection.countIn(name, value))).toEqual(
      values.map((value) => records.filter((record) => grouping(record) === value).length),
    )
  }
}

describe('two stores over one base', () => {
  it('behave like plain lists of records, independently of each other', () => {
    const turn = fc.record({
      which: fc.nat(1),
      action: step,
      pets: fc.array(petSelection, { maxLength: 2 }),
      orders: fc.array(orderSelection, { maxLength: 2 }),
    })
    fc.assert(
      fc.property(startingRecords, fc.array(turn, { maxLength: 40, size: 'max' }), (starting, turns) => {
        const base = createBase(starting)
        const start = (): Subject => ({ store: createStore(base), model: modelOf(starting), snapshots: [] })
        const subjects = [start(), start()]
        for (const { which, action, pets, orders } of turns) {
          perform(subjects[which] as Subject, action, starting)
          for (const { store, model } of subjects) {
            expectShown(store.collections.pets as never, model.pets, pets, petGroupings)
            expectShown(store.collections.orders as never, model.orders, orders, orderGroupings)
          }
        }
        for (const { store, model } of subjects) {
          for (const pet of model.pets.records) expect(plain(store.collections.pets.get(pet.id) ?? {})).toEqual(pet)
          for (const order of model.orders.records)
            expect(plain(store.collections.orders.get(order.id) ?? {})).toEqual(order)
        }
      }),
      RUNS,
    )
  })
})

const REX = { id: asId(1), name: 'Rex', categoryId: asId(1), status: 'available', stock: 1 } as const
const MAX = asId(2n ** 63n - 1n)

function storeWith(...pets: PetRecord[]): PetstoreStore {
  return createStore(createBase({ categories: [], pets, orders: [] }))
}

describe('a record', () => {
  it('does not change for a caller that holds it', () => {
    const store = storeWith(REX)
    const before = store.collections.pets.get(REX.id)
    store.collections.pets.replace({ ...REX, name: 'Max' })
    expect(before?.name).toBe('Rex')
    expect(store.collections.pets.get(REX.id)?.name).toBe('Max')
  })

  it('is not the object that was given, which may change later', () => {
    const store = storeWith(REX)
    const given = { ...REX, name: 'Max' }
    store.collections.pets.replace(given)
    given.name = 'changed'
    expect(store.collections.pets.get(REX.id)?.name).toBe('Max')
  })

  it('that does not exist can be neither replaced nor removed', () => {
    const store = storeWith(REX)
    expect(() => store.collections.pets.replace({ ...REX, id: asId(2) })).toThrow('No record has the id 2.')
    expect(() => store.collections.pets.remove(asId(2))).toThrow('No record has the id 2.')
    store.collections.pets.remove(REX.id)
    expect(() => store.collections.pets.remove(REX.id)).toThrow('No record has the id 1.')
    expect(store.collections.pets.select({}).size).toBe(0)
  })

  it('may contain any text, and lack a field', () => {
    const store = storeWith(REX)
    for (const name of ['', '__proto__', 'constructor', '\0', '💚', 'x'.repeat(100_000)]) {
      expect(store.collections.pets.insert({ ...REX, name }).name).toBe(name)
      expect(store.collections.categories.insert({ name })).toMatchObject({
        name,
        description: undefined,
      })
    }
  })
})

describe('an id', () => {
  it('is not reused when its record is removed, even from the starting data', () => {
    const store = storeWith(REX, { ...REX, id: asId(9) })
    store.collections.pets.remove(asId(9))
    expect(store.collections.pets.insert(REX).id).toBe('10')
    store.collections.pets.remove(asId(10))
    expect(store.collections.pets.insert(REX).id).toBe('11')
  })

  it('that is the largest int64 is not reused when its record is removed', () => {
    const store = storeWith(REX, { ...REX, id: MAX })
    store.collections.pets.remove(MAX)
    expect(store.collections.pets.insert(REX).id).toBe('2')
  })

  it('can be chosen for one insert only, even if that fails', () => {
    const { pets } = storeWith(REX).collections
    expect(pets.withId(asId(7), () => pets.insert(REX))).toMatchObject({ id: '7', name: 'Rex' })
    const fail = () => {
      throw new Error('failed')
    }
    expect(() => pets.withId(asId(20), fail)).toThrow('failed')
    expect(pets.insert(REX).id).toBe('2')
    expect([...pets.select({})].map(({ id }) => id)).toEqual(['1', '2', '7'])
  })

  it('is sorted exactly beyond the range of doubles', () => {
    const ids = [2n ** 53n + 1n, 2n ** 53n, -(2n ** 63n), 2n ** 63n - 1n, 0n].map(asId)
    const store = storeWith(...ids.map((id) => ({ ...REX, id })))
    expect([...store.collections.pets.select({})].map(({ id }) => id)).toEqual([
      '-9223372036854775808',
      '0',
      '9007199254740992',
      '9007199254740993',
      '9223372036854775807',
    ])
  })
})

describe('several writes at once', () => {
  it('are all undone when one fails, ids included', () => {
    const store = storeWith(REX, { ...REX, id: asId(2) })
    const before = store.collections.pets.nextId
    expect(() =>
      atomically(() => {
        store.collections.pets.replace({ ...REX, name: 'Max' })
        store.collections.pets.replace({ ...REX, name: 'Moritz' })
        store.collections.pets.remove(asId(2))
        const added = store.collections.pets.insert(REX)
        atomically(() => store.collections.pets.remove(added.id))
        store.collections.pets.insert(REX)
        throw new Error('failed')
      }),
    ).toThrow('failed')
    expect([...store.collections.pets.select({})].map(plain)).toEqual([REX, { ...REX, id: asId(2) }])
    expect(store.database.pets.count()).toBe(2)
    expect(store.collections.pets.countIn('categoryId', REX.categoryId)).toBe(2)
    expect(store.collections.pets.nextId).toBe(before)
  })

  it('stay when none fails, and are not undone by a later failure', () => {
    const store = storeWith(REX)
    atomically(() => store.collections.pets.insert({ ...REX, name: 'Ada' }))
    expect(() =>
      atomically(() => {
        throw new Error('failed')
      }),
    ).toThrow('failed')
    expect(store.collections.pets.size).toBe(2)
  })

  it('of a promise leave alone what others did meanwhile', async () => {
    const { pets } = storeWith(REX, { ...REX, id: asId(2) }).collections
    const { nextId } = pets
    const failing = atomically(async (changes) => {
      const bound = changes.bind(pets)
      bound.replace({ ...REX, name: 'Max' })
      bound.remove(asId(2))
      bound.insert(REX)
      await Promise.resolve()
      bound.insert(REX)
      throw new Error('failed')
    })
    pets.replace({ ...REX, name: 'Ada' })
    const others = pets.insert({ ...REX, name: 'Eve' })
    await expect(failing).rejects.toThrow('failed')
    expect([...pets.select({})].map(({ name }) => name)).toEqual(['Ada', 'Rex', 'Eve'])
    expect(pets.size).toBe(3)
    expect(others.id).not.toBe(nextId)
    expect(pets.insert(REX).id).toBe(String(Number(others.id) + 1))
  })

  it('are not undone after a reset', async () => {
    const store = storeWith(REX)
    const { pets } = store.collections
    const added = pets.insert(REX)
    const failing = atomically(async (changes) => {
      changes.bind(pets).remove(added.id)
      await Promise.resolve()
      throw new Error('failed')
    })
    store.reset()
    await expect(failing).rejects.toThrow('failed')
    expect([...pets.select({})].map(plain)).toEqual([REX])
  })

  it('of what goes on after it has failed are undone at once', async () => {
    const { pets } = storeWith(REX).collections
    let goOn = () => {}
    await expect(
      atomically(async (changes) => {
        goOn = () => void changes.bind(pets).insert(REX)
        throw new Error('failed')
      }),
    ).rejects.toThrow('failed')
    goOn()
    expect(pets.size).toBe(1)
  })

  it('leave a record unchanged', () => {
    const { pets } = storeWith(REX).collections
    const fail = () =>
      atomically(() => {
        pets.replace({ ...REX, name: 'Max' })
        throw new Error('failed')
      })
    expect(fail).toThrow('failed')
    expect(pets.isUnchanged(pets.get(REX.id) as never)).toBe(true)
  })
})
