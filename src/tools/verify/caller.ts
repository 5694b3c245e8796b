import type { ServiceResource } from '../../engine/resources/service-resource.js'
import { CannotCheck } from '../server/cannot-check.js'
import { type Note, showHeader } from '../server/differences.js'
import type { Call, JsonId, Requests } from '../server/document-requests.js'
import { isSuccess, type ServiceResponse } from '../server/service-response.js'
import type { CheckedService } from './checked-service.js'
import {
  type ComparedResponse,
  compareResponse,
  type Expected,
  type ExpectedError,
  findUndeclared,
} from './compare-response.js'
import type { Findings } from './findings.js'
import type { OperationInfo, Operations } from './operations.js'
import { comparable } from './own-records.js'
import type { Resources } from './resources.js'
import { idInBody, idInLocation } from './resources.js'
import { createUnknownIds } from './unknown-ids.js'
import type { Known, Sent, UnequalRecord, WriteGuard } from './write-guard.js'

export interface CallResult extends ComparedResponse {
  /** The id of the record that was created. */
  readonly id?: JsonId
}

/** An operation, its response, and what is known about it. */
export interface CalledOperation {
  readonly operation: OperationInfo
  readonly call: Call
  readonly expected: Expected
  readonly response: ComparedResponse
  readonly note: Note
  /** The path of the base address. */
  readonly basePath: string
  /** Whether this aspect of the operation has differed before, so that nothing follows from it. */
  hasDiffered(aspect: string): boolean
}

export interface Caller {
  noteOn(operation: string, response: ServiceResponse): Note
  call(id: string, call: Call, expectation?: Expected | ((response: ServiceResponse) => Expected)): Promise<CallResult>
  /** Expects that an invalid request is rejected. One that the document allows after all is not sent. */
  expectInvalid(id: string, invalid: Call, code: string, also?: Omit<ExpectedError, 'code'>): Promise<void>
  unknownId(resource: ServiceResource): string
  unknownIds(resource: ServiceResource): string[]
  unknownReference(resource: ServiceResource): JsonId
  newUnknownId(resource: ServiceResource): JsonId
  readonly operations: Operations
  readonly resources: Resources
  readonly requests: Requests
}

/** Calls operations for the checks, and compares every response with the contract. */
export function createCaller(
  service: CheckedService,
  { operations, resources, requests }: Known,
  basePath: string,
  guard: WriteGuard,
  findings: Findings,
  compareFurther?: (called: CalledOperation) => void,
): Caller {
  /** Notes differences that only the check itself can see. */
  const noteOn =
    (operation: string, { sent }: ServiceResponse): Note =>
    (aspect, expected, received) =>
      findings.add({ operation, aspect, sent, expected, received })

  /** What the response says about the new record: its id, in the body and in `Location`. */
  function compareCreation(operation: OperationInfo, compared: ComparedResponse, sent: Sent, note: Note): void {
    const { path, resource, described } = operation
    if (resource === undefined) return
    const { createdId, unequal } = sent
    const inBody = idInBody(resource, 'create', compared.value)
    const id = createdId ?? inBody
    const location = compared.headers.get('Location')
    const inLocation = idInLocation(resource, compared, `${basePath}${path}`)
    const isOther = inLocation === undefined || (id !== undefined && inLocation !== id)
    // A document says nothing about the form of the address.
    const isMissing = location === null && described?.headers.includes('Location')
    if (service.isExact ? isOther : isMissing) {
      note('header Location', `${basePath}${path}/${id ?? '{id}'}`, showHeader(location))
    }
    if (createdId !== undefined && inBody !== createdId && described?.response !== undefined) {
      if (compared.asExpected && compared.value !== undefined && resource.id.property !== undefined) {
        note(`body /${resource.idPath.join('/')}`, createdId, inBody ?? 'nothing')
      }
    }
    if (unequal !== undefined) compareUnequal(unequal)
  }

  /** A record that does not read back as it was sent. */
  function compareUnequal({ resource, id, sent, read }: UnequalRecord): void {
    const reader = operations.get(resource.operations.read?.operationId ?? '')
    if (reader === undefined) return
    const ownId =
      resource.idPath.length === 1 && resource.id.property ? { [resource.idPath[0]]: resource.ids.toJson(id) } : {}
    const fields = { ...ownId, ...comparable(resource, sent) }
    compareResponse(service, reader, read, { fields }, noteOn(reader.id, read))
  }

  /**
   * Notes every difference between the response and what is expected. Where the contract allows two responses, what is
   * expected depends on the response.
   */
  async function call(
    id: string,
    call: Call,
    expectation: Expected | ((response: ServiceResponse) => Expected) = {},
  ): Promise<CallResult> {
    const operation = operations.get(id) as OperationInfo
    const request = requests.toRequest(operation, call)
    const isOfDocument = !service.isExact && call.path === undefined && call.method === undefined
    const problem = isOfDocument && !isInvalid(expectation) ? requests.findProblem(operation, request) : undefined
    if (problem !== undefined) throw new CannotCheck(`verify cannot make a valid request: ${problem}`)
    const type = operation.described?.request?.mediaType ?? 'JSON'
    if (call.body !== undefined && !/json/i.test(type)) throw new CannotCheck(`verify sends no ${type}`)
    const sent = await guard.send(operation, call, request)
    const { response, createdId } = sent
    const expected = typeof expectation === 'function' ? expectation(response) : expectation
    const note = noteOn(id, response)
    findings.addUndeclared(id, findUndeclared(operation, response))
    const compared = compareResponse(service, operation, response, expected, note)
    const hasDiffered = (aspect: string) => findings.has(id, aspect)
    compareFurther?.({ operation, call, expected, response: compared, note, basePath, hasDiffered })
    if (operation.role === 'create' && isSuccess(response) && !('code' in expected)) {
      compareCreation(operation, compared, sent, note)
    }
    return { ...compared, ...(createdId !== undefined && { id: operation.resource?.ids.toJson(createdId) as JsonId }) }
  }

  return {
    operations,
    resources,
    requests,
    ...createUnknownIds(requests.sampler),
    noteOn,
    call,

    async expectInvalid(id: string, invalid: Call, code: string, also?: Omit<ExpectedError, 'code'>) {
      const operation = operations.get(id) as OperationInfo
      if (requests.findProblem(operation, requests.toRequest(operation, invalid)) === undefined) return
      await call(id, invalid, { code, ...also })
    },
  }
}

const INVALID = ['INVALID_REQUEST', 'MALFORMED_BODY', 'UNSUPPORTED_MEDIA_TYPE']

const isInvalid = (expected: unknown): boolean =>
  typeof expected === 'object' && INVALID.includes(String((expected as { code?: string }).code))
