import { expect } from 'vitest'
import { createPetstore, type PetstoreOptions, type ScenarioName } from '../../src/index.js'
import { verifiedPetstore } from '../../src/petstore/verify/service.js'
import type { Fetch } from '../../src/tools/server/send-request.js'
import type { LeftBehind } from '../../src/tools/verify/own-records.js'
import type { OperationReport, Report } from '../../src/tools/verify/report.js'
import { type VerifyOptions, verifyService } from '../../src/tools/verify/verify.js'
import { CARELESS, createCarelessService } from './careless-service.js'

const BASE = 'http://localhost'

/** Little data, and no signal, because requests that cannot be aborted are faster. */
export function fetchOf(options: PetstoreOptions = { scenario: 'single' }): Fetch {
  const petstore = createPetstore(options)
  return (url, { signal, ...init }) => petstore.fetch(url, init)
}

export function verify(fetch: Fetch, options: Partial<VerifyOptions> = {}): Promise<Report> {
  return verifyService(verifiedPetstore(), { baseUrl: BASE, fetch, headers: [], timeoutMs: 60_000, ...options })
}

export const operationsOf = ({ groups }: Report): OperationReport[] => groups.flatMap(({ operations }) => operations)

export function differencesOf(report: Report): string[] {
  return operationsOf(report).flatMap(({ operation, differences }) =>
    differences.map(({ aspect }) => `${operation} ${aspect}`),
  )
}

/** Expects that a mock with this data passes, and that its data is as before. */
export async function expectPasses(scenario: ScenarioName): Promise<Report> {
  const petstore = createPetstore({ scenario })
  await petstore.ready
  const { categories, pets, orders } = petstore.data
  const before = { categories: categories.all(), pets: pets.all(), orders: orders.all() }
  const report = await verify((url, { signal, ...init }) => petstore.fetch(url, init))
  expect(differencesOf(report)).toStrictEqual([])
  expect(report).toMatchObject({ baseUrl: BASE, wroteData: true, failed: 0, skipped: 0, changed: [] })
  expect(report.groups.map(({ name }) => name)).toStrictEqual(['Pets', 'Store'])
  expect(operationsOf(report)).toHaveLength(18)
  // The two completed orders cannot be deleted. Everything else is unchanged.
  const reason = 'DELETE returned 409 ORDER_COMPLETE, and it is still there'
  const id = expect.stringMatching(/^\d+$/)
  expect(report.leftBehind).toStrictEqual([0, 1].map(() => ({ kind: 'order', id, reason })))
  const left = report.leftBehind.map((each) => each.id)
  expect({
    categories: categories.all(),
    pets: pets.all(),
    orders: orders.all().filter((order) => !left.includes(String(order.id) as never)),
  }).toStrictEqual(before)
  return report
}

const TABLES: Readonly<Record<string, string>> = { pet: 'pets', category: 'categories', order: 'orders' }

const nameOf = ({ kind, id, claimedId }: LeftBehind): string => `${TABLES[kind]} ${id ?? claimedId}`

/** Expects that a careless service keeps all of its own records, and that every record left behind is reported. */
export async function expectHarmless(name: string): Promise<void> {
  const service = createCarelessService(CARELESS[name] ?? expect.fail(`No careless service ${name}.`))
  const report = await verify(service.fetch, { allowWrites: true })
  expect(service.changed()).toStrictEqual([])
  expect(report.changed).toStrictEqual([])
  expect(report.sampled).toBeGreaterThan(300)
  expect(report.failed).toBeGreaterThan(0)
  expect(report.passed).toBeGreaterThan(0)
  // Every record that is left behind is reported, and nothing else. Not every id is known.
  const left = service.foreign()
  const reported = report.leftBehind.map(nameOf)
  expect(new Set(reported).size).toBe(reported.length)
  expect(report.leftBehind).toHaveLength(left.length)
  const identified = report.leftBehind.filter(({ id }) => id !== undefined).map(nameOf)
  expect(left).toEqual(expect.arrayContaining(identified))
}
