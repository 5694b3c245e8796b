import { describe, expect, it } from 'vitest'
import type { DeclaredOperation } from '../../src/document/contract/contract.js'
import { createCoverage, percentOf, sourceOf } from '../../src/engine/log/coverage.js'
import { storeContract } from '../../src/petstore/contract.js'
import { formatCoverage, formatPercent } from '../../src/runners/terminal.js'
import { importTwice } from '../support/import-twice.js'

const LIST: DeclaredOperation = {
  operation: 'listPets',
  method: 'GET',
  path: '/pets',
  deprecated: false,
  stability: 'beta',
  statuses: [200, 400],
}
const GET: DeclaredOperation = {
  operation: 'getPet',
  method: 'GET',
  path: '/pets/{petId}',
  deprecated: true,
  sunset: '2030-12-05',
  statuses: [200, 404],
}

function count(...responses: (readonly [operation: string, status: number, times?: number])[]) {
  const coverage = createCoverage([LIST, GET])
  for (const response of responses) coverage.record(...response)
  return coverage.report()
}

describe('the operations of a document', () => {
  it('are listed with their declarations', () => {
    const operations = storeContract().operations()
    expect(operations).toHaveLength(18)
    expect(operations.find(({ operation }) => operation === 'getPet')).toEqual({
      operation: 'getPet',
      method: 'GET',
      path: '/pets/{petId}',
      deprecated: true,
      sunset: '2030-12-05',
      statuses: [200, 400, 404, 406, 410, 421, 500],
    })
    expect(operations.find(({ operation }) => operation === 'updateOrder')).toMatchObject({
      method: 'PATCH',
      path: '/store/orders/{orderId}',
      deprecated: false,
      stability: 'experimental',
    })
    expect(operations.find(({ operation }) => operation === 'listOrders')).not.toHaveProperty('stability')
  })
})

describe('coverage', () => {
  it('counts requests by operation and status', () => {
    const { operations, summary } = count(['listPets', 200], ['listPets', 400], ['listPets', 200], ['getPet', 404, 5])
    expect(operations.map((each) => [each.count, ...each.statuses.map((status) => status.count)])).toEqual([
      [3, 2, 1],
      [5, 0, 5],
    ])
    expect(summary).toEqual({ operations: { total: 2, exercised: 2 }, statuses: { total: 4, exercised: 3 } })
  })

  it('lists a status that only the default covers, and excludes it from the totals', () => {
    const { operations, summary } = count(['getPet', 503], ['getPet', 303])
    expect(operations[1]?.statuses).toEqual([
      { status: 200, declared: true, count: 0 },
      { status: 303, declared: false, count: 1 },
      { status: 404, declared: true, count: 0 },
      { status: 503, declared: false, count: 1 },
    ])
    expect(summary).toEqual({ operations: { total: 2, exercised: 1 }, statuses: { total: 4, exercised: 0 } })
  })

  it('returns independent reports, which share their source', () => {
    const coverage = createCoverage([LIST])
    const before = coverage.report()
    coverage.record('listPets', 200)
    expect(before.operations[0]?.count).toBe(0)
    expect(coverage.report().operations[0]?.count).toBe(1)
    expect(sourceOf(before)).toBeDefined()
    expect(sourceOf(before)).toBe(sourceOf(coverage.report()))
    expect(sourceOf(before)).not.toBe(sourceOf(count()))
    expect(sourceOf(structuredClone(before))).toBeUndefined()
  })
})

it('both builds of the package know the source of a report', async () => {
  const [one, other] = await importTwice(() => import('../../src/engine/log/coverage.js'))
  expect(other.sourceOf(one.createCoverage([LIST]).report())).toBeDefined()
})

describe('coverage for terminals', () => {
  it('is a table that ends with the totals', () => {
    const report = count(['listPets', 200, 12], ['getPet', 404], ['getPet', 503])
    expect(formatCoverage(report).split('\n')).toEqual([
      'operation  method and path    times  marked      statuses (missing)',
      'listPets   GET /pets             12  beta        200 (400)',
      'getPet     GET /pets/{petId}      2  deprecated  404 503* (200)',
      '* not declared, covered only by default',
      '',
      'Operations 2 of 2 exercised (100 %)',
      'Statuses   2 of 4 exercised (50 %)',
    ])
  })

  it('lets no name of the document control the terminal', () => {
    const operation = { ...LIST, operation: 'list\u001b[2J', path: '/pets\u009b2J' }
    expect(formatCoverage(createCoverage([operation]).report())).not.toMatch(/\p{Cc}(?<!\n)/u)
  })

  it('has colours only if they are requested, and otherwise the same text', () => {
    const report = count(['listPets', 200])
    const plain = formatCoverage(report)
    const coloured = formatCoverage(report, { colour: true })
    const mark = String.fromCharCode(27)
    expect(plain).not.toContain(mark)
    expect(coloured).toContain(`${mark}[32m200`)
    expect(coloured.replaceAll(new RegExp(`${mark}\\[\\d+m`, 'g'), '')).toBe(plain)
  })

  it('never rounds up to 100 %', () => {
    expect(formatPercent({ total: 1001, exercised: 1000 })).toBe('99.9 %')
    expect(formatPercent({ total: 1000, exercised: 57 })).toBe('5.7 %')
    expect(formatPercent({ total: 3, exercised: 3 })).toBe('100 %')
    expect(formatPercent({ total: 0, exercised: 0 })).toBe('100 %')
    expect(percentOf({ total: 3, exercised: 1 })).toBeCloseTo(33.333)
    expect(percentOf({ total: 0, exercised: 0 })).toBe(100)
  })
})
