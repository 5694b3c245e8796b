import { type Address, readAddress } from '../engine/address.js'
import { ApiError } from '../engine/contract/errors.js'
import type { PlainRequest, PlainResponse, Waiting } from '../engine/contract/messages.js'
import { toErrorResponse } from '../engine/contract/render.js'
import { createSandboxes, type Sandboxes, type SandboxHouse } from '../engine/control/sandboxes.js'
import { createUnreportedErrors } from '../engine/control/unreported-errors.js'
import { createFetch } from '../engine/fetch/fetch.js'
import { type AssembledSandbox, createSandbox, type Sandbox } from '../engine/instance.js'
import { maxBodyBytesFor } from '../engine/limits.js'
import { createOrigin } from '../engine/starting-data.js'
import { machineDate, monotonicTime } from '../lib/clock.js'
import { storeContract } from './contract.js'
import type { PartialFixture } from './fixtures/format.js'
import type { PetstoreOptions, ResolvedOptions } from './options.js'

/** A pet store in memory, and any number of private copies of it. */
export interface Petstore extends Sandbox {
  /** Resolves once the starting world is there: at once for a scenario at its own seed, later for a generated one. */
  readonly ready: Promise<void>
  readonly options: ResolvedOptions
  /**
   * Private copies of everything, each made at its first use: what requests reach with the header `X-Petstore-Sandbox`
   * or below `/sandbox/<name>`.
   */
  readonly sandboxes: Sandboxes<Sandbox>
  /**
   * Starts over from other fixtures, laid over the scenario where one was named. Where they cannot be used it rejects,
   * and everything stays as it is. Sandboxes begin there from their next reset on.
   */
  load(fixtures: PartialFixture): Promise<void>
}

export function createPetstore(options: PetstoreOptions = {}): Petstore {
  return assemblePetstore(options).petstore
}

/** A pet store, and what an adapter may want of it besides. */
export interface AssembledPetstore extends Pick<AssembledSandbox, 'reportError'> {
  readonly petstore: Petstore
}

export function assemblePetstore(options: PetstoreOptions): AssembledPetstore {
  const unreportedErrors = createUnreportedErrors()
  const origin = createOrigin(options, storeContract(), unreportedErrors.add)
  const { maxSandboxes: max, sandboxIdleMs: idleMs } = origin.options
  const startedAt = monotonicTime.now()
  const house: SandboxHouse<AssembledSandbox> = createSandboxes({
    create: (use) => createSandbox({ ...shared(), whole: { cover: root.cover, use } }),
    dismiss: ({ end }) => end(),
    ...{ max, idleMs, time: monotonicTime, date: machineDate },
  })
  const sandboxes: Sandboxes<Sandbox> = { ...house.sandboxes, get: (name) => house.sandboxes.get(name).sandbox }
  const shared = () => ({ origin, startedAt, sandboxes, unreportedErrors })
  const root = createSandbox(shared())
  const { handle: handleAtRoot } = root.sandbox

  function handle(request: PlainRequest, waiting?: Waiting): PlainResponse | Promise<PlainResponse> {
    let address: Address
    try {
      address = readAddress(request)
    } catch (error) {
      if (error instanceof ApiError) return toErrorResponse(error, request.method)
      throw error
    }
    const { sandbox, prefix, path } = address
    if (sandbox === undefined) return handleAtRoot(request, waiting)
    return house.enter(sandbox).sandbox.handle({ ...request, path, base: request.base + prefix }, waiting)
  }

  const petstore = Object.assign(root.sandbox, {
    handle,
    fetch: createFetch(
      { handle, mostBytes: (path) => maxBodyBytesFor(path, origin.options), reportError: unreportedErrors.add },
      origin.ready,
    ),
    ready: origin.ready,
    sandboxes,
    async load(fixtures: PartialFixture) {
      await origin.load(fixtures)
      root.startOver()
    },
  }) as Petstore
  // Another one after each load.
  Object.defineProperty(petstore, 'options', { get: () => origin.options, enumerable: true })
  return { petstore, reportError: root.reportError }
}
