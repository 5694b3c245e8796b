import type { Contract } from '../../document/contract/contract.js'
import type { Work } from '../../document/schema/linear-regexp.js'
import { isJsonMediaType } from '../../document/schema/media-type.js'
import { apiError, MockError } from '../../http/errors.js'
import { toGivenHeaders } from '../../http/headers.js'
import type { PlainRequest, ResponseDraft } from '../../http/messages.js'
import type { TimeSource } from '../../lib/clock.js'
import type { MaybePromise } from '../../lib/functions.js'
import { describeValue, isError } from '../../lib/functions.js'
import { parseJson } from '../../lib/json.js'
import { copyData, isEqualJson, orElse } from '../../lib/values.js'
import type { AddedOverride, OverrideEvent, OverrideList, OverrideOptions } from './override.js'
import {
  createLayer,
  createSavedLayer,
  describeLayer,
  isSameOverride,
  isThenable,
  type Layer,
  type OverrideItem,
  type SavedOverride,
  toSaved,
} from './override-layer.js'
import { checkResponse, misuse } from './override-response.js'
import { createWork } from './request-match.js'
import { isUsedUp, type Removable, RuleList } from './rule-list.js'

interface OverridableRequest {
  readonly operation: string
  readonly request: PlainRequest
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
  /** The response without overrides. */
  perform(): MaybePromise<ResponseDraft>
}

export interface Overrides {
  readonly list: OverrideList<string>
  /** The newest override that matches is called first. A fixed response is checked at once. */
  add(operation: string, override: unknown, options?: OverrideOptions): AddedOverride & Removable
  has(operation: string): boolean
  respond(call: OverridableRequest): ResponseDraft | Promise<ResponseDraft>
  /** Those that are not functions. */
  save(): SavedOverride[]
  /** Throws if one is invalid, otherwise returns a function that adds those that are not there yet. */
  readSaved(saved: readonly SavedOverride[]): () => void
  /** Removes all overrides and restarts their ids. */
  reset(): void
}

interface OverrideDependencies {
  readonly contract: Contract
  readonly clock: TimeSource
  readonly events: { emit(event: OverrideEvent): void }
}

export function createOverrides({ contract, clock, events }: OverrideDependencies): Overrides {
  const layers = new RuleList<Layer, AddedOverride>({
    name: 'override',
    notFound: 'OVERRIDE_NOT_FOUND',
    describe: (layer) => copyData(describeLayer(layer)),
    isSame: isSameOverride,
    announce(change, layer) {
      if (change === 'cleared') events.emit({ type: 'override', change })
      else if (layer && change !== 'changed') events.emit({ type: 'override', change, override: describeLayer(layer) })
    },
  })
  /** Replaced by `reset`. */
  let generation = {}

  /** `candidates` are the overrides at the start of the request, the newest first. Some may have been removed since. */
  function respond(
    call: OverridableRequest,
    candidates: readonly Layer[],
    work: Work,
  ): ResponseDraft | Promise<ResponseDraft> {
    const [layer, ...older] = candidates
    if (layer === undefined) return call.perform()
    const applies = layers.has(layer) && !isUsedUp(layer) && layer.matches(call.request, work)
    if (!applies) return respond(call, older, work)
    const item = layers.apply<OverrideItem>(layer)
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
    list: () => layers.list(),
    remove: (id) => layers.remove(id),
    clear: () => layers.clear(),
  }

  return {
    list,
    add: (operation: string, override: unknown, options: OverrideOptions = {}): AddedOverride & Removable =>
      layers.add(createLayer(operation, override, options, { contract, clock })),
    has: (operation: string): boolean => layers.all.some((layer) => layer.operation === operation && !isUsedUp(layer)),
    respond(call: OverridableRequest) {
      const candidates = layers.all.filter(({ operation }) => operation === call.operation)
      return respond(call, candidates.reverse(), createWork())
    },
    save: (): SavedOverride[] => layers.all.flatMap((layer) => toSaved(layer) ?? []),
    readSaved(saved: readonly SavedOverride[]): () => void {
      const restored = saved.map((each) => createSavedLayer(each, { contract, clock }))
      return () => void layers.restore(restored)
    },
    reset(): void {
      layers.reset()
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
