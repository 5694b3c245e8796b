import { runInNewContext } from 'node:vm'
import { afterEach, expect, it, vi } from 'vitest'
import { copyData } from '../../src/lib/values.js'

afterEach(() => void vi.unstubAllGlobals())

const createData = () => ({
  name: 'Rex',
  tags: [{ id: 2n ** 60n }, null, undefined],
  bytes: new Uint8Array([1, 2]),
  ['__proto__']: { isAdmin: true },
})

it('copies plain data and bytes deeply', () => {
  const data = createData()
  const copy = copyData(data)
  expect(copy).toStrictEqual(data)
  copy.tags.push(null)
  copy.bytes[0] = 9
  expect(data).toStrictEqual(createData())
})

it('copies them where structuredClone is missing', () => {
  vi.stubGlobal('structuredClone', undefined)
  expect(copyData(createData())).toStrictEqual(createData())
})

it('turns objects of another realm into objects of this one', () => {
  const other = runInNewContext('({ tags: [{ id: 1 }], bytes: new Uint8Array([1, 2]) })')
  expect(copyData(other)).toStrictEqual({ tags: [{ id: 1 }], bytes: new Uint8Array([1, 2]) })
})

it('copies what else structuredClone can copy, and rejects the rest', () => {
  expect(copyData({ date: new Date(0) })).toStrictEqual({ date: new Date(0) })
  expect(() => copyData({ next: () => {} })).toThrow(/could not be cloned/)
  expect(() => copyData({ name: Symbol('x') })).toThrow(/could not be cloned/)
})
