import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Fixture, FixtureId } from '../../src/index.js'
import { type Adapter, describeAdapters, inMemory, type RunningMock } from '../support/adapters.js'
import {
  type ApiResponse,
  createClient,
  expectError,
  expectResponse,
  exportState,
  readResponse,
  shop,
  toJson,
  withoutAdapter,
} from '../support/client.js'
import { isFullRun } from '../support/full-run.js'
import { findBrokenInvariants } from '../support/invariants.js'
import { OPERATIONS, type Seen, STEP, type Step, toRequest } from '../support/random-steps.js'

/** The same seed gives the same requests on any machine. */
const SEED = 20_260_331

const MAX = '9223372036854775807'
const STARTING_DATA = {
  empty: { categories: [], pets: [], inventory: [], orders: [] },
  small: shop(
    [
      { id: 1, stock: 5 },
      { id: 2, categoryId: 2 },
      { id: 3, status: 'sold' },
    ],
    [{ id: 1, petId: 1 }],
  ),
  huge: shop(
    [
      { id: '9007199254740993', stock: 4 },
      { id: MAX, stock: 2 },
      { id: -7, status: 'pending' },
    ],
    [{ id: MAX, petId: MAX, quantity: 2, complete: false }],
  ),
} satisfies Record<string, Fixture>

interface Run {
  start: keyof typeof STARTING_DATA
  steps: Step[]
}

const RUN: fc.Arbitrary<Run> = fc.record({
  start: fc.constantFrom<Run['start'][]>('empty', 'small', 'huge'),
  steps: fc.array(STEP, { minLength: 1, maxLength: 150, size: 'max' }),
})

/** Sends the requests of a run, checks every response, and returns the outcomes. */
async function play(adapter: Adapter, { start, steps }: Run, rules: 'on' | 'off'): Promise<string[]> {
  const mock = await adapter.open({ rules, fixtures: STARTING_DATA[start] })
  try {
    mock.petstore.clock.freeze()
    mock.petstore.clock.set('2026-03-31T12:00:00Z')
    const seen = idsOf(await exportState(mock))
    const outcomes: string[] = []
    let state = toJson(mock.petstore.exportState())
    for (const [index, step] of steps.entries()) {
      const { target, init } = toRequest(step, seen)
      const response = await readResponse(await mock.fetch(target, init))
      outcomes.push(expectDeclared(response, step))
      if (response.status === 201) noteNewId(response, seen)
      if (response.status >= 400) {
        expect(toJson(mock.petstore.exportState())).toBe(state)
      } else if (step.method !== 'GET') {
        await expectStored(mock, response, step, target)
        state = toJson(mock.petstore.exportState())
      }
      if (index % 5 === 0 || index === steps.length - 1) await expectConsistent(mock, rules)
    }
    return outcomes
  } finally {
    await mock.close()
  }
}

const SUCCESS: Record<string, number> = { GET: 200, POST: 201, PUT: 200, PATCH: 200, DELETE: 204 }

const CODES: Record<number, string[]> = {
  400: ['MALFORMED_BODY', 'INVALID_REQUEST'],
  404: ['ROUTE_NOT_FOUND', 'PET_NOT_FOUND', 'CATEGORY_NOT_FOUND', 'ORDER_NOT_FOUND'],
  406: ['NOT_ACCEPTABLE'],
  409: [
    'INSUFFICIENT_STOCK',
    'PET_NOT_AVAILABLE',
    'INVALID_TRANSITION',
    'ORDER_COMPLETE',
    'CATEGORY_IN_USE',
    'PET_IN_USE',
  ],
  415: ['UNSUPPORTED_MEDIA_TYPE'],
  422: ['UNKNOWN_CATEGORY', 'UNKNOWN_PET', 'INVALID_QUANTITY'],
}

/** Expects a status and code that the contract has. Returns the operation and its outcome. */
function expectDeclared(response: ApiResponse, { operation, method }: Step): string {
  if (response.status < 400) {
    expect(response.status).toBe(SUCCESS[method])
    return `${operation} ${response.status}`
  }
  const { code } = response.body as { code: string }
  expect(CODES[response.status] ?? [], `${operation}: ${response.text}`).toContain(code)
  expectError(response, response.status, code)
  return `${operation} ${code}`
}

