import { describe, expect, it } from 'vitest'
import { createCurrentStore } from '../../src/engine/control/current-store.js'
import { createStartingData } from '../../src/engine/control/starting-data.js'
import { defaultsOf, ENGINE_OPTIONS, rejectUnknown } from '../../src/engine/options.js'
import type { ServiceDefinition, ServiceTypes } from '../../src/engine/service.js'
import { buildBaseStore, type Store } from '../../src/engine/store/store.js'
import { type Id, toId } from '../../src/lib/int64.js'
import type { PetstoreShape } from '../../src/petstore/records.js'
import { createBase, petstoreModel } from '../support/store.js'

interface Options {
  readonly seed: number
  readonly scenario: string
  readonly fixtures?: { readonly name: string }
}

interface TestTypes extends ServiceTypes {
  readonly shape: PetstoreShape
  readonly options: Options
  readonly fixtures: { readonly name: string }
}

const [FIRST, ADDED] = [toId(1), toId(2)]

const petNamed = (id: Id, name: string) => ({ id, name, categoryId: toId(1), status: 'available', stock: 1 }) as const

/** The starting data of these tests: one pet, whose name says what it was made from. */
const nameOf = ({ fixtures, scenario, seed }: Options) => fixtures?.name ?? `${scenario} ${seed}`

const namesIn = ({ collections }: Store<PetstoreShape>) => [...collections.pets.select({})].map(({ name }) => name)

/** What replaces all data, for example an imported state. */
const baseNamed = (name: string) => createBase({ pets: [petNamed(FIRST, name)] })

const OPTIONS: Options = { seed: 1, scenario: 'default' }

/** Starting data that is made when `wait` resolves, or at once without it. */
function open(wait?: (name: string) => Promise<void>) {
  const made: string[] = []
  const make = (options: Options) => {
    made.push(nameOf(options))
    const pets = [petNamed(FIRST, nameOf(options))]
    return buildBaseStore(petstoreModel, { categories: [], pets, orders: [] })
  }
  const definition = {
    resolveOptions: (options: Options) => ({ ...defaultsOf(ENGINE_OPTIONS), ...options }),
    withFixtures: (options: Options, fixtures: { name: string }) => ({
      ...defaultsOf(ENGINE_OPTIONS),
      ...options,
      fixtures,
    }),
    withReset(_: Options, current: Options, changes: Partial<Options>) {
      rejectUnknown(changes, ['seed', 'scenario'])
      return { ...current, ...changes }
    },
    loadStartingData: (options: Options) =>
      wait === undefined ? make(options) : wait(nameOf(options)).then(() => make(options)),
  }
  const startingData = createStartingData(definition as unknown as ServiceDefinition<TestTypes>, OPTIONS, () => {})
  return { startingData, current: createCurrentStore(startingData), made }
}

/** A function for `open`, and one that lets the data with a name be made, or fail. */
function createGate() {
  const waiting = new Map<string, { resolve(): void; reject(error: Error): void }>()
  return {
    wait: (name: string) => new Promise<void>((resolve, reject) => waiting.set(name, { resolve, reject })),
    release: (name: string) => waiting.get(name)?.resolve(),
    fail: (name: string, error: Error) => waiting.get(name)?.reject(error),
  }
}

const nameOfBase = ({
  collections,
}: {
  collections: { pets: { rows: { get(id: Id): { name: string } | undefined } } }
}) => collections.pets.rows.get(FIRST)?.name

describe('starting data', () => {
  it('that can be made at once is there at once', async () => {
    const { startingData } = open()
    expect(startingData.get()).toMatchObject(OPTIONS)
    expect(nameOfBase(startingData.get().base)).toBe('default 1')
    expect(startingData.find()).toBe(startingData.get())
    await startingData.ready
    expect(startingData.hasFixtures).toBe(false)
  })

  it('that takes time is missing until it is ready', async () => {
    const gate = createGate()
    const { startingData } = open(gate.wait)
    expect(startingData.find()).toBeUndefined()
    expect(() => startingData.get()).toThrow(
      expect.objectContaining({ code: 'NOT_READY', message: expect.stringContaining('Await petstore.ready first.') }),
    )
    gate.release('default 1')
    await startingData.ready
    expect(startingData.get()).toMatchObject(OPTIONS)
  })

  it('that cannot be made throws the same error at every use, until other data is loaded', async () => {
    const gate = createGate()
    const { startingData } = open(gate.wait)
    const error = new Error('no data')
    gate.fail('default 1', error)
    await expect(startingData.ready).rejects.toBe(error)
    expect(() => startingData.find()).toThrow(error)
    expect(() => startingData.get()).toThrow(error)
    const loaded = startingData.load({ name: 'Rex' })
    gate.release('Rex')
    expect(await loaded).toBe(true)
    expect(nameOfBase(startingData.get().base)).toBe('Rex')
    await startingData.ready
  })

  it('that is ready after fixtures were loaded does not replace them', async () => {
    const gate = createGate()
    const { startingData } = open(gate.wait)
    const first = startingData.ready
    const loaded = startingData.load({ name: 'Rex' })
    gate.release('Rex')
    await loaded
    gate.release('default 1')
    await first
    expect(nameOfBase(startingData.get().base)).toBe('Rex')
  })
})

