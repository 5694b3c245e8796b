import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createIdKind } from '../../src/document/resources/ids/kinds.js'
import { atomically } from '../../src/engine/store/atomically.js'
import type { StoreModel } from '../../src/engine/store/database.js'
import {
  type BaseStore,
  buildBaseStore,
  createStore,
  findChanges,
  type Store,
  type StoreSnapshot,
} from '../../src/engine/store/store.js'
import type { Id } from '../../src/lib/int64.js'
import { runNow } from '../../src/lib/steps.js'
import { isFullRun } from '../support/full-run.js'

/* A collection with text ids, whose records have nested values, null and missing properties. */

const RUNS = { seed: 45, numRuns: isFullRun ? 200 : 40 }
const asId = (text: string) => text as Id

interface Note {
  readonly id: Id
  readonly title?: string | null | undefined
  readonly tags?: readonly string[] | null | undefined
  readonly author?: object | null | undefined
}

type NoteShape = { notes: { record: Note; groupings: 'title' } }
type NoteStore = Store<NoteShape>

const ids = createIdKind({ type: 'text', prefix: 'note_' }, 'notes')
const model: StoreModel<NoteShape> = {
  notes: { fields: ['title', 'tags', 'author'], ids, groupings: { title: ({ title }) => title ?? undefined } },
}

const baseOf = (notes: readonly Note[], nextId?: string, other?: BaseStore<NoteShape>) =>
  runNow(buildBaseStore(model, { notes }, nextId === undefined ? {} : { notes: asId(nextId) }, other))

/** A record without the hidden and the missing properties. */
const plain = (record: object | undefined) =>
  Object.fromEntries(Object.entries(record ?? {}).filter(([, value]) => value !== undefined))

const madeIds = (() => {
  const sequence = ids.createSequence({ size: 0, has: () => false, largest: () => undefined })
  return Array.from({ length: 200 }, () => sequence.take())
})()

// --- Random writes ---

const title = fc.constantFrom('Ada', 'Bo', '', null)
const author = fc.oneof(
  fc.constant(null),
  fc.record(
    { name: title, address: fc.record({ city: title, zip: fc.nat(3) }, { requiredKeys: [] }) },
    { requiredKeys: [] },
  ),
  fc.record({ id: fc.constantFrom(2n ** 60n, 1) }),
)
const values = fc.record(
  { title, tags: fc.array(fc.constantFrom('a', 'b'), { maxLength: 2 }), author },
  { requiredKeys: [] },
)
const startingNotes = fc
  .uniqueArray(
    fc.record({ id: fc.constantFrom(...madeIds.slice(0, 6), asId('Z'), asId('a'), asId('__proto__')), values }),
    {
      selector: ({ id }) => id,
    },
  )
  .map((notes) => notes.map(({ id, values }): Note => ({ ...values, id })))

const action = fc.constantFrom(
  'insert',
  'insert',
  'choose',
  'replace',
  'replace',
  'remove',
  'fail',
  'snapshot',
  'restore',
  'reset',
)
const step = fc.record({ action, values, pick: fc.nat(1000) })
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

interface Subject {
  readonly store: NoteStore
  readonly starting: ReadonlyMap<Id, Note>
  model: ReadonlyMap<Id, Note>
  snapshot: { readonly store: StoreSnapshot; readonly model: ReadonlyMap<Id, Note> }
}

function perform(subject: Subject, { action, values, pick }: Step): void {
  const { store, model } = subject
  const { notes } = store.collections
  const put = (record: Note) => {
    subject.model = new Map([...model, [record.id, { ...values, id: record.id }]])
  }
  const chosen = [...model.keys()][pick % Math.max(1, model.size)]
  if (action === 'insert') {
    const record = notes.insert(values)
    expect(model.has(record.id)).toBe(false)
    put(record)
  } else if (action === 'choose') {
    const id = asId(`own ${pick % 5}`)
    if (!model.has(id)) put(notes.withId(id, () => notes.insert(values)))
  } else if (action === 'replace' && chosen) put(notes.replace({ ...values, id: chosen }))
  else if (action === 'remove' && chosen) {
    notes.remove(chosen)
    subject.model = new Map([...model].filter(([id]) => id !== chosen))
  } else if (action === 'fail') {
    const { nextId } = notes
    const fail = () =>
      atomically(() => {
        notes.insert(values)
        if (chosen) notes.replace({ ...values, id: chosen })
        throw new Error('failed')
      })
    expect(fail).toThrow('failed')
    expect(notes.nextId).toBe(nextId)
  } else if (action === 'snapshot') subject.snapshot = { store: store.snapshot(), model }
  else if (action === 'restore') {
    store.restore(subject.snapshot.store)
    subject.model = subject.snapshot.model
  } else if (action === 'reset') {
    store.reset()
    subject.model = subject.starting
  }
}

