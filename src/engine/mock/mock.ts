import { toErrorOutcome } from '../../document/contract/error-drafts.js'
import { type Address, isPeek, readAddress } from '../../http/address.js'
import { ApiError } from '../../http/errors.js'
import type { HandleOptions, Outcome, PlainRequest, Trace } from '../../http/messages.js'
import { every, machineDate, monotonicTime } from '../../lib/clock.js'
import { andThen } from '../../lib/functions.js'
import { createAdminLoader } from '../admin/api.js'
import { createSandboxes, type Sandboxes } from '../control/sandboxes.js'
import { createStartingData } from '../control/starting-data.js'
import { createUnreportedErrors } from '../control/unreported-errors.js'
import { createInstance, type ManagedInstance } from '../instance/create-instance.js'
import { createDocumentPaths } from '../instance/document-paths.js'
import type { Instance } from '../instance/instance.js'
import type { Connect } from '../instance/neighbours.js'
import type { CreateUpstream } from '../pipeline/create-upstream.js'
import type { ServiceDefinition, ServiceTypes } from '../service.js'

/** The root instance, which also has the registry of sandboxes. */
export interface Mock<T extends ServiceTypes> extends Instance<T> {
  /** Resolves when the starting data is loaded: at once, unless it has to be generated. */
  readonly ready: Promise<void>
  /** The options with defaults applied. */
  readonly options: T['resolvedOptions']
  /**
   * Named isolated instances. Requests reach one with the header `X-Petstore-Sandbox`, below `/sandbox/<name>`, or with
   * `petstore-sandbox=<name>` in the header `baggage` or, if nothing else names one, in a cookie; the first one creates it. A
   * path of the document wins over `/sandbox/<name>`.
   */
  readonly sandboxes: Sandboxes<Instance<T>>
  /**
   * Resets to other fixtures, or those in the text of a file, merged over the scenario if one was named. Rejects when they
   * are invalid, and changes nothing then. Sandboxes get them at their next reset. Do not mutate the fixtures until it has
   * resolved.
   */
  load(fixtures: T['fixtures'] | string): Promise<void>
}

type SandboxTrace = Pick<Trace, 'sandbox' | 'isNewSandbox' | 'evictedSandbox'>

function inSandbox({ response, trace }: Outcome, sandboxTrace: SandboxTrace): Outcome {
  return { response, trace: { ...sandboxTrace, ...trace } }
}

/** `connect` makes the `services` of the handlers of the root or a sandbox, if there are other mocks for them. */
export function createMock<T extends ServiceTypes>(
  definition: ServiceDefinition<T>,
  options: T['options'],
  connect?: Connect,
  createUpstream?: CreateUpstream,
) {
  const unreportedErrors = createUnreportedErrors()
  const startingData = createStartingData(definition, options, unreportedErrors.add)
  const startedAt = monotonicTime.now()
  const registry = createSandboxes<ManagedInstance<T>>({
    create: (sandbox, markUsed) =>
      createInstance({
        ...shared,
        sandbox,
        unreportedErrors: createUnreportedErrors(unreportedErrors),
        parent: { recordCoverage: root.recordCoverage, markUsed },
      }),
    dispose(sandbox) {
      sandbox.collectErrors()
      sandbox.endEvents()
    },
    onEvicted: (name, reason) => root.emit({ type: 'sandbox', change: 'evicted', name, reason }),
    max: startingData.options.maxSandboxes,
    idleMs: startingData.options.sandboxIdleMs,
    time: monotonicTime,
    date: machineDate,
    every,
  })
  const sandboxes: Sandboxes<Instance<T>> = {
    get: (name) => registry.get(name)?.instance,
    open: (name) => registry.open(name).instance,
    has: registry.has,
    list: registry.list,
    delete: registry.delete,
  }
  const adminLoader = createAdminLoader(definition)
  const documentPaths = createDocumentPaths(definition)
  const shared = {
    definition,
    startingData,
    unreportedErrors,
    connect,
    createUpstream,
    sandboxes,
    loadAdmin: adminLoader.load,
    withoutServerPath: documentPaths.withoutServer,
    uptimeMs: () => Math.floor(monotonicTime.now() - startedAt),
  }
  const root = createInstance<T>({ ...shared, registry: { route, collectErrors } })

  function collectErrors(): void {
    for (const sandbox of registry.all().values()) sandbox.collectErrors()
  }

  function route(request: PlainRequest, handleOptions?: HandleOptions): Outcome | Promise<Outcome> {
    try {
      const address = readAddress(request, documentPaths)
      return address.sandbox === undefined
        ? root.handle(request, handleOptions)
        : routeToSandbox(address.sandbox, address, request, handleOptions)
    } catch (error) {
      if (error instanceof ApiError) return toErrorOutcome(error, request.method)
      throw error
    }
  }

  function routeToSandbox(
    sandbox: string,
    { prefix, path }: Address,
    request: PlainRequest,
    handleOptions: HandleOptions | undefined,
  ): Outcome | Promise<Outcome> {
    const sandboxRequest = { ...request, path, base: request.base + prefix }
    const use = isPeek(request) ? registry.peek(sandbox) : registry.enter(sandbox)
    const { sandbox: instance, isNew, evicted } = use
    const outcome = instance.handle(sandboxRequest, handleOptions)
    const trace = isNew ? { sandbox, isNewSandbox: true, ...(evicted && { evictedSandbox: evicted }) } : { sandbox }
    return andThen(outcome, (settled) => inSandbox(settled, trace))
  }

  const rootMembers = {
    get ready() {
      return startingData.ready
    },
    get options() {
      return startingData.options
    },
    sandboxes,
    async load(fixtures: T['fixtures'] | string) {
      const turn = root.beginReset()
      // A reset that began later wins.
      if ((await startingData.load(fixtures)) && turn.commit()) root.reset()
    },
  }
  // Not a spread: both have getters.
  const mock = Object.defineProperties(root.instance, Object.getOwnPropertyDescriptors(rootMembers)) as Mock<T>
  return {
    mock,
    documentPaths,
    /** Resolves when the starting data is loaded, whatever else the mock of an adapter waits for. */
    loaded: () => startingData.ready,
    /** Adds an error that `check` throws. */
    reportError: unreportedErrors.add,
    /** What an adapter can keep besides the data. Sandboxes are not included. */
    saved: root.saved,
    /** Imports the modules of the admin API now, not at its first use. */
    importAdmin: adminLoader.importModules,
    /** Removes the sandboxes, and ends all event streams. */
    end() {
      for (const name of registry.all().keys()) registry.delete(name)
      root.endEvents()
    },
    /** The root, which has no name, and the sandboxes. */
    instances: () => new Map<string | undefined, ManagedInstance<T>>([[undefined, root], ...registry.all()]),
  }
}