describe('load', () => {
  it('replaces the options and the data, and keeps what the user gave', async () => {
    const { startingData } = open()
    await startingData.load({ name: 'Rex' })
    expect(startingData.options).toMatchObject({ ...OPTIONS, fixtures: { name: 'Rex' } })
    expect(startingData.hasFixtures).toBe(true)
    expect(startingData.given).toBe(OPTIONS)
    await startingData.load(undefined as never)
    expect(startingData.hasFixtures).toBe(false)
  })

  it('has no effect if a later call was faster', async () => {
    const gate = createGate()
    const { startingData } = open(gate.wait)
    gate.release('default 1')
    await startingData.ready
    const [first, second] = [startingData.load({ name: 'first' }), startingData.load({ name: 'second' })]
    gate.release('second')
    expect(await second).toBe(true)
    gate.release('first')
    expect(await first).toBe(false)
    expect(nameOfBase(startingData.get().base)).toBe('second')
  })
})

describe('other starting data', () => {
  it('has the given seed and scenario, and by default those of the mock', async () => {
    const { startingData } = open()
    expect(await startingData.other({ seed: 7, scenario: 'busy' })).toMatchObject({ seed: 7, scenario: 'busy' })
    expect(await startingData.other({ seed: 7, scenario: 'quiet' })).toMatchObject({ seed: 7, scenario: 'quiet' })
    expect(await startingData.other({ seed: 7 })).toMatchObject({ seed: 7, scenario: 'default' })
    expect(await startingData.other({ scenario: 'busy' })).toMatchObject({ seed: 1, scenario: 'busy' })
    expect(startingData.get()).toMatchObject(OPTIONS)
  })

  it('rejects options that do not exist', async () => {
    const { startingData } = open()
    await expect(startingData.other({ colour: 'red' } as never)).rejects.toMatchObject({
      code: 'INVALID_OPTION',
      message: expect.stringContaining('Available: seed, scenario.'),
    })
  })

  it('is made once, and again when four others were used since, or fixtures were loaded', async () => {
    const { startingData, made } = open()
    const use = async (...seeds: number[]) => {
      for (const seed of seeds) await startingData.other({ seed })
      return made.splice(0)
    }
    expect(await use(1)).toEqual(['default 1', 'default 1'])
    expect(await use(2, 3, 4, 1, 2)).toEqual(['default 2', 'default 3', 'default 4'])
    expect(await use(5)).toEqual(['default 5'])
    expect(await use(1, 2, 4)).toEqual([])
    expect(await use(3)).toEqual(['default 3'])
    await startingData.load({ name: 'Rex' })
    expect(await use(4)).toEqual(['Rex', 'Rex'])
  })

  it('that could not be made is tried again', async () => {
    const gate = createGate()
    const { startingData } = open(gate.wait)
    const failing = startingData.other({ seed: 7 })
    gate.fail('default 7', new Error('no data'))
    await expect(failing).rejects.toThrow('no data')
    const other = startingData.other({ seed: 7 })
    gate.release('default 7')
    expect(await other).toMatchObject({ seed: 7 })
  })
})