const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1)

function expectSame({ collections: { notes }, database }: NoteStore, expected: ReadonlyMap<Id, Note>): void {
  const sorted = [...expected.values()].map(plain as (note: Note) => Note).sort(byId)
  expect([...notes.select({})].map(plain)).toEqual(sorted)
  expect(
    database.notes
      .getAll()
      .map(plain)
      .sort(byId as never),
  ).toEqual(sorted)
  expect(notes.size).toBe(expected.size)
  for (const record of sorted) expect(plain(notes.get(record.id))).toEqual(record)
  const named = (value: string) => sorted.filter((note) => note.title === value)
  expect([...notes.select({ group: { by: 'title', value: 'Ada' } })].map(plain)).toEqual(named('Ada'))
  expect(notes.countIn('title', asId(''))).toBe(named('').length)
}

it('behaves like a plain map of records, and knows what differs from the base', () => {
  fc.assert(
    fc.property(startingNotes, fc.array(step, { maxLength: 40, size: 'max' }), (starting, steps) => {
      const base = baseOf(starting)
      const store = createStore(base)
      const records = new Map(starting.map((note) => [note.id, note]))
      const subject = {
        store,
        starting: records,
        model: records,
        snapshot: { store: store.snapshot(), model: records },
      }
      for (const each of steps) {
        perform(subject, each)
        expectSame(store, subject.model)
      }
      const { changed = [], removed = [], nextId } = findChanges(base, store)?.notes ?? {}
      const known = new Map<Id, object>(starting.map((note) => [note.id, note]))
      for (const id of removed) expect(known.delete(id)).toBe(true)
      for (const record of changed) known.set(record.id, plain(record as Note))
      expect(known).toEqual(subject.model)
      expect(nextId ?? createStore(base).collections.notes.nextId).toBe(store.collections.notes.nextId)
    }),
    RUNS,
  )
})

// --- Single cases ---

const NOTE: Note = { id: asId('n'), title: 'Ada', tags: ['a'], author: { name: 'Bo', address: { city: 'Rome' } } }

describe('a record with nested values', () => {
  it('is replaced as a whole', () => {
    const { notes } = createStore(baseOf([NOTE])).collections
    expect(plain(notes.replace({ id: NOTE.id, author: { name: 'Cy' } }))).toEqual({ id: 'n', author: { name: 'Cy' } })
  })

  it('keeps null, and has undefined for what is missing', () => {
    const { notes } = createStore(baseOf([])).collections
    const record = notes.insert({ title: null })
    expect([record.title, record.tags, record.author]).toEqual([null, undefined, undefined])
  })

  it('is shared with another base if it is the same', () => {
    const base = baseOf([NOTE])
    const same = baseOf([structuredClone(NOTE)], undefined, base)
    expect(same.collections.notes.rows).toBe(base.collections.notes.rows)
    const changed = baseOf([{ ...NOTE, author: { name: 'Bo', address: {} } }], undefined, base)
    expect(changed.collections.notes.rows.get(NOTE.id)).not.toBe(base.collections.notes.rows.get(NOTE.id))
    const lacking = baseOf([{ id: NOTE.id, title: 'Ada' }], undefined, base)
    expect(plain(lacking.collections.notes.rows.get(NOTE.id))).toEqual({ id: 'n', title: 'Ada' })
  })
})

it('has the number of the next new id, from which another store continues', () => {
  const { notes } = createStore(baseOf([NOTE])).collections
  notes.insert({})
  expect(notes.nextId).toBe('3')
  const other = createStore(baseOf([...notes.select({})], notes.nextId)).collections
  expect([notes.insert({}).id, other.notes.insert({}).id]).toEqual([madeIds[2], madeIds[2]])
})