async function expectStored(mock: RunningMock, { headers, body }: ApiResponse, { method }: Step, target: string) {
  const read = await createClient(mock).get(headers.get('location') ?? target)
  if (method === 'DELETE') expect(read.status).toBe(404)
  else expectResponse(read, 200, body)
}

function idsOf({ categories, pets, orders }: Fixture): Seen {
  const listIds = (records: { id: FixtureId }[]) => ({ ids: records.map(({ id }) => String(id)) })
  return { categories: listIds(categories), pets: listIds(pets), orders: listIds(orders) }
}

/** Expects the id after the last assigned one: rejected requests use up no ids. */
function noteNewId({ headers, body }: ApiResponse, seen: Seen): void {
  const kind = headers.get('location')?.split('/').at(-2) as keyof Seen
  const id = String((body as { id: FixtureId }).id)
  const { ids, last } = seen[kind]
  expect(ids).not.toContain(id)
  if (last !== undefined) expect(BigInt(id)).toBe(last + 1n)
  seen[kind] = { ids: [...ids, id], last: BigInt(id) }
}

async function expectConsistent(mock: RunningMock, rules: 'on' | 'off'): Promise<void> {
  const state = await exportState(withoutAdapter(mock))
  const { nextIds: _, specHash: __, ...exported } = mock.petstore.exportState()
  expect(exported).toStrictEqual(withExportedIds(state))
  if (rules === 'on') expect(findBrokenInvariants(state)).toStrictEqual([])
  const entries = state.inventory.map(({ petId, status }) => ({ id: petId, status }))
  expect(entries).toStrictEqual(state.pets.map(({ id, status }) => ({ id, status })))
}

/** An export has ids beyond 2^53 as strings. */
function withExportedIds(state: Fixture): unknown {
  return JSON.parse(JSON.stringify(state, (_, value) => (typeof value === 'bigint' ? String(value) : value)))
}

/** Outcomes that the random requests must have produced; otherwise they are not varied enough. */
const EXPECTED_OUTCOMES = [
  ...OPERATIONS.map(([operation, method]) => `${operation} ${SUCCESS[method]}`),
  'createPet UNKNOWN_CATEGORY',
  'updatePet INVALID_TRANSITION',
  'deletePet PET_IN_USE',
  'deleteCategory CATEGORY_IN_USE',
  'createOrder UNKNOWN_PET',
  'createOrder INVALID_QUANTITY',
  'createOrder PET_NOT_AVAILABLE',
  'createOrder INSUFFICIENT_STOCK',
  'updateOrder UNKNOWN_PET',
  'updateOrder INSUFFICIENT_STOCK',
  'updateOrder PET_NOT_AVAILABLE',
  'updateOrder ORDER_COMPLETE',
  'deleteOrder ORDER_COMPLETE',
  'updateInventory INVALID_QUANTITY',
]

describeAdapters('random operations', (adapter) => {
  async function playMany(rules: 'on' | 'off', numRuns: number): Promise<string[]> {
    const outcomes: string[] = []
    const property = fc.asyncProperty(RUN, async (run) => {
      outcomes.push(...(await play(adapter, run, rules)))
    })
    // A failure prints the seed and the path to the failing run.
    await fc.assert(property, { seed: SEED, numRuns })
    return outcomes
  }

  it(`conform to the contract (seed ${SEED})`, { timeout: 300_000 }, async () => {
    const [runs, longRuns] = adapter === inMemory ? [12, 120] : [3, 15]
    const outcomes = await playMany('on', isFullRun ? longRuns : runs)
    expect(outcomes.length).toBeGreaterThanOrEqual((isFullRun ? longRuns : runs) * 50)
    const produced = new Set(outcomes)
    // Fewer runs do not reach all of them.
    if (adapter === inMemory && isFullRun)
      expect(EXPECTED_OUTCOMES.filter((outcome) => !produced.has(outcome))).toStrictEqual([])
  })

  it(`are never rejected by the rules when those are off (seed ${SEED})`, { timeout: 300_000 }, async () => {
    const [runs, longRuns] = adapter === inMemory ? [5, 20] : [1, 3]
    const outcomes = await playMany('off', isFullRun ? longRuns : runs)
    expect(
      outcomes.filter((outcome) => /UNKNOWN|INVALID_(Q|T)|_IN_USE|STOCK|AVAILABLE|COMPLETE/.test(outcome)),
    ).toEqual([])
  })
})
