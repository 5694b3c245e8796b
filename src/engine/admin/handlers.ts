import { version } from '../../lib/generated/version.js'
import { encodeJson } from '../../lib/json-in-steps.js'
import type { Steps } from '../../lib/steps.js'
import { MockError } from '../contract/errors.js'
import { messageOf } from '../control/unreported-errors.js'
import { findExampleRequest } from '../example-request.js'
import { describeResources } from '../resources/describe-resources.js'
import type { ServiceDefinition, ServiceTypes } from '../service.js'
import { createServedDocuments } from './documents.js'
import { eventHandlers } from './event-handlers.js'
import { type AdminHandlers, NO_CONTENT } from './handler.js'
import { createJournalHandlers } from './journal-handlers.js'
import { recordHandlers } from './record-handlers.js'
import { ruleHandlers } from './rule-handlers.js'
import { toExport } from './to-export.js'
import { upstreamHandlers } from './upstream-handlers.js'

export { createAdminContract } from './documents.js'
export { readStateBody } from './state-body.js'
export { suggestPath } from './suggest-path.js'

/** The operations of the admin API. Each calls the same function as a test does in process. */
export function createAdminHandlers<T extends ServiceTypes>(definition: ServiceDefinition<T>): AdminHandlers {
  const { contract, specHash, listScenarios, resources, title } = definition
  const exampleRequest = findExampleRequest(definition)
  const served = createServedDocuments(definition)

  return {
    getHealth: ({ target: { instance, uptimeMs, services } }) => ({
      status: 200,
      body: {
        status: 'ok',
        version,
        title,
        ...instance.startingData,
        specHash,
        uptimeMs: uptimeMs(),
        ...(exampleRequest && { exampleRequest }),
        ...(services && { services: [...services()] }),
      },
    }),
    async resetMock({ target, body }) {
      await target.reset(isEmpty(body) ? undefined : body)
      return NO_CONTENT
    },
    checkMock: ({ target }) => ({ status: 200, body: { errors: target.takeErrors().map(toUnreportedError) } }),
    listScenarios: () => ({ status: 200, body: listScenarios() }),

    getState({ target, handleOptions }) {
      const exportState = target.exportLater()
      return toExport(handleOptions, function* (write) {
        return yield* encodeJson(exportState(), write)
      })
    },
    async replaceState({ target, body }) {
      await target.importState(body as unknown as Steps<unknown>)
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

    getReproduction: ({ target: { instance }, handleOptions }) =>
      toExport(handleOptions, function* (write) {
        return yield* encodeJson(instance.reproduction(), write)
      }),

    ...createJournalHandlers(contract),
    ...eventHandlers,
    ...ruleHandlers,
    ...recordHandlers,
    ...upstreamHandlers,

    listCollections: () => ({ status: 200, body: describeResources(resources, contract) }),

    getClock: ({ target: { instance } }) => ({ status: 200, body: instance.clock.state() }),
    setClock({ target: { instance }, body: { now, frozen, sunset } }) {
      const { clock } = instance
      // Freeze first, so that the clock stands exactly at `now`.
      if (frozen) clock.freeze()
      if (now !== undefined) clock.set(now)
      if (frozen === false) clock.unfreeze()
      if (sunset !== undefined) clock.setSunset(sunset)
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

    getOpenapiYaml: async () => ({ status: 200, body: await served.serviceYaml() }),
    getOpenapiJson: async () => ({ status: 200, body: await served.service() }),
    getAdminYaml: async () => ({ status: 200, body: await served.adminYaml() }),
    getAdminJson: async () => ({ status: 200, body: await served.admin() }),
  }
}

function toUnreportedError(error: unknown) {
  return { ...(error instanceof MockError && { code: error.code }), message: messageOf(error) }
}

function isEmpty(body: object | undefined): boolean {
  return body === undefined || Object.keys(body).length === 0
}
