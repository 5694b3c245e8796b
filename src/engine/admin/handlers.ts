import { version } from '../../lib/generated/version.js'
import type { ServiceDefinition, ServiceTypes } from '../service.js'
import type { AdminDocuments } from './documents.js'
import { eventHandlers } from './events.js'
import { type AdminHandlers, type AdminOperationId, NO_CONTENT } from './handler.js'
import { createJournalHandlers } from './journal.js'
import { withMisuseAsApiError } from './misuse-to-api-error.js'

/** The operations of the admin API. Each calls the same function as a test does in process. */
export function createAdminHandlers<T extends ServiceTypes>(
  { contract, specHash }: ServiceDefinition<T>,
  { listScenarios, loadServed }: AdminDocuments,
): AdminHandlers<AdminOperationId> {
  return withMisuseAsApiError<AdminHandlers<AdminOperationId>>({
    getHealth: ({ target: { instance, uptimeMs } }) => ({
      status: 200,
      body: { status: 'ok', version, ...instance.startingData, specHash, uptimeMs: uptimeMs() },
    }),
    async resetMock({ target, body }) {
      await target.reset(isEmpty(body) ? undefined : body)
      return NO_CONTENT
    },
    listScenarios: () => ({ status: 200, body: listScenarios() }),

    getState: ({ target: { instance } }) => ({ status: 200, body: instance.exportState() }),
    replaceState({ target: { instance }, body }) {
      instance.importState(body)
      return NO_CONTENT
    },

    listSnapshots: ({ target: { instance } }) => ({ status: 200, body: instance.snapshots.list() }),
    takeSnapshot: ({ target: { instance }, body }) => ({ status: 201, body: instance.snapshots.take(body.name) }),
    restoreSnapshot({ target: { instance }, path }) {
      instance.snapshots.restore(path.name)
      return NO_CONTENT
    },
    deleteSnapshot({ target: { instance }, path }) {
      instance.snapshots.delete(path.name)
      return NO_CONTENT
    },

    ...createJournalHandlers(contract),
    ...eventHandlers,

    listFaults: ({ target: { instance } }) => ({ status: 200, body: instance.faults.list() }),
    addFault: ({ target: { instance }, body }) => ({ status: 201, body: instance.faults.add(body as never) }),
    clearFaults({ target: { instance } }) {
      instance.faults.clear()
      return NO_CONTENT
    },
    removeFault({ target: { instance }, path }) {
      instance.faults.remove(path.id)
      return NO_CONTENT
    },

    getClock: ({ target: { instance } }) => ({ status: 200, body: instance.clock.state() }),
    setClock({ target: { instance }, body: { now, frozen } }) {
      const { clock } = instance
      // Freeze first, so that the clock stands exactly at `now`.
      if (frozen) clock.freeze()
      if (now !== undefined) clock.set(now)
      if (frozen === false) clock.unfreeze()
      return { status: 200, body: clock.state() }
    },
    advanceClock({ target: { instance }, body: { by } }) {
      instance.clock.advance(by)
      return { status: 200, body: instance.clock.state() }
    },

    getCoverage: ({ target: { instance } }) => ({ status: 200, body: instance.coverage() }),

    listSandboxes: ({ target: { sandboxes } }) => ({ status: 200, body: sandboxes.list() }),
    deleteSandbox({ target: { sandboxes }, path }) {
      sandboxes.delete(path.name)
      return NO_CONTENT
    },

    getOpenapiYaml: async () => ({ status: 200, body: (await loadServed()).service.yaml }),
    getOpenapiJson: async () => ({ status: 200, body: (await loadServed()).service.document }),
    getAdminYaml: async () => ({ status: 200, body: (await loadServed()).admin.yaml }),
    getAdminJson: async () => ({ status: 200, body: (await loadServed()).admin.document }),
  })
}

function isEmpty(body: object | undefined): boolean {
  return body === undefined || Object.keys(body).length === 0
}
