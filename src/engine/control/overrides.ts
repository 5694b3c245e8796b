import type { MaybePromise } from '../../lib/and-then.js'
import type { TimeSource } from '../../lib/clock.js'
import { copyData } from '../../lib/copy-data.js'
import { isEqualJson } from '../../lib/equal-json.js'
import { parseJson } from '../../lib/json.js'
import { orElse } from '../../lib/or-else.js'
import { describeValue, isError } from '../../lib/thrown.js'
import type { Contract } from '../contract/contract.js'
import { apiError, MockError } from '../contract/errors.js'
import type { Work } from '../contract/linear-regexp.js'
import { isJsonMediaType } from '../contract/media-type.js'
import type { PlainRequest, ResponseDraft } from '../contract/messages.js'
import { toGivenHeaders } from '../contract/response-headers.js'
import type { EventHub } from './events.js'
import type { AddedOverride, OverrideList, OverrideOptions } from './override.js'
import { createLayer, describeLayer, isActive, isThenable, type Layer } from './override-layer.js'
import { checkResponse, misuse } from './override-response.js'
import { makeRemovable, type Removable } from './removable.js'
import { createWork } from './request-match.js'
import { createSavedLayer, isSameOverride, type SavedOverride, toSaved } from './saved-overrides.js'
import { nextItem } from './sequence.js'

interface OverridableRequest {
  readonly operation: string
  readonly request: PlainRequest
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
  /** The response without overrides. */
  perform(): MaybePromise<ResponseDraft>
}

export type Overrides = ReturnType<typeof createOverrides>

interface OverrideDependencies {
  readonly contract: Contract
  readonly clock: TimeSource
  readonly events: EventHub
}

/** Every request of an operation is compared with its overrides. */
const MAX_OVERRIDES = 1000

