import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Collection } from '../../src/engine/store/collection.js'
import type { Selection } from '../../src/engine/store/selection.js'
import { compareIds, type Id } from '../../src/lib/int64.js'
import type { OrderRecord, PetRecord, Records } from '../../src/petstore/records.js'
import { createBaseWorld, createWorld, type World, type WorldSnapshot } from '../../src/petstore/world.js'

const RUNS = { seed: 2026, numRuns: 60 }

const asId = (value: number | bigint) => String(value) as Id
const smallId = fc.integer({ min: 1, max: 4 }).map(asId)
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { freq: 3 })

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

const startingRecords: fc.Arbitrary<Records> = fc
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

// --- What is asked of a world ---

type Order<R> = NonNullable<Selection<R>['order']>

/** An order by one field, with missing values last and equal ones by id. */
function orderBy<R extends { readonly id: Id }>(key: keyof R & string, direction: 1 | -1): Order<R> {
  return {
    key: `${direction}${key}`,
    compare(left, right) {
      const a = left[key] as string | number | null
      const b = right[key] as string | number | null
      const order = a === b ? 0 : a === null ? 1 : b === null ? -1 : (a < b ? -1 : 1) * direction
      return order || compareIds(left.id, right.id)
    },
  }
}

function selectionOf<R>(
  groupings: readonly string[],
  filters: readonly NonNullable<Selection<R>['where']>[],
  orders: readonly Order<R>[],
): fc.Arbitrary<Selection<R>> {
  return fc.record(
    {
      group: fc.record({ by: fc.constantFrom(...groupings), value: smallId }),
      where: fc.constantFrom(...filters),
      order: fc.constantFrom(...orders),
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
    { key: 'dated', test: (order) => order.shipDate !== null },
  ],
  [orderBy('quantity', 1), orderBy('quantity', -1), orderBy('shipDate', 1)],
)

// --- The same, on plain arrays ---

type Groupings<R> = Readonly<Record<string, (record: R) => string | null>>

const petGroupings: Groupings<PetRecord> = { categoryId: (pet) => pet.categoryId }
const orderGroupings: Groupings<OrderRecord> = {
  petId: (order) => order.petId,
  openPetId: (order) => (order.complete ? null : order.petId),
}

function selectFrom<R extends { readonly id: Id }>(
  records: readonly R[],
  { group, where, order }: Selection<R>,
  groupings: Groupings<R>,
): R[] {
  return records
    .filter((record) => group === undefined || groupings[group.by]?.(record) === group.value)
    .filter((record) => where?.test(record) ?? true)
    .sort(order?.compare ?? ((a, b) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1)))
}

/** The records of one kind, and the id that the next one gets. */
interface Shelf<R> {
  records: readonly R[]
  next: number
}

interface Model {
  readonly pets: Shelf<PetRecord>
  readonly orders: Shelf<OrderRecord>
}

function shelfOf<R extends { readonly id: Id }>(records: readonly R[]): Shelf<R> {
  return { records, next: Math.max(0, ...records.map(({ id }) => Number(id))) + 1 }
}

const modelOf = ({ pets, orders }: Records): Model => ({ pets: shelfOf(pets), orders: shelfOf(orders) })
const copyOf = ({ pets, orders }: Model): Model => ({ pets: { ...pets }, orders: { ...orders } })

/** A record without the marks by which the library knows its own. */
const plain = <R extends object>(record: R): R => Object.fromEntries(Object.entries(record)) as R

// --- Steps ---

interface Write<R> {
  readonly kind: 'insert' | 'replace' | 'remove'
  readonly values: Omit<R, 'id'>
  /** Which of the records that are there. */
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
  readonly world: World
  model: Model
  readonly snapshots: { readonly world: WorldSnapshot; readonly model: Model }[]
}

function perform(subject: Subject, action: Step, starting: Records): void {
  const { world, model, snapshots } = subject
  if (action === 'snapshot') {
    snapshots.push({ world: world.snapshot(), model: copyOf(model) })
  } else if (action === 'reset') {
    world.reset()
    subject.model = modelOf(starting)
  } else if ('restore' in action) {
    const snapshot = snapshots[action.restore % snapshots.length]
    if (snapshot === undefined) return
    world.restore(snapshot.world)
    subject.model = copyOf(snapshot.model)
  } else if ('pets' in action) {
    write(world.pets, model.pets, action.pets)
  } else {
    write(world.orders, model.orders, action.orders)
  }
}