describe('the current store', () => {
  it('begins with the starting data, and resets to it in place', () => {
    const { current } = open()
    expect(current).toMatchObject(OPTIONS)
    const store = current.get()
    store.collections.pets.insert(petNamed(ADDED, 'Ivy'))
    expect(namesIn(current.get())).toEqual(['default 1', 'Ivy'])
    expect(current.get()).toBe(store)
    current.reset()
    expect(current.get()).toBe(store)
    expect(namesIn(store)).toEqual(['default 1'])
  })

  it('can be reset before its first use, and while the starting data is being made', async () => {
    const gate = createGate()
    const { current, startingData } = open(gate.wait)
    current.reset()
    expect(current).toMatchObject(OPTIONS)
    expect(() => current.get()).toThrow(expect.objectContaining({ code: 'NOT_READY' }))
    gate.release('default 1')
    await startingData.ready
    current.reset()
    expect(namesIn(current.get())).toEqual(['default 1'])
  })

  it('has other starting data until the next reset', async () => {
    const { current, startingData } = open()
    expect(await current.resetTo({ seed: 7, scenario: 'busy' })).toBe(true)
    expect(current).toMatchObject({ seed: 7, scenario: 'busy' })
    expect(namesIn(current.get())).toEqual(['busy 7'])
    expect(current.start()).toMatchObject({ seed: 7 })
    current.reset()
    expect(current).toMatchObject(OPTIONS)
    expect(namesIn(current.get())).toEqual(['default 1'])
    expect(current.start()).toBe(startingData.get())
  })

  it('changes nothing when other starting data cannot be made', async () => {
    const { current } = open()
    current.get().collections.pets.insert(petNamed(ADDED, 'Ivy'))
    await expect(current.resetTo({ sead: 7 } as never)).rejects.toThrow()
    expect(namesIn(current.get())).toEqual(['default 1', 'Ivy'])
  })

  it('starts from loaded fixtures after the next reset', async () => {
    const { current, startingData } = open()
    const store = current.get()
    await startingData.load({ name: 'Rex' })
    expect(current.get()).toBe(store)
    current.reset()
    expect(namesIn(current.get())).toEqual(['Rex'])
  })

  it('has replaced data until the next reset, with the seed and scenario as before', async () => {
    const { current } = open()
    await current.resetTo({ seed: 7, scenario: 'busy' })
    const imported = baseNamed('imported')
    expect(current.replaceAll(imported)).toBe(true)
    expect(current.base()).toBe(imported)
    expect(namesIn(current.get())).toEqual(['imported'])
    expect(current).toMatchObject({ seed: 7, scenario: 'busy' })
    expect(nameOfBase(current.start().base)).toBe('busy 7')
    current.reset()
    expect(namesIn(current.get())).toEqual(['default 1'])
  })

  it.each<[string, (current: ReturnType<typeof open>['current']) => unknown, string[]]>([
    ['a reset', (current) => current.reset(), ['default 1']],
    ['other starting data', (current) => current.resetTo({ seed: 7 }), ['default 7']],
    ['replaced data', (current) => current.replaceAll(baseNamed('replaced')), ['replaced']],
    ['a snapshot', (current) => current.restore(current.snapshot()), ['default 1']],
    ['a reset that began later', (current) => current.beginReset().commit(), ['default 1']],
  ])('ignores data that arrives after %s', async (_, act, expected) => {
    const { current } = open()
    current.get()
    let arrive = (_: ReturnType<typeof baseNamed>) => {}
    const late = current.replaceAllLater(new Promise((resolve) => (arrive = resolve)))
    await act(current)
    arrive(baseNamed('late'))
    expect(await late).toBe(false)
    expect(namesIn(current.get())).toEqual(expected)
  })

  it('takes data that arrives later if nothing else replaced it', async () => {
    const { current } = open()
    expect(await current.replaceAllLater(Promise.resolve(baseNamed('late')))).toBe(true)
    expect(namesIn(current.get())).toEqual(['late'])
  })

  it('ignores other starting data that is made after a reset', async () => {
    const gate = createGate()
    const { current, startingData } = open(gate.wait)
    gate.release('default 1')
    await startingData.ready
    const slow = current.resetTo({ seed: 7 })
    current.reset()
    gate.release('default 7')
    expect(await slow).toBe(false)
    expect(namesIn(current.get())).toEqual(['default 1'])
  })
})

describe('a snapshot of the current store', () => {
  it('is restored, also over other starting data, and can be read without restoring it', async () => {
    const { current } = open()
    current.get().collections.pets.insert(petNamed(ADDED, 'Ivy'))
    const snapshot = current.snapshot()
    current.reset()
    expect(namesIn(current.fromSnapshot(snapshot))).toEqual(['default 1', 'Ivy'])
    expect(namesIn(current.get())).toEqual(['default 1'])
    await current.resetTo({ seed: 7 })
    current.restore(snapshot)
    expect(namesIn(current.get())).toEqual(['default 1', 'Ivy'])
    expect(current).toMatchObject(OPTIONS)
    expect(current.start()).toMatchObject({ seed: 7 })
  })

  it('over the same starting data is restored into the same store', () => {
    const { current } = open()
    const store = current.get()
    const snapshot = current.snapshot()
    store.collections.pets.insert(petNamed(ADDED, 'Ivy'))
    current.restore(snapshot)
    expect(current.get()).toBe(store)
    expect(namesIn(store)).toEqual(['default 1'])
  })

  it('can be made of other data, with the seed and scenario as before', async () => {
    const { current } = open()
    await current.resetTo({ seed: 7, scenario: 'busy' })
    const snapshot = current.toSnapshot(baseNamed('other'))
    expect(snapshot.startingPoint).toMatchObject({ seed: 7, scenario: 'busy' })
    expect(namesIn(current.get())).toEqual(['busy 7'])
    current.restore(snapshot)
    expect(namesIn(current.get())).toEqual(['other'])
  })

  it('is rejected by another mock', () => {
    const snapshot = open().current.snapshot()
    expect(() => open().current.restore(snapshot)).toThrow(
      expect.objectContaining({ code: 'FOREIGN_SNAPSHOT', message: expect.stringContaining('exportState') }),
    )
  })
})