export function createOverrides({ contract, clock, events }: OverrideDependencies) {
  /** The newest first. */
  let layers: Layer[] = []
  let lastId = 0
  /** Replaced by `reset`. */
  let generation = {}

  function remove(layer: Layer): void {
    layers = layers.filter((other) => other !== layer)
    events.emit({ type: 'override', change: 'removed', override: describeLayer(layer) })
  }

  /** `candidates` are the overrides at the start of the request, the newest first. Some may have been removed since. */
  function respond(
    call: OverridableRequest,
    candidates: readonly Layer[],
    work: Work,
  ): ResponseDraft | Promise<ResponseDraft> {
    const [layer, ...older] = candidates
    if (layer === undefined) return call.perform()
    const applies = layers.includes(layer) && isActive(layer) && layer.matches(call.request, work)
    if (!applies) return respond(call, older, work)
    const item = nextItem(layer, layer.applied)
    layer.applied += 1
    events.emit({ type: 'override', change: 'applied', override: describeLayer(layer) })
    if (item === 'pass') return respond(call, older, work)
    const { params, query, body } = call
    // A copy, like the others: the journal has the original.
    const headers = { ...call.request.headers }
    const startedIn = generation
    /** What `next` has returned, and the drafts that it was made of. */
    const given = new Map<unknown, ResponseDraft>()
    let latest: ResponseDraft | undefined
    const respondWithOlder = async () => {
      if (startedIn !== generation) throw misuse(call.operation, 'called next() after the mock was reset.')
      const draft = await respond(call, older, work)
      latest = draft
      const response = toOverrideResponse(draft)
      given.set(response, draft)
      return response
    }
    const next = () => {
      const response = respondWithOlder()
      // An override may ignore it, and an unhandled rejection would end the process.
      response.catch(() => {})
      return response
    }
    const finish = (response: unknown) => {
      const original = given.get(response)
      const isSame = original !== undefined && isEqualJson(response, toOverrideResponse(original))
      if (isSame) return { ...original, trace: { ...original.trace, override: layer.id } }
      return keepTrace(original ?? latest, toDraft(call, response, layer))
    }
    const fail = (error: unknown) => keepTrace(latest, toMisuseDraft(call, error, layer, contract))
    try {
      const response = typeof item === 'function' ? item({ params, query, body, headers, next }) : item
      return isThenable(response) ? Promise.resolve(response).then(finish).catch(fail) : finish(response)
    } catch (error) {
      return fail(error)
    }
  }

  function toDraft({ operation }: OverridableRequest, response: unknown, { id, options, place }: Layer): ResponseDraft {
    try {
      const draft = checkResponse(operation, response, contract, options)
      return { ...draft, trace: { ...draft.trace, override: id } }
    } catch (error) {
      // Its own stack has nothing of the test.
      throw Object.assign(error as Error, { stack: place.stack?.replace(/^Error(: )?(?=\n)/, () => String(error)) })
    }
  }

  const list: OverrideList = {
    list: () => copyData(layers.toReversed().map(describeLayer)),
    remove(id) {
      const layer = layers.find((each) => each.id === id)
      if (layer === undefined) throw new MockError('OVERRIDE_NOT_FOUND', `Unknown override ${describeValue(id)}.`)
      remove(layer)
    },
    clear() {
      layers = []
      events.emit({ type: 'override', change: 'cleared' })
    },
  }

  return {
    list,
    /** The newest override that matches is called first. A fixed response is checked at once. */
    add(operation: string, override: unknown, options: OverrideOptions = {}): AddedOverride & Removable {
      const created = createLayer(operation, override, options, { contract, clock })
      if (layers.length >= MAX_OVERRIDES) layers = layers.filter(isActive)
      const restored = layers.findIndex((each) => each.isRestored && isSameOverride(each, created))
      if (restored < 0 && layers.length >= MAX_OVERRIDES) {
        throw new MockError('LIMIT_REACHED', `There are already ${MAX_OVERRIDES} overrides. Remove some first.`)
      }
      lastId += 1
      const layer: Layer = { id: lastId, ...created }
      // Code that adds its overrides at every start would otherwise add one more each time.
      layers = restored < 0 ? [layer, ...layers] : layers.with(restored, layer)
      events.emit({ type: 'override', change: 'added', override: describeLayer(layer) })
      return makeRemovable(copyData(describeLayer(layer)), () => layers.includes(layer) && remove(layer))
    },
    has: (operation: string): boolean => layers.some((layer) => layer.operation === operation && isActive(layer)),
    respond: (call: OverridableRequest) =>
      respond(
        call,
        layers.filter(({ operation }) => operation === call.operation),
        createWork(),
      ),
    /** Those that are not functions, oldest first. */
    save: (): SavedOverride[] => layers.toReversed().flatMap((layer) => toSaved(layer) ?? []),
    /** Throws if one is invalid, otherwise returns a function that adds those that are not there yet. */
    readSaved(saved: readonly SavedOverride[]): () => void {
      const restored = saved.map((each) => createSavedLayer(each, { contract, clock }))
      return () => {
        const missing = restored.filter((each) => !layers.some((own) => isSameOverride(own, each)))
        for (const layer of missing) {
          lastId += 1
          layers = [{ id: lastId, ...layer }, ...layers]
        }
      }
    },
    /** Removes all overrides and restarts their ids. */
    reset(): void {
      layers = []
      lastId = 0
      generation = {}
    },
  }
}

/** What became of a request that was passed through is recorded, whatever an override makes of it. */
function keepTrace(older: ResponseDraft | undefined, draft: ResponseDraft): ResponseDraft {
  const { upstream, violations } = older?.trace ?? {}
  return { ...draft, trace: { ...(violations && { violations }), ...(upstream && { upstream }), ...draft.trace } }
}

/** The error fails the test: it may be a failed assertion inside the override. */
function toMisuseDraft(
  { operation }: OverridableRequest,
  thrown: unknown,
  { id }: Layer,
  { toErrorDraft, operationById }: Contract,
): ResponseDraft {
  const error = isError(thrown) ? thrown : misuse(operation, `threw ${describeValue(thrown)}.`)
  const message = error instanceof MockError ? error.message : `The override of ${operation} threw an error.`
  const draft = toErrorDraft(apiError('INTERNAL_ERROR', message), undefined, { operation: operationById(operation) })
  return { ...draft, trace: { ...draft.trace, override: id, misuse: error } }
}

/** A draft in the form that an override reads and returns. */
function toOverrideResponse({ status, headers = {}, body, bytes, mediaType, trace }: ResponseDraft): never {
  if (trace?.misuse !== undefined) throw trace.misuse
  // The body of an older override, or of the real service, may be anything.
  const content = body && isJsonMediaType(mediaType ?? '') ? orElse(() => parseJson(body), body) : body || bytes
  return { status, headers: toGivenHeaders(headers), ...(content !== undefined && { body: content }) } as never
}
