import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Fixture, FixtureId } from '../../src/index.js'
import { type Adapter, describeAdapters, type RunningMock } from '../support/adapters.js'
import {
  type ApiResponse,
  createClient,
  expectError,
  expectResponse,
  exportState,
  exportText,
  readResponse,
  shop,
  withoutAdapter,
} from '../support/client.js'
import { findBrokenInvariants } from '../support/invariants.js'
import { OPERATIONS, type Seen, STEP, type Step, toRequest } from '../support/random-steps.js'

/** Another seed is another set of requests; the same one gives the same requests on any machine. */
const SEED = 20_260_331

const MAX = '9223372036854775807'
const WORLDS = {
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
  world: keyof typeof WORLDS
  steps: Step[]
}

const RUN: fc.Arbitrary<Run> = fc.record({
  world: fc.constantFrom<Run['world'][]>('empty', 'small', 'huge'),
  steps: fc.array(STEP, { minLength: 1, maxLength: 150, size: 'max' }),
})

/** Plays a run, judges every answer, and gives back what was answered. */
async function play(adapter: Adapter, { world, steps }: Run, rules: 'on' | 'off'): Promise<string[]> {
  const mock = await adapter.open({ rules, fixtures: WORLDS[world] })
  try {
    mock.petstore.clock.freeze()
    mock.petstore.clock.set('2026-03-31T12:00:00Z')
    const seen = idsOf(await exportState(mock))
    const outcomes: string[] = []
    const look = withoutAdapter(mock)
    let state = await exportText(look)
    for (const [index, step] of steps.entries()) {
      const { target, init } = toRequest(step, seen)
      const response = await readResponse(await mock.fetch(target, init))
      outcomes.push(judge(response, step))
      if (response.status === 201) noteNewId(response, seen)
      if (response.status >= 400) {
        expect(await exportText(look)).toBe(state)
      } else if (step.method !== 'GET') {
        await expectStored(mock, response, step, target)
        state = await exportText(look)
      }
      if (index % 5 === 0 || index === steps.length - 1) expectSound(await exportState(look), rules)
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

/** The answer is one that the contract knows; its kind in a word. */
function judge(response: ApiResponse, { operation, method }: Step): string {
  if (response.status < 400) {
    expect(response.status).toBe(SUCCESS[method])
    return `${operation} ${response.status}`
  }
  const { code } = response.body as { code: string }
  expect(CODES[response.status] ?? [], `${operation}: ${response.text}`).toContain(code)
  expectError(response, response.status, code)
  return `${operation} ${code}`
}

/** What was written is what is read. */
async function expectStored(mock: RunningMock, { headers, body }: ApiResponse, { method }: Step, target: string) {
  const read = await createClient(mock).get(headers.get('location') ?? target)
  if (method === 'DELETE') expect(read.status).toBe(404)
  else expectResponse(read, 200, body)
}

function idsOf({ categories, pets, orders }: Fixture): Seen {
  const listIds = (records: { id: FixtureId }[]) => ({ ids: records.map(({ id }) => String(id)) })
  return { categories: listIds(categories), pets: listIds(pets), orders: listIds(orders) }
}

/** An id is new, and the one after the last: nothing in between has used one up. */
function noteNewId({ headers, body }: ApiResponse, seen: Seen): void {
  const kind = headers.get('location')?.split('/').at(-2) as keyof Seen
  const id = String((body as { id: FixtureId }).id)
  const { ids, last } = seen[kind]
  expect(ids).not.toContain(id)
  if (last !== undefined) expect(BigInt(id)).toBe(last + 1n)
  seen[kind] = { ids: [...ids, id], last: BigInt(id) }
}

function expectSound(state: Fixture, rules: 'on' | 'off'): void {
  if (rules === 'on') expect(findBrokenInvariants(state)).toStrictEqual([])
  const entries = state.inventory.map(({ petId, status }) => ({ id: petId, status }))
  expect(entries).toStrictEqual(state.pets.map(({ id, status }) => ({ id, status })))
}

/** Answers that a random run must have met to be worth its time. */
const RULES_MET = [
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
  const inMemory = adapter.name === 'in memory'

  async function playMany(rules: 'on' | 'off', numRuns: number): Promise<string[]> {
    const outcomes: string[] = []
    const property = fc.asyncProperty(RUN, async (run) => {
      outcomes.push(...(await play(adapter, run, rules)))
    })
    await fc.assert(property, { seed: SEED, numRuns })
    return outcomes
  }

  it(`keep every promise of the store (seed ${SEED})`, { timeout: 300_000 }, async () => {
    const outcomes = await playMany('on', inMemory ? 180 : 40)
    expect(outcomes.length).toBeGreaterThanOrEqual(inMemory ? 10_000 : 1_500)
    const met = new Set(outcomes)
    if (inMemory) expect(RULES_MET.filter((outcome) => !met.has(outcome))).toStrictEqual([])
  })

  it(`never fail with the rules off (seed ${SEED})`, { timeout: 300_000 }, async () => {
    const outcomes = await playMany('off', inMemory ? 20 : 3)
    expect(
      outcomes.filter((outcome) => /UNKNOWN|INVALID_(Q|T)|_IN_USE|STOCK|AVAILABLE|COMPLETE/.test(outcome)),
    ).toEqual([])
  })
})
