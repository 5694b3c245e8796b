import type { KeyNames } from '../../document/validate/security.js'
import { version } from '../../generated/lib/version.js'
import { HIDDEN } from '../../http/header-rules.js'
import type { AppliedFault, PassedRequest, PlainRequest, PlainResponse } from '../../http/messages.js'
import { machineDate } from '../../lib/clock.js'
import { toBase64 } from '../../lib/text.js'
import { copyData, isBytes, isPlainObject } from '../../lib/values.js'
import type { ClockState } from '../control/clock.js'
import type { Fault } from '../rules/fault-rule.js'
import type { AddedOverride } from '../rules/override.js'
import { hideInQuery, hideSecrets, NO_KEYS, showHeaders } from './journal-entry.js'
import type { ControlStep, Step } from './log.js'
import type { StoredEntry } from './stored-entry.js'

/** All that happened in an instance since its last reset, and where it started: `petstore-mock replay` repeats it. */
export interface Reproduction {
  /** The version of this format. */
  readonly version: 1
  /** When it was written, by the machine's clock. */
  readonly createdAt: string
  /** The version of petstore-mock. */
  readonly petstoreMock: string
  /** Identifies the OpenAPI document. */
  readonly specHash: string
  /** What the document says about itself, to find it by. Missing if it has no title. */
  readonly document?: { readonly title: string; readonly version: string }
  /** Missing for the root. */
  readonly sandbox?: string
  /** The options of the mock, apart from its starting data. */
  readonly options: object
  readonly start: ReproductionStart
  /** How many of the first steps are missing, because there were too many. */
  readonly missing: number
  readonly steps: readonly ReproductionStep[]
  /** How things were at the end. */
  readonly end: ReproductionEnd
}

/** The starting data: how it was generated, or the data itself. */
export interface ReproductionStart {
  readonly seed: number
  readonly scenario?: string
  /** The data in the fixture format. */
  readonly state?: object
}

export interface ReproductionEnd {
  readonly clock: ClockState
  readonly faults: readonly Fault[]
  readonly overrides: readonly AddedOverride[]
}

export type ReproductionStep = RecordedExchange | RecordedControl

/** A request to the service, and its response. */
export interface RecordedExchange {
  /** When the request arrived, by the mock's clock. */
  readonly at: string
  /** Its id in the journal, which restarts at 1 when the journal is cleared. */
  readonly id?: number
  readonly request: RecordedRequest
  /** Missing if there was none yet. */
  readonly response?: RecordedResponse
  readonly operation?: string
  readonly fault?: AppliedFault
  /** The id of the override that made the response. */
  readonly override?: number
  /** What became of a request that was passed through to the upstream. */
  readonly upstream?: PassedRequest
}

/** A body as text, or as Base64 if it is not text. */
interface RecordedBody {
  readonly body?: string
  readonly isBase64?: true
  /** The body was too long: this is only its start. */
  readonly cut?: true
}

export interface RecordedRequest extends RecordedBody {
  readonly method: string
  /** As they were sent, apart from secrets in the query. */
  readonly path: string
  readonly query?: string
  /** The path of the base address. */
  readonly base?: string
  /** Names are in lower case, secrets are hidden. */
  readonly headers: Readonly<Record<string, string>>
  /** The body was longer than the mock accepts, and is missing. */
  readonly tooLarge?: true
}

export interface RecordedResponse extends RecordedBody {
  /** 0 if nothing was sent. */
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
}

/** What a test did between requests, as the request to the admin API that does the same. */
export interface RecordedControl {
  readonly at: string
  readonly control: { readonly method: string; readonly path: string; readonly body?: object }
  /** The response of this override was made by a function or consists of bytes, which JSON cannot contain. */
  readonly isFunction?: true
  /** It was rejected. */
  readonly failed?: true
}

/** What only the instance knows. */
interface Parts {
  readonly specHash: string
  readonly document: { readonly info?: { readonly title?: string; readonly version?: string } }
  readonly keys: KeyNames
  readonly sandbox: string | undefined
  readonly options: object
  readonly start: ReproductionStart
  readonly missing: number
  readonly steps: readonly Step[]
  readonly end: ReproductionEnd
}

