import { expect, it } from 'vitest'
import { parseJson, stringifyJson } from '../../src/lib/json.js'
import { createPetstoreMock } from '../../src/petstore/service.js'

type Mock = ReturnType<typeof createPetstoreMock>

/** What a storage would return. */
const stored = <T>(value: T) => parseJson(stringifyJson(value) ?? 'null') as NonNullable<T>

function restoreInto(target: Mock, source: Mock): void {
  target.saved.controls.restore(stored(source.saved.controls.save()))
}

const statusOf = async ({ mock }: Mock, path: string) => (await mock.fetch(path)).status

async function statusesOf(mock: Mock, count: number): Promise<number[]> {
  const statuses = []
  for (let index = 0; index < count; index++) statuses.push(await statusOf(mock, '/pets'))
  return statuses
}

it('continues the random failures of a rule where they were saved', async () => {
  const rule = { operation: 'listPets', status: 503, probability: 0.5, after: 3 } as const
  const [whole, first, second] = [createPetstoreMock({}), createPetstoreMock({}), createPetstoreMock({})]
  whole.mock.faults.add(rule)
  first.mock.faults.add(rule)
  const before = await statusesOf(first, 10)
  restoreInto(second, first)
  expect([...before, ...(await statusesOf(second, 20))]).toEqual(await statusesOf(whole, 30))
  expect(second.mock.faults.list()).toEqual([expect.objectContaining({ matched: 30 })])
})

it('gives a new rule after the restore other random numbers than a restored one', () => {
  const [source, target] = [createPetstoreMock({}), createPetstoreMock({})]
  source.mock.faults.add({ operation: 'listPets', probability: 0.5 })
  restoreInto(target, source)
  target.mock.faults.add({ operation: 'getPet', probability: 0.5 })
  expect(target.saved.controls.save()?.faults.map(({ number }) => number)).toEqual([1, 2])
})

it('keeps a running clock as far from the machine’s time as it was', () => {
  const [source, target] = [createPetstoreMock({}), createPetstoreMock({})]
  source.mock.clock.advance('P400D')
  const saved = source.saved.controls.save()
  restoreInto(target, source)
  expect(target.saved.controls.save()?.clock).toEqual(saved?.clock)
  expect(target.mock.clock.state().frozen).toBe(false)
})

it('keeps rules that were set before the restore, and restores no second one of the same kind', async () => {
  const [source, target] = [createPetstoreMock({}), createPetstoreMock({})]
  source.mock.faults.add({ operation: 'listPets', status: 503 })
  source.mock.faults.add({ operation: 'getPet', status: 500 })
  source.mock.override('getCategory', { status: 404 })
  target.mock.faults.add({ operation: 'listPets', status: 503 })
  target.mock.override('getCategory', { status: 404 })
  target.mock.override('listCategories', ({ next }) => next())
  restoreInto(target, source)
  expect(target.mock.faults.list().map(({ id, operation }) => [id, operation])).toEqual([
    [1, 'listPets'],
    [2, 'getPet'],
  ])
  expect(target.mock.overrides.list().map(({ operation }) => operation)).toEqual(['getCategory', 'listCategories'])
  expect(await statusOf(target, '/pets/1')).toBe(500)
})

it('keeps two equal rules', () => {
  const [source, target] = [createPetstoreMock({}), createPetstoreMock({})]
  for (let count = 0; count < 2; count++) {
    source.mock.faults.add({ times: 1 })
    source.mock.override('getPet', { status: 404 }, { times: 1 })
  }
  restoreInto(target, source)
  expect([target.mock.faults.list().length, target.mock.overrides.list().length]).toEqual([2, 2])
})

it('restores nothing if one of the parts is invalid', () => {
  const [source, target] = [createPetstoreMock({}), createPetstoreMock({})]
  source.mock.clock.freeze()
  source.mock.faults.add({ status: 503 })
  source.mock.override('getPet', { status: 404 })
  const saved = stored(source.saved.controls.save())
  const damaged = [
    { ...saved, clock: { offset: 'much' } },
    { ...saved, faults: [{ ...saved.faults[0], matched: undefined }] },
    { ...saved, overrides: [{ ...saved.overrides[0], operation: 'unknown' }] },
    { ...saved, overrides: undefined },
  ]
  for (const each of damaged) {
    expect(() => target.saved.controls.restore(each as never)).toThrow()
    expect(target.saved.controls.save()).toBeUndefined()
  }
})

it('continues a sequence where it was saved', async () => {
  const [source, target] = [createPetstoreMock({}), createPetstoreMock({})]
  const bytes = new Uint8Array([0, 255])
  source.mock.override('listPets', [{ status: 503 }, 'pass', { status: 502, body: bytes }], { raw: true })
  source.mock.override('getPet', ['pass', () => ({ status: 503 })])
  source.mock.faults.add({ operation: 'listPets', sequence: ['pass', { status: 500 }] })
  source.mock.clock.setSunset('enforce')
  expect(await statusesOf(source, 1)).toEqual([503])
  restoreInto(target, source)
  expect(target.mock.clock.state().sunset).toBe('enforce')
  expect(target.mock.overrides.list()).toMatchObject([{ operation: 'listPets', applied: 1 }])
  // The fault comes before the override.
  expect(await statusesOf(target, 2)).toEqual([500, 200])
  const last = await target.mock.fetch('/pets')
  expect([last.status, new Uint8Array(await last.arrayBuffer())]).toEqual([502, bytes])
  expect(await statusesOf(target, 1)).toEqual([200])
})
