import type { TimeSource } from '../../lib/clock.js'
import { copyData } from '../../lib/copy-data.js'
import { parseJson } from '../../lib/json.js'
import { isBytes } from '../../lib/kind.js'
import { describeValue, isError } from '../../lib/thrown.js'
import type { Contract } from '../contract/contract.js'
import { apiError, MockError } from '../contract/errors.js'
import { isJsonMediaType } from '../contract/media-type.js'
import type { PlainRequest, ResponseDraft } from '../contract/messages.js'
import { toGivenHeaders } from '../contract/response-headers.js'
import type { Validate } from '../contract/validators.js'
import { describeViolation } from '../contract/violations.js'
import type { EventHub } from './events.js'
import { validators } from './generated/rule-validators.js'
import { toJsonMatch } from './json-match.js'
import type { Work } from './linear-regexp.js'
import type { AddedOverride, OverrideList, OverrideOptions, UncheckedResponse } from './override.js'
import { checkResponse, misuse, rejectUnknown } from './override-response.js'
import { makeRemovable, type Removable } from './removable.js'
import { compileMatch, createWork, findMatchProblem, type Matches } from './request-match.js'
import { isSameJson, requireNumbers } from './saved-values.js'

interface OverridableRequest {
  readonly operation: string
  readonly request: PlainRequest
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
  /** The response without overrides. */
  perform(): ResponseDraft
}

export type Overrides = ReturnType<typeof createOverrides>

interface Layer {
  readonly id: number
  readonly operation: string
  /** What it responds with: always the first, or each in turn if it is a sequence. */
  readonly items: readonly OverrideItem[]
  readonly isSequence: boolean
  readonly options: OverrideOptions
  readonly matches: Matches
  readonly addedAt: number
  /** Its stack says where the override was added. */
  readonly place: Error
  applied: number
  /** Whether it was restored, not added. */
  readonly isRestored: boolean
}

type OverrideItem = UncheckedResponse | 'pass' | ((call: object) => unknown)