export function toReproduction(parts: Parts): Reproduction {
  const { specHash, document, keys, sandbox, options, start, missing, steps, end } = parts
  return {
    version: 1,
    createdAt: new Date(machineDate.now()).toISOString(),
    petstoreMock: version,
    specHash,
    ...describeDocument(document),
    ...(sandbox !== undefined && { sandbox }),
    options,
    start,
    missing,
    steps: steps.map((step) => toJsonStep(step, keys)),
    end: {
      ...end,
      faults: end.faults.map((fault) => withoutSecrets(fault, keys)),
      overrides: end.overrides.map((override) => withoutSecrets(override, keys)),
    },
  }
}

function describeDocument({ info: { title, version = '' } = {} }: Parts['document']): Pick<Reproduction, 'document'> {
  return title === undefined ? {} : { document: { title, version } }
}

function toJsonStep(step: Step, keys: KeyNames): ReproductionStep {
  return 'control' in step ? toRecordedControl(step, keys) : toRecordedExchange(step, keys)
}

function toRecordedControl(
  { at, control: { method, path, body, ...flags } }: ControlStep,
  keys: KeyNames,
): RecordedControl {
  const given = typeof body === 'function' ? body() : copyData(body)
  const control = { method, path, ...(given !== undefined && { body: withoutSecrets(given, keys) }) }
  return { at: new Date(at).toISOString(), control, ...flags }
}

/** The headers of a fault or an override may be secrets, and so may parts of the requests that it matches. */
function withoutSecrets<T extends object>(body: T, keys: KeyNames): T {
  const { match, sequence } = body as { match?: unknown; sequence?: unknown }
  const hide = <V extends object>(value: V) => hideHeaders(value, keys)
  const shown = hide(isPlainObject(match) ? { ...body, match: hideQuery(hide(match), keys) } : body)
  return Array.isArray(sequence) ? { ...shown, sequence: sequence.map(hide) } : shown
}

function hideHeaders<T extends object>(value: T, keys: KeyNames): T {
  const { headers } = value as { headers?: unknown }
  return isPlainObject(headers) ? { ...value, headers: hideSecrets(headers, keys) } : value
}

function hideQuery(match: object, keys: KeyNames): object {
  const { query } = match as { query?: unknown }
  if (!isPlainObject(query)) return match
  const shown = Object.entries(query).map(([name, value]) => [name, keys.query.includes(name) ? HIDDEN : value])
  return { ...match, query: Object.fromEntries(shown) }
}

function toRecordedExchange(entry: StoredEntry, keys: KeyNames): RecordedExchange {
  const { id, at, request, response, isPending, trace } = entry
  const { operation, fault, override, upstream } = trace
  return {
    at: new Date(at).toISOString(),
    ...(id > 0 && { id }),
    ...(operation !== undefined && { operation }),
    ...(fault !== undefined && { fault }),
    ...(override !== undefined && { override }),
    ...(upstream && { upstream }),
    request: toRecordedRequest(request, entry.isRequestCut, keys),
    ...(!isPending && { response: toRecordedResponse(response, entry.isResponseCut, keys) }),
  }
}

function toRecordedRequest(
  { method, path, query, base, headers, body }: PlainRequest,
  cut: boolean | undefined,
  keys: KeyNames,
): RecordedRequest {
  return {
    method,
    path,
    ...(query !== '' && { query: hideInQuery(query, keys) }),
    ...(base !== '' && { base }),
    headers: showHeaders(headers, keys),
    ...(body === 'too large' ? { tooLarge: true } : toRecordedBody(body, cut)),
  }
}

export function toRecordedResponse(
  { status, headers, body, bytes }: PlainResponse,
  cut: boolean | undefined,
  keys = NO_KEYS,
): RecordedResponse {
  return { status, headers: showHeaders(headers, keys), ...toRecordedBody(body ?? bytes, cut) }
}

function toRecordedBody(body: string | Uint8Array | undefined, cut: boolean | undefined): RecordedBody {
  if (body === undefined) return {}
  const text = isBytes(body) ? decode(body) : body
  return {
    ...(text === undefined ? { body: toBase64(body as Uint8Array), isBase64: true } : { body: text }),
    ...(cut && { cut }),
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Undefined if the bytes are not UTF-8. */
function decode(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}
