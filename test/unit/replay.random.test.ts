import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createPetstore, type Petstore } from '../../src/index.js'
import { parseJson, stringifyJson } from '../../src/lib/json.js'
import { petstoreService } from '../../src/petstore/service.js'
import { readReproduction, startingOptions } from '../../src/tools/replay/read-reproduction.js'
import { replay } from '../../src/tools/replay/replay.js'
import type { ReplayReport } from '../../src/tools/replay/report.js'
import { isFullRun } from '../support/full-run.js'
import { type Kind, type Seen, STEP, toRequest } from '../support/random-steps.js'

const SEED = 20_261_117
const REQUESTS = isFullRun ? 1000 : 250
const SANDBOX = 'checkout'

type Sandbox = ReturnType<Petstore['sandboxes']['open']>

/** What a test may do between requests. Each may throw: ids may be unknown, and data may be rejected. */
const ACTION: fc.Arbitrary<(sandbox: Sandbox) => unknown> = fc.oneof(
  fc
    .record({
      kind: fc.constantFrom('error', 'delay', 'reset', 'timeout', 'truncate', 'malformed', 'slow'),
      operation: fc.constantFrom('getPet', 'listPets', 'createOrder', 'updateInventory'),
      times: fc.integer({ min: 1, max: 9 }),
      after: fc.nat(3),
      probability: fc.constantFrom(0.2, 0.5, 1),
      expiresAfterMs: fc.constantFrom(1000, 3_600_000),
    })
    .map(
      ({ kind, ...rule }) =>
        (sandbox: Sandbox) =>
          sandbox.faults.add({
            ...rule,
            ...(kind === 'error' ? { status: 503 } : { kind }),
            delayMs: [5, 60],
          } as never),
    ),
  fc.nat(12).map((id) => (sandbox: Sandbox) => sandbox.faults.remove(id)),
  fc
    .nat(12)
    .map((id) => (sandbox: Sandbox) => sandbox.faults.update(id, { status: 418, probability: null, position: 1 })),
  fc.constant((sandbox: Sandbox) => sandbox.faults.clear()),
  fc.integer({ min: 1, max: 100_000_000 }).map((by) => (sandbox: Sandbox) => sandbox.clock.advance(by)),
  fc.constant((sandbox: Sandbox) => sandbox.clock.freeze()),
  fc.constant((sandbox: Sandbox) => sandbox.clock.unfreeze()),
  fc.constant((sandbox: Sandbox) => sandbox.clock.set('2031-01-01T00:00:00Z')),
  fc.constant((sandbox: Sandbox) => sandbox.clock.reset()),
  fc.constant((sandbox: Sandbox) => sandbox.data.pets.create({ stock: 3 })),
  fc.constant((sandbox: Sandbox) => sandbox.data.pets.create({ name: '', stock: -1 })),
  fc.constant((sandbox: Sandbox) => sandbox.data.orders.createMany(2)),
  fc.constant((sandbox: Sandbox) => sandbox.data.pets.createMany(3, (index) => ({ name: `Pet ${index}` }))),
  fc.nat(20).map((id) => (sandbox: Sandbox) => sandbox.data.inventory.update(id, { quantity: 4 })),
  fc.nat(20).map((id) => (sandbox: Sandbox) => sandbox.data.orders.delete(id)),
  fc.constant((sandbox: Sandbox) =>
    sandbox.override('getPet', { status: 429, headers: { 'set-cookie': 'session=secret' } } as never, {
      times: 3,
      unchecked: true,
    }),
  ),
  fc.nat(5).map((id) => (sandbox: Sandbox) => sandbox.overrides.remove(id)),
  fc.constant((sandbox: Sandbox) => sandbox.snapshots.take('before')),
  fc.constant((sandbox: Sandbox) => sandbox.snapshots.restore('before')),
  fc.constant((sandbox: Sandbox) => sandbox.importState(sandbox.exportState())),
  fc.constant((sandbox: Sandbox) => sandbox.journal.clear()),
)

const { signal } = new AbortController()

/** Sends random requests and does random things between them. Nothing waits. */
async function record(seed: number): Promise<{ file: string; state: string }> {
  const petstore = createPetstore({ seed: 7, strict: true, sunset: 'enforce', journalSize: 10 * REQUESTS })
  await petstore.ready
  const sandbox = petstore.sandboxes.open(SANDBOX)
  const steps = fc.sample(fc.tuple(STEP, fc.option(ACTION, { freq: 2 })), { seed, numRuns: REQUESTS })
  const seen: Seen = { categories: { ids: ['1', '2'] }, pets: { ids: ['1', '2', '3'] }, orders: { ids: ['1', '2'] } }
  for (const [step, act] of steps) {
    try {
      act?.(sandbox)
    } catch {
      // That it was rejected is part of what happened.
    }
    const { target, init } = toRequest(step, seen)
    const [path = '', query = ''] = target.split(/\?(.*)/s)
    const body = init.body === undefined ? {} : { body: new TextEncoder().encode(init.body as string) }
    const request = { method: step.method, path, query, base: '', headers: init.headers as Record<string, string> }
    const { response, trace } = await sandbox.handle({ ...request, ...body }, { signal, skipDelays: true })
    const kind = KINDS[trace.operation ?? '']
    const [, id] = /"id":(-?\d+)/.exec(response.body ?? '') ?? []
    if (response.status === 201 && kind && id !== undefined) seen[kind].ids.push(id)
  }
  return { file: stringifyJson(sandbox.reproduction()) as string, state: exportOf(petstore) }
}

const KINDS: Readonly<Record<string, Kind>> = { createPet: 'pets', createCategory: 'categories', createOrder: 'orders' }

function exportOf(petstore: Petstore): string {
  return stringifyJson(petstore.sandboxes.open(SANDBOX).exportState()) as string
}

async function replayFile(file: string): Promise<{ report: ReplayReport; state: string }> {
  const reproduction = readReproduction(parseJson(file), petstoreService)
  const petstore = createPetstore(startingOptions(reproduction))
  await petstore.ready
  return { report: await replay(petstore, reproduction, { signal }), state: exportOf(petstore) }
}

it.each(Array.from({ length: isFullRun ? 5 : 1 }, (_, index) => SEED + index))(
  'random requests, with faults and changes of clock and data, give the same responses again (seed %i)',
  async (seed) => {
    const { file, state } = await record(seed)
    const replayed = await replayFile(file)
    expect(replayed.report.requests.filter(({ outcome }) => outcome !== 'same')).toEqual([])
    expect(replayed.report).toMatchObject({ same: REQUESTS, different: 0, skipped: 0, missing: 0 })
    expect(replayed.state).toBe(state)
    expect(file).not.toContain('session=secret')
  },
)
