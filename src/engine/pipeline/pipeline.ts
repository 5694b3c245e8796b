import type { Contract } from '../../document/contract/contract.js'
import { render, toErrorDraft, toFailureDraft } from '../../document/contract/error-drafts.js'
import type { Operation } from '../../document/contract/operation.js'
import { ApiError, apiError } from '../../http/errors.js'
import { DEFAULT_LIMITS, NO_LIMITS } from '../../http/limits.js'
import type { HandleOptions, Outcome, PlainRequest, ResponseDraft, Trace, ValidRequest } from '../../http/messages.js'
import { ALL_METHODS } from '../../http/methods.js'
import { checkExpectHeader } from '../../http/negotiation.js'
import { parsePath, parseQuery, type Query } from '../../http/target.js'
import { wait } from '../../lib/clock.js'
import { andThen, type MaybePromise } from '../../lib/functions.js'
import { copyData } from '../../lib/values.js'
import type { RequestRecord } from '../log/recorder.js'
import type { EngineOptions } from '../options.js'
import { applyFault, delayOf, type FaultEffect, isImmediate, toFaultDraft } from '../rules/apply-fault.js'
import type { Overrides } from '../rules/overrides.js'
import type { Api } from './api.js'
import { callHandler, respondAsPreferred } from './call-handler.js'
import {
  authenticate,
  checkAccept,
  checkLength,
  checkSunset,
  findResponseViolation,
  misuseToApiError,
  respondWithoutOperation,
  sandboxRequired,
} from './request-checks.js'
import type { InstanceUpstream } from './upstream.js'

/** What can change the response of an operation, and where requests go that are not for the service. */
export interface Controls {
  readonly overrides: Overrides
  enforcesSunset(): boolean
  findFault(request: PlainRequest, operation: Operation, segments: readonly string[]): FaultEffect | undefined
  /** How many milliseconds to delay a response, apart from faults. */
  delay(): number
  loadAdmin(): MaybePromise<Api>
  readonly upstream?: Pick<InstanceUpstream, 'passes' | 'control' | 'handle'> | undefined
}

interface PipelineDependencies {
  readonly service: Api
  readonly options: Pick<
    EngineOptions,
    'security' | 'maxUrlLength' | 'maxQueryParameters' | 'strict' | 'validateResponses' | 'requireSandbox'
  >
}

/** What is known about a request so far. */
interface Progress {
  readonly request: PlainRequest
  /** When it arrived, by the mock's clock. */
  readonly at: number
  readonly isAdmin: boolean
  readonly handleOptions: HandleOptions | undefined
  readonly record: Pick<RequestRecord, 'onOperation' | 'onSuccess'> | undefined
  /** That of the service, which decides how errors look. Missing for admin requests. */
  readonly contract: Contract | undefined
  operation?: Operation
  api?: Api
  fault?: FaultEffect | undefined
  /** The request conforms to the contract; later errors are the handler's. */
  isValid: boolean
}

/**
 * Handles the requests of a test that arranges data: without faults, overrides and admin API, and so without waiting. Such
 * a test is not a client, so sunset and limits do not apply.
 */
export function createArrangePipeline({ service, options }: PipelineDependencies) {
  const handle = createPipeline({
    service: {
      ...service,
      authenticate: undefined,
      parseBody: (operation, request) => service.contract.parseBody(operation, request, NO_LIMITS),
    },
    options: { ...options, ...NO_LIMITS, strict: true, security: 'ignore', requireSandbox: false },
  })
  // A service whose `data` sends requests has no handlers that wait, and nothing else waits without controls.
  return (request: PlainRequest, at: number) =>
    handle(request, { at, isAdmin: false, record: undefined }) as Awaited<ReturnType<typeof handle>>
}

/**
 * The steps of a request, the same for every adapter. When several things are wrong with a request, the first check that
 * fails decides the response. Checks throw, apart from that of the body's schema; `toDraft` turns errors into responses.
 * What few requests need is in functions of its own: a closure would make every request slower, even if it is never called.
 */