function write<R extends { readonly id: Id }>(collection: Collection<R>, shelf: Shelf<R>, action: Write<R>): void {
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

/** What the world shows of one kind is what the plain records give. */
function expectShown<R extends { readonly id: Id }>(
  collection: Collection<R>,
  { records }: Shelf<R>,
  selections: readonly Selection<R>[],
  groupings: Groupings<R>,
): void {
  for (const selection of [{}, ...selections]) {
    const list = collection.select(selection)
    const expected = selectFrom(records, selection, groupings)
    expect(list.size).toBe(expected.length)
    expect([...list].map(plain)).toEqual(expected)
    expect(list.slice(1, 2).map(plain)).toEqual(expected.slice(1, 3))
  }
  for (const [name, grouping] of Object.entries(groupings)) {
    for (const value of [1, 2, 3, 4, 5].map(asId)) {
      expect(collection.countIn(name, value)).toBe(records.filter((record) => grouping(record) === value).length)
    }
  }
}

describe('two worlds over one starting state', () => {
  it('each do what plain lists of records do, and do not see each other', () => {
    const turn = fc.record({
      which: fc.nat(1),
      action: step,
      pets: fc.array(petSelection, { maxLength: 2 }),
      orders: fc.array(orderSelection, { maxLength: 2 }),
    })
    fc.assert(
      fc.property(startingRecords, fc.array(turn, { maxLength: 40, size: 'max' }), (starting, turns) => {
        const base = createBaseWorld(starting)
        const start = (): Subject => ({ world: createWorld(base), model: modelOf(starting), snapshots: [] })
        const subjects = [start(), start()]
        for (const { which, action, pets, orders } of turns) {
          perform(subjects[which] as Subject, action, starting)
          for (const { world, model } of subjects) {
            expectShown(world.pets, model.pets, pets, petGroupings)
            expectShown(world.orders, model.orders, orders, orderGroupings)
          }
        }
        for (const { world, model } of subjects) {
          for (const pet of model.pets.records) expect(plain(world.pets.get(pet.id) ?? {})).toEqual(pet)
          for (const order of model.orders.records) expect(plain(world.orders.get(order.id) ?? {})).toEqual(order)
        }
      }),
      RUNS,
    )
  })
})

const REX = { id: asId(1), name: 'Rex', categoryId: asId(1), status: 'available', stock: 1 } as const
const MAX = asId(2n ** 63n - 1n)

function worldWith(...pets: PetRecord[]): World {
  return createWorld(createBaseWorld({ categories: [], pets, orders: [] }))
}

describe('a record', () => {
  it('is frozen, from wherever it comes', () => {
    const world = worldWith(REX)
    const inserted = world.pets.insert({ ...REX, name: 'Ada' })
    const replaced = world.pets.replace({ ...REX, name: 'Max' })
    for (const record of [inserted, replaced, world.pets.get(REX.id), worldWith(REX).pets.get(REX.id)]) {
      expect(Object.isFrozen(record)).toBe(true)
    }
  })

  it('stays what it was for whoever holds it', () => {
    const world = worldWith(REX)
    const before = world.pets.get(REX.id)
    world.pets.replace({ ...REX, name: 'Max' })
    expect(before?.name).toBe('Rex')
    expect(world.pets.get(REX.id)?.name).toBe('Max')
  })

  it('is not the object that was given, which may change later', () => {
    const world = worldWith(REX)
    const given = { ...REX, name: 'Max' }
    world.pets.replace(given)
    given.name = 'changed'
    expect(world.pets.get(REX.id)?.name).toBe('Max')
  })

  it('that is not there can be neither replaced nor removed', () => {
    const world = worldWith(REX)
    expect(() => world.pets.replace({ ...REX, id: asId(2) })).toThrow('2')
    expect(() => world.pets.remove(asId(2))).toThrow('2')
    world.pets.remove(REX.id)
    expect(() => world.pets.remove(REX.id)).toThrow('1')
    expect(world.pets.select({}).size).toBe(0)
  })

  it('may hold any text, and null where the model allows it', () => {
    const world = worldWith(REX)
    for (const name of ['', '__proto__', 'constructor', '\0', '💚', 'x'.repeat(100_000)]) {
      expect(world.pets.insert({ ...REX, name }).name).toBe(name)
      expect(world.categories.insert({ name, description: null })).toMatchObject({ name, description: null })
    }
  })
})

describe('an id', () => {
  it('is not given again when its record is removed, a starting one included', () => {
    const world = worldWith(REX, { ...REX, id: asId(9) })
    world.pets.remove(asId(9))
    expect(world.pets.insert(REX).id).toBe('10')
    world.pets.remove(asId(10))
    expect(world.pets.insert(REX).id).toBe('11')
  })

  it('of the end of int64 stays taken when its record is removed', () => {
    const world = worldWith(REX, { ...REX, id: MAX })
    world.pets.remove(MAX)
    expect(world.pets.insert(REX).id).toBe('2')
  })

  it('is given again after a reset, and after coming back to a moment before it', () => {
    const world = worldWith(REX)
    const before = world.snapshot()
    expect(world.pets.insert(REX).id).toBe('2')
    world.restore(before)
    expect(world.pets.insert(REX).id).toBe('2')
    world.reset()
    expect(world.pets.insert(REX).id).toBe('2')
  })

  it('is counted for each kind on its own', () => {
    const world = worldWith(REX)
    expect(world.categories.insert({ name: 'Dogs', description: null }).id).toBe('1')
    expect(world.orders.insert({ petId: null, quantity: null, shipDate: null, complete: null }).id).toBe('1')
    expect(world.pets.insert(REX).id).toBe('2')
  })

  it('orders its neighbours exactly beyond the range of doubles', () => {
    const ids = [2n ** 53n + 1n, 2n ** 53n, -(2n ** 63n), 2n ** 63n - 1n, 0n].map(asId)
    const world = worldWith(...ids.map((id) => ({ ...REX, id })))
    expect([...world.pets.select({})].map(({ id }) => id)).toEqual([
      '-9223372036854775808',
      '0',
      '9007199254740992',
      '9007199254740993',
      '9223372036854775807',
    ])
  })
})

describe('a snapshot', () => {
  it('can be restored any number of times, in any order', () => {
    const world = worldWith(REX)
    const first = world.snapshot()
    world.pets.insert({ ...REX, name: 'Ada' })
    const second = world.snapshot()
    world.pets.remove(REX.id)
    for (const [snapshot, names] of [
      [second, ['Rex', 'Ada']],
      [first, ['Rex']],
      [second, ['Rex', 'Ada']],
    ] as const) {
      world.restore(snapshot)
      expect([...world.pets.select({})].map(({ name }) => name)).toEqual(names)
      world.pets.insert({ ...REX, name: 'later' })
    }
  })
})
