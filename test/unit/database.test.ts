import { expect, it } from 'vitest'
import { isStored } from '../../src/engine/store/database.js'
import { toId } from '../../src/lib/int64.js'
import { openStore } from '../support/store.js'

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