export function createPipeline({ service, options }: PipelineDependencies, controls?: Controls) {
  /** Resolves when it is known whether a fault has been seen by its client. */
  let holding: Promise<void> | undefined

  function handle(
    request: PlainRequest,
    { at, isAdmin, record }: Pick<Progress, 'at' | 'isAdmin' | 'record'>,
    handleOptions?: HandleOptions,
  ): MaybePromise<Outcome> {
    const contract = isAdmin ? undefined : service.contract
    const progress: Progress = { request, at, isAdmin, handleOptions, record, contract, isValid: false }
    const draft = respondToErrors(run, progress)
    if (!(draft instanceof Promise)) return delay(progress, complete(progress, draft))
    return draft.then((settled) => delay(progress, complete(progress, settled)))
  }

  function run(progress: Progress): MaybePromise<ResponseDraft> {
    const { request } = progress
    if (request.path === '*' && request.method === 'OPTIONS')
      return { status: 204, headers: { Allow: ALL_METHODS.join(', ') } }
    checkLength(request, limitsOf(progress).maxUrlLength)
    checkExpectHeader(request.headers.expect)
    const segments = parsePath(request.path)
    // Whatever the document declares there.
    if (progress.isAdmin && controls !== undefined) return performAdmin(controls, segments, progress)
    const { contract } = service
    const operation = contract.matchOperation(request, segments)
    const isService = operation !== undefined || contract.findRoute(segments) !== undefined
    if (isService || controls === undefined) return perform(service, operation, segments, progress)
    return performAdmin(controls, segments, progress)
  }

  function performAdmin({ loadAdmin }: Controls, segments: readonly string[], progress: Progress) {
    return andThen(loadAdmin(), (admin) =>
      perform(admin, admin.contract.matchOperation(progress.request, segments), segments, progress),
    )
  }

  /** The user's limits do not apply to the admin API: however small they are, a test can still control the mock. */
  function limitsOf({ isAdmin }: Progress) {
    return isAdmin ? DEFAULT_LIMITS : options
  }

  function perform(
    api: Api,
    operation: Operation | undefined,
    segments: readonly string[],
    progress: Progress,
  ): MaybePromise<ResponseDraft> {
    const { request, at } = progress
    // A query that cannot be decoded is a 400 even if the path is unknown.
    const query = { text: request.query, values: parseQuery(request.query, limitsOf(progress).maxQueryParameters) }
    if (operation === undefined) {
      const upstream = controls?.upstream
      if (upstream?.control.passesUnknown && !progress.isAdmin && request.method !== 'OPTIONS') {
        return upstream.handle({ ...progress, api, operation: undefined, segments, query })
      }
      const allow = api.contract.findRoute(segments)?.allow
      return respondWithoutOperation(progress, allow, allow === undefined ? api.suggestPath?.(segments) : undefined)
    }
    progress.operation = operation
    progress.api = api
    if (api === service) progress.record?.onOperation(operation.id)
    if (options.requireSandbox && api === service) throw sandboxRequired(request)
    if (controls?.enforcesSunset()) checkSunset(operation, at)
    return api === service && holding
      ? performLater(api, operation, segments, query, progress)
      : performOperation(api, operation, segments, query, progress)
  }

  function performLater(...call: Parameters<typeof performOperation>): MaybePromise<ResponseDraft> {
    return holding ? holding.then(() => performLater(...call)) : performOperation(...call)
  }

  function performOperation(
    api: Api,
    operation: Operation,
    segments: readonly string[],
    query: Query,
    progress: Progress,
  ): MaybePromise<ResponseDraft> {
    const { request } = progress
    if (api === service) progress.fault = controls?.findFault(request, operation, segments)
    const faultDraft =
      progress.fault && toFaultDraft(progress.fault, { ...progress, operation }, service.contract.toErrorDraft)
    if (faultDraft) return faultDraft
    const upstream = api === service ? controls?.upstream : undefined
    if (!upstream?.passes(operation.id)) return answer(api, operation, segments, query, progress)
    // An override has already had its turn.
    const answerAlone = () => respondToErrors(() => answer(api, operation, segments, query, progress, true), progress)
    return upstream.handle({ ...progress, api, operation, segments, query, answer: answerAlone })
  }

  /** The response of the mock. */
  function answer(
    api: Api,
    operation: Operation,
    segments: readonly string[],
    query: Query,
    progress: Progress,
    isAfterOverrides = false,
  ): MaybePromise<ResponseDraft> {
    const { request, at, handleOptions } = progress
    // A typo in an admin request must not go unnoticed.
    const isStrict = options.strict || progress.isAdmin
    const unauthorized = options.security === 'require' ? checkSecurity(api, operation, request, query, at) : undefined
    if (unauthorized !== undefined) return toDraft(unauthorized, progress)
    const user = api.authenticate && authenticate(api, operation, request, query.values)
    checkAccept(api, operation, request)
    const parameters = api.contract.readParameters(operation, segments, query, isStrict, request.headers, api.isKnown)
    const body = operation.takesBody ? api.parseBody(operation, request, handleOptions) : undefined
    // Not thrown: an invalid body is common, and throwing would take a sixth of the time of its request.
    if (body instanceof ApiError) return toDraft(body, progress)
    progress.isValid = true

    const preferred = respondAsPreferred(api.contract, operation, request)
    if (preferred !== undefined) return preferred
    const { path, query: read, header, cookie } = parameters
    const { base, headers, protocol } = request
    const valid = { path, query: read, header, cookie, headers, protocol, body, at, base, user, handleOptions }
    if (api !== service) return callHandler(api, operation, valid)
    return controls?.overrides.has(operation.id) && !isAfterOverrides
      ? respondWithOverrides(controls.overrides, operation, valid, progress)
      : callOperation(operation, valid, progress)
  }

  function callOperation(operation: Operation, valid: ValidRequest, { record }: Progress): MaybePromise<ResponseDraft> {
    return andThen(callHandler(service, operation, valid), (draft) => {
      if (draft.status < 400) record?.onSuccess()
      return draft
    })
  }

  function respondWithOverrides(overrides: Overrides, operation: Operation, valid: ValidRequest, progress: Progress) {
    return overrides.respond({
      operation: operation.id,
      request: progress.request,
      // Copies: the override may change them, and the handler reads the originals after it.
      params: copyData(valid.path),
      query: copyData(valid.query),
      body: copyData(valid.body),
      perform: () => respondToErrors(() => callOperation(operation, valid, progress), progress),
    })
  }

  function complete(progress: Progress, draft: ResponseDraft): Outcome {
    const { request, operation, fault, contract, api } = progress
    const violation = options.validateResponses ? findResponseViolation(progress, draft) : undefined
    const checked =
      violation === undefined ? draft : toFailureDraft(new Error(violation), progress, contract?.toErrorDraft)
    const response = render(request, operation, checked)
    const known: Trace = operation === undefined ? { ...checked.trace } : { operation: operation.id, ...checked.trace }
    const trace: Trace = api && operation && !checked.isComplete ? { ...known, ...understoodAs(api, operation) } : known
    return fault ? applyFault({ response, trace }, fault) : { response, trace }
  }

  /** The next request may be the same again, and overtake the news that the client of this one is gone. */
  function holdOthers(finished: Promise<unknown>): void {
    const held = finished.then(() => {
      if (holding === held) holding = undefined
    })
    holding = held
  }

  function delay({ api, fault, handleOptions }: Progress, outcome: Outcome): MaybePromise<Outcome> {
    if (api !== service || controls === undefined) return outcome
    // In development, React starts every effect twice and aborts the request of the first.
    const giveBack = fault && isImmediate(fault) ? fault.giveBack : undefined
    const finish = () => {
      // In this order: a server creates the signal when it is read.
      if (giveBack && handleOptions?.signal.aborted) giveBack()
      return outcome
    }
    const milliseconds = controls.delay() + (fault ? delayOf(fault) : 0)
    const noticeMs = giveBack ? (handleOptions?.noticeMs ?? 0) : 0
    const waitMs = Math.max(milliseconds, noticeMs)
    if (waitMs === 0 || handleOptions?.skipDelays) return finish()
    const finished = wait(waitMs, handleOptions?.signal).then(finish)
    if (noticeMs > 0) holdOthers(finished)
    return finished
  }

  return handle
}

