import { monotonicTime } from '../../lib/clock.js'
import { version } from '../../lib/generated/version.js'
import { specHash } from '../../petstore/contract.js'
import { listScenarios } from '../../petstore/fixtures/scenarios.js'
import { loadAdminDocument, openapi } from '../../petstore/served-documents.js'
import type { AdminOperationId } from '../contract/types.js'
import { eventHandlers } from './events.js'
import { type AdminHandlers, DONE } from './handler.js'
import { journalHandlers } from './journal.js'
import { refusing } from './misuse-to-api-error.js'

export { adminContract } from '../../petstore/admin-contract.js'

/** What each operation of the control plane does: what the same control does in process. */
const handlers: AdminHandlers<AdminOperationId> = {
  getHealth: ({ mock: { startingData, startedAt } }) => ({
    status: 200,
    body: {
      status: 'ok',
      version,
      ...startingData,
      specHash,
      uptimeMs: Math.floor(monotonicTime.now() - startedAt),
    },
  }),
  async resetMock({ mock, body }) {
    await mock.startOver(isEmpty(body) ? undefined : (body as never))
    return DONE
  },
  listScenarios: () => ({ status: 200, body: listScenarios() }),

  getState: ({ mock }) => ({ status: 200, body: mock.exportState() as never }),
  replaceState({ mock, body }) {
    mock.importState(body as never)
    return DONE
  },

  listSnapshots: ({ mock }) => ({ status: 200, body: mock.snapshots.list() }),
  takeSnapshot: ({ mock, body }) => ({ status: 201, body: mock.snapshots.take(body.name) }),
  restoreSnapshot({ mock, path }) {
    mock.snapshots.restore(path.name)
    return DONE
  },
  deleteSnapshot({ mock, path }) {
    mock.snapshots.delete(path.name)
    return DONE
  },

  ...journalHandlers,
  ...eventHandlers,

  listFaults: ({ mock }) => ({ status: 200, body: mock.faults.list() as never }),
  addFault: ({ mock, body }) => ({ status: 201, body: mock.faults.add(body as never) as never }),
  clearFaults({ mock }) {
    mock.faults.clear()
    return DONE
  },
  removeFault({ mock, path }) {
    mock.faults.remove(path.id)
    return DONE
  },

  getClock: ({ mock: { clock } }) => ({ status: 200, body: clock.state() }),
  setClock({ mock: { clock }, body: { now, frozen } }) {
    // Stopped first, so that it stands exactly where it is set.
    if (frozen) clock.freeze()
    if (now !== undefined) clock.set(now)
    if (frozen === false) clock.unfreeze()
    return { status: 200, body: clock.state() }
  },
  advanceClock({ mock: { clock }, body: { by } }) {
    clock.advance(by)
    return { status: 200, body: clock.state() }
  },

  getCoverage: ({ mock }) => ({ status: 200, body: mock.coverage() as never }),

  listSandboxes: ({ mock }) => ({ status: 200, body: mock.sandboxes.list() }),
  deleteSandbox({ mock, path }) {
    mock.sandboxes.delete(path.name)
    return DONE
  },

  getOpenapiYaml: () => ({ status: 200, body: openapi.yaml }),
  getOpenapiJson: () => ({ status: 200, body: openapi.document as never }),
  getAdminYaml: async () => ({ status: 200, body: (await loadAdminDocument()).yaml }),
  getAdminJson: async () => ({ status: 200, body: (await loadAdminDocument()).document as never }),
}

export const adminHandlers = refusing(handlers)

/** A body that says nothing asks for nothing else than none. */
function isEmpty(body: object | undefined): boolean {
  return body === undefined || Object.keys(body).length === 0
}
