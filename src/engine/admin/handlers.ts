import { version } from '../../generated/lib/version.js'
import { apiError, MockError } from '../../http/errors.js'
import { every } from '../../lib/clock.js'
import { stringifyJson } from '../../lib/json.js'
import { encodeJson } from '../../lib/json-in-steps.js'
import { findNearest } from '../../lib/nearest.js'
import type { Steps } from '../../lib/steps.js'
import { withoutUndefined } from '../../lib/values.js'
import { messageOf } from '../control/unreported-errors.js'
import { describeResources } from '../crud/describe-resources.js'
import type { AdminTarget } from '../instance/admin-api.js'
import type { MockEvent } from '../log/events.js'
import { withLinearMatch } from '../rules/linear-match.js'
import type { ServiceDefinition, ServiceTypes } from '../service.js'
import { createServedDocuments } from './documents.js'
import { findExampleRequest } from './example-request.js'
import { type AdminHandlers, NO_CONTENT, toExport } from './handler.js'
import { createJournalHandlers } from './journal-handlers.js'
import { recordHandlers } from './record-handlers.js'
import { createStateWriter } from './write-state.js'

/** Shows clients and proxies that the connection is alive. */
const KEEP_ALIVE_MS = 15_000

export const eventHandlers: Pick<AdminHandlers, 'streamEvents'> = {
  streamEvents: ({ target: { instance } }) => ({
    status: 200,
    headers: { 'Cache-Control': 'no-store' },
    stream(write, end) {
      write('retry: 1000\n\n')
      const unsubscribe = instance.events.subscribe((event) => write(formatEvent(event)), end)
      const stopKeepAlive = every(KEEP_ALIVE_MS, () => write(': still here\n\n'))
      return () => {
        unsubscribe()
        stopKeepAlive()
      }
    },
  }),
}

/** Formatted once for all subscribers. */
const formatted = new WeakMap<MockEvent, string>()

function formatEvent(event: MockEvent): string {
  const text = formatted.get(event) ?? `event: ${event.type}\ndata: ${stringifyJson(event)}\n\n`
  formatted.set(event, text)
  return text
}

/** Faults and overrides. */
export const ruleHandlers = {
  listFaults: ({ target: { instance } }) => ({ status: 200, body: instance.faults.list() }),
  addFault: ({ target: { instance }, body }) => ({
    status: 201,
    body: instance.faults.add(withLinearMatch(body) as never),
  }),
  clearFaults({ target: { instance } }) {
    instance.faults.clear()
    return NO_CONTENT
  },
  updateFault: ({ target: { instance }, path, body }) => ({
    status: 200,
    body: instance.faults.update(path.id, withLinearMatch(body)),
  }),
  removeFault({ target: { instance }, path }) {
    instance.faults.remove(path.id)
    return NO_CONTENT
  },

  listOverrides: ({ target: { instance } }) => ({ status: 200, body: instance.overrides.list() }),
  addOverride({ target: { instance }, body: { operation, times, match, unchecked, raw, sequence, ...response } }) {
    if (sequence === undefined && response.status === undefined) {
      throw apiError('INVALID_REQUEST', '/status is missing, or /sequence')
    }
    const [unused] = sequence === undefined ? [] : Object.keys(response)
    if (unused !== undefined) throw apiError('INVALID_REQUEST', `/${unused} has no effect beside /sequence`)
    const options = withLinearMatch({ times, match, unchecked, raw })
    const override = instance.override(operation, (sequence ?? response) as never, withoutUndefined(options))
    return { status: 201, body: override }
  },
  clearOverrides({ target: { instance } }) {
    instance.overrides.clear()
    return NO_CONTENT
  },
  removeOverride({ target: { instance }, path }) {
    instance.overrides.remove(path.id)
    return NO_CONTENT
  },
} satisfies Partial<AdminHandlers>

/** What is passed through to the real service. */
export const upstreamHandlers = {
  getUpstream: ({ target }) => ({ status: 200, body: stateOf(target) }),
  setUpstream({ target, body: { pass = [], mock = [] } }) {
    const { upstream } = target.instance
    if (upstream === undefined) {
      const message = 'The mock has no upstream. Start it with --upstream, or with the option upstream.'
      throw apiError('NO_UPSTREAM', message)
    }
    upstream.change({ pass, mock })
    return { status: 200, body: stateOf(target) }
  },
} satisfies Partial<AdminHandlers>

function stateOf({ instance: { upstream } }: AdminTarget) {
  return upstream ? { url: upstream.url, passed: upstream.passed } : { passed: [] }
}

/**
 * The path of a document that an unknown one was most likely meant to be, with the same parameters: one with a few typos in
 * a segment, or without its first segments.
 */
export function suggestPath(segments: readonly string[], templates: readonly string[]): string | undefined {
  const candidates = new Map(templates.flatMap((template) => toCandidate(segments, template)))
  const nearest = findNearest(`/${segments.join('/')}`, [...candidates.keys()])
  return nearest === undefined ? undefined : candidates.get(nearest)
}

/** The end of the template that is as long as the path, with its parameters filled in, and all of it. */
function toCandidate(segments: readonly string[], template: string): [end: string, whole: string][] {
  const places = template.split('/').slice(1)
  const missing = places.length - segments.length
  if (missing < 0 || segments.includes('')) return []
  // Parameters fit everything, so they do not make a path a likely one.
  const isParameter = (place: string) => place.startsWith('{')
  const end = places.slice(missing)
  if (end.every(isParameter) || (missing > 0 && end.slice(0, 1).some(isParameter))) return []
  const isNear = (place: string, index: number) => findNearest(segments[index] ?? '', [place]) !== undefined
  if (!end.every((place, index) => isParameter(place) || isNear(place, index))) return []
  const filled = places.map((place, index) => (place.startsWith('{') ? segments[index - missing] : place))
  return filled.includes(undefined) ? [] : [[`/${filled.slice(missing).join('/')}`, `/${filled.join('/')}`]]
}

export { createAdminContract } from './documents.js'
export { readStateBody } from './state-body.js'

/** The operations of the admin API. Each calls the same function as a test does in process. */
export function createAdminHandlers<T extends ServiceTypes>(definition: ServiceDefinition<T>): AdminHandlers {
  const { contract, specHash, listScenarios, resources, title } = definition
  const exampleRequest = findExampleRequest(definition)
  const served = createServedDocuments(definition)
  const writeState = createStateWriter(resources)

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
      return toExport(handleOptions, function* () {
        return yield* encodeJson(exportState(), writeState)
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