function understoodAs({ stateless, kinds }: Api, { id }: Operation): Pick<Trace, 'stateless' | 'meaning'> {
  const meaning = kinds?.get(id)
  return { ...(stateless?.has(id) && { stateless: true }), ...(meaning !== undefined && { meaning }) }
}

/** The `Allow` header of `OPTIONS *`, which has no path. */

/** Credentials are checked for their form. Those that an operation of the mock issued are known. */
function checkSecurity(api: Api, operation: Operation, request: PlainRequest, query: Query, at: number) {
  if (operation.security === undefined) return undefined
  const error = operation.security.check(request, query.values)
  if (error) return error
  // A service that knows its users decides itself.
  const problem = api.authenticate ? undefined : api.findTokenProblem?.(request, at)
  return problem && apiError('UNAUTHORIZED', problem, { 'WWW-Authenticate': operation.security.challenge })
}

/** Turns what is thrown into a response. */
function respondToErrors(
  act: (progress: Progress) => MaybePromise<ResponseDraft>,
  progress: Progress,
): MaybePromise<ResponseDraft> {
  try {
    const result = act(progress)
    return result instanceof Promise ? result.catch((error) => toDraft(error, progress)) : result
  } catch (error) {
    return toDraft(error, progress)
  }
}

/** Turns an error into a response. */
function toDraft(thrown: unknown, progress: Progress): ResponseDraft {
  const { operation, contract, isAdmin, isValid } = progress
  const error = isAdmin ? misuseToApiError(thrown) : thrown
  if (!(error instanceof ApiError)) return toFailureDraft(error, progress, contract?.toErrorDraft)
  const isViolation = !isValid && !NOT_VIOLATIONS.includes(error.code)
  const violations = isViolation ? error.violations : undefined
  if (contract === undefined) return toErrorDraft(error, violations)
  return contract.toErrorDraft(contract.toDeclaredError(error, operation), violations, progress)
}

/** Rejections that are not violations of the contract. */
const NOT_VIOLATIONS = ['BODY_TOO_LARGE', 'LIMIT_REACHED', 'OPERATION_SUNSET', 'SANDBOX_REQUIRED', 'URI_TOO_LONG']