/** A fixed override and its count, as JSON. */
export interface SavedOverride extends Pick<Layer, 'operation' | 'isSequence' | 'options' | 'addedAt' | 'applied'> {
  readonly items: readonly {
    readonly response: UncheckedResponse | 'pass'
    /** The body, if it consists of bytes. */
    readonly bytes?: readonly number[]
  }[]
}

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

  const isActive = ({ items, isSequence, options: { times = Number.POSITIVE_INFINITY }, applied }: Layer) =>
    applied < (isSequence ? items.length : times)

  function describe(layer: Layer): AddedOverride {
    const { id, operation, items, isSequence, options, applied, addedAt } = layer
    const shown = items.map((item) => (typeof item === 'object' ? withoutBytes(item) : item))
    const listed = shown.map((item) => (typeof item === 'function' ? 'function' : item))
    const response = isSequence ? { sequence: listed } : typeof shown[0] === 'object' ? shown[0] : {}
    const active = isActive(layer)
    return { id, operation, ...response, ...options, applied, active, addedAt: new Date(addedAt).toISOString() }
  }

  /** Throws when the override is invalid. */
  function createLayer(operation: string, override: unknown, given: OverrideOptions): Omit<Layer, 'id'> {
    contract.requireOperation(operation)
    const options = readOptions(operation, given)
    const isSequence = Array.isArray(override)
    if (isSequence && options.times !== undefined) {
      throw misuse(operation, 'is a sequence, which applies once for each of its entries. Remove times.')
    }
    if (isSequence && override.length === 0) throw misuse(operation, 'must have at least one entry in its sequence.')
    return {
      operation,
      items: isSequence
        ? override.map((item) => (item === 'pass' ? item : readItem(operation, item, options)))
        : [readItem(operation, override, options)],
      isSequence,
      options,
      matches: compileMatch(given.match),
      addedAt: clock.now(),
      place: new Error(),
      applied: 0,
      isRestored: false,
    }
  }

  /** Throws when it is invalid. */
  function readItem(operation: string, item: unknown, options: OverrideOptions): OverrideItem {
    if (typeof item === 'function') return item as OverrideItem
    if (typeof item !== 'object' || item === null) {
      const expected = 'a response, a function that returns one, or "pass" in a sequence'
      throw misuse(operation, `must be ${expected}. Received: ${describeValue(item)}.`)
    }
    if (isThenable(item)) return () => item
    checkResponse(operation, item, contract, options)
    return copy(operation, item) as UncheckedResponse
  }

  function createSavedLayer({ operation, items, isSequence, options, addedAt, applied }: SavedOverride) {
    requireNumbers(addedAt, applied)
    const given = items.map(({ response, bytes }) =>
      bytes === undefined ? response : { ...(response as UncheckedResponse), body: Uint8Array.from(bytes) },
    )
    const layer = createLayer(operation, isSequence ? given : given[0], options)
    return { ...layer, addedAt, applied, isRestored: true }
  }

  function remove(layer: Layer): void {
    layers = layers.filter((other) => other !== layer)
    events.emit({ type: 'override', change: 'removed', override: describe(layer) })
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
    const item = layer.items[layer.isSequence ? layer.applied : 0]
    layer.applied += 1
    events.emit({ type: 'override', change: 'applied', override: describe(layer) })
    if (item === 'pass') return respond(call, older, work)
    const { params, query, body } = call
    // A copy, like the others: the journal has the original.
    const headers = { ...call.request.headers }
    const startedIn = generation
    const respondWithOlder = async () => {
      if (startedIn !== generation) throw misuse(call.operation, 'called next() after the mock was reset.')
      return toOverrideResponse(await respond(call, older, work))
    }
    const next = () => {
      const response = respondWithOlder()
      // An override may ignore it, and an unhandled rejection would end the process.
      response.catch(() => {})
      return response
    }
    try {
      const response = typeof item === 'function' ? item({ params, query, body, headers, next }) : item
      if (!isThenable(response)) return toDraft(call, response, layer)
      return Promise.resolve(response)
        .then((settled) => toDraft(call, settled, layer))
        .catch((error) => toMisuseDraft(call, error, layer, contract))
    } catch (error) {
      return toMisuseDraft(call, error, layer, contract)
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
    list: () => copyData(layers.toReversed().map(describe)),
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
      const created = createLayer(operation, override, options)
      if (layers.length >= MAX_OVERRIDES) layers = layers.filter(isActive)
      const restored = layers.findIndex((each) => each.isRestored && isSameOverride(each, created))
      if (restored < 0 && layers.length >= MAX_OVERRIDES) {
        throw new MockError('LIMIT_REACHED', `There are already ${MAX_OVERRIDES} overrides. Remove some first.`)
      }
      lastId += 1
      const layer: Layer = { id: lastId, ...created }
      // Code that adds its overrides at every start would otherwise add one more each time.
      layers = restored < 0 ? [layer, ...layers] : layers.with(restored, layer)
      events.emit({ type: 'override', change: 'added', override: describe(layer) })
      return makeRemovable(copyData(describe(layer)), () => layers.includes(layer) && remove(layer))
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
      const restored = saved.map(createSavedLayer)
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

function toSaved({ operation, items, isSequence, options, addedAt, applied }: Layer): SavedOverride | undefined {
  if (!isFixed(items)) return undefined
  const saved = items.map((item) =>
    typeof item === 'object' && isBytes(item.body)
      ? { response: withoutBytes(item), bytes: [...item.body] }
      : { response: item },
  )
  return { operation, items: saved, isSequence, options, addedAt, applied }
}

function isFixed(items: readonly OverrideItem[]): items is readonly (UncheckedResponse | 'pass')[] {
  return items.every((item) => typeof item !== 'function')
}

type Comparable = Pick<Layer, 'operation' | 'items' | 'isSequence' | 'options'>

/** Functions are never the same. */
function isSameOverride(one: Comparable, other: Comparable): boolean {
  if (!isFixed(one.items) || !isFixed(other.items)) return false
  const [a, b] = [one, other].map(({ operation, items, isSequence, options }) => [
    operation,
    items,
    isSequence,
    options,
  ])
  return isSameJson(a, b)
}

/** The test may change its object later. */
function copy(operation: string, response: unknown): unknown {
  try {
    return copyData(response)
  } catch {
    throw misuse(operation, 'must be plain data, without functions.')
  }
}

/** The options without RegExp objects. Throws when one is invalid. */
function readOptions(operation: string, given: OverrideOptions): OverrideOptions {
  rejectUnknown(operation, 'option', given, ['times', 'match', 'unchecked', 'raw'])
  const options = given.match === undefined ? given : { ...given, match: toJsonMatch(given.match) }
  const validate = validators.schemas.OverrideOptions as Validate
  validate(options)
  const [error] = validate.errors ?? []
  const problem = error ? describeViolation(error, (pointer) => pointer) : findMatchProblem(options.match)
  if (problem !== undefined) throw misuse(operation, `is invalid: ${problem}`)
  return copyData(options)
}

/** The error fails the test: it may be a failed assertion inside the override. */
function toMisuseDraft(
  { operation }: OverridableRequest,
  thrown: unknown,
  { id }: Layer,
  { toErrorDraft }: Contract,
): ResponseDraft {
  const error = isError(thrown) ? thrown : misuse(operation, `threw ${describeValue(thrown)}.`)
  const message = error instanceof MockError ? error.message : `The override of ${operation} threw an error.`
  const draft = toErrorDraft(apiError('INTERNAL_ERROR', message))
  return { ...draft, trace: { ...draft.trace, override: id, misuse: error } }
}

/** A draft in the form that an override reads and returns. */
function toOverrideResponse({ status, headers = {}, body, bytes, mediaType, trace }: ResponseDraft): never {
  if (trace?.misuse !== undefined) throw trace.misuse
  // The body of an older override may be raw.
  const content = body !== undefined && isJsonMediaType(mediaType ?? '') ? parseJson(body) : (body ?? bytes)
  return { status, headers: toGivenHeaders(headers), ...(content !== undefined && { body: content }) } as never
}

/** Bytes cannot be listed as JSON. */
function withoutBytes({ body, ...rest }: UncheckedResponse): UncheckedResponse {
  return body === undefined || isBytes(body) ? rest : { ...rest, body }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
}
