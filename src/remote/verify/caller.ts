import { disclose, wrap } from '../../engine/resources/envelope.js'
import { stringifyJson } from '../../lib/json.js'
import { type Note, showHeader } from '../differences.js'
import { JSON_TYPE, type OutgoingRequest } from '../send-request.js'
import type { ServiceResponse } from '../service-response.js'
import type { CheckedService } from './checked-service.js'
import { comparePage, hasOffsets, TOTAL } from './compare-page.js'
import { type ComparedResponse, compareResponse, type Expected, findUndeclared } from './compare-response.js'
import type { Findings } from './findings.js'
import { idInLocation } from './mentioned-ids.js'
import type { OperationInfo, Operations } from './operations.js'
import { idInBody, type JsonId, type Resources } from './resources.js'
import { createUnknownIds } from './unknown-ids.js'
import type { Sent, UnequalRecord, WriteGuard } from './write-guard.js'

/** One request to an operation. */
export interface Call {
  /** The parameter of the path. */
  readonly id?: JsonId
  /** Without the question mark. */
  readonly query?: string
  /** The record, which is sent as JSON in the envelope of the operation. */
  readonly body?: unknown
  /** Sent as it is, with the content type of JSON unless `headers` has another. */
  readonly raw?: string | Uint8Array<ArrayBuffer>
  readonly headers?: Readonly<Record<string, string>>
  /** Default: that of the operation. */
  readonly method?: string
  /** Default: that of the operation. */
  readonly path?: string
  /** How many items match, if that is known. */
  readonly total?: number
}

export interface CallResult extends ComparedResponse {
  /** The id of the record that was created. */
  readonly id?: JsonId
}

export type Caller = ReturnType<typeof createCaller>

/** Calls operations for the checks, and compares every response with the contract. */
export function createCaller(
  service: CheckedService,
  resources: Resources,
  operations: Operations,
  basePath: string,
  guard: WriteGuard,
  findings: Findings,
) {
  /** Notes differences that only the check itself can see. */
  const noteOn =
    (operation: string, { sent }: ServiceResponse): Note =>
    (aspect, expected, received) =>
      findings.add({ operation, aspect, sent, expected, received })

  /** What the response says about the new record: its id, in the body and in `Location`. */
  function compareCreation(operation: OperationInfo, compared: ComparedResponse, sent: Sent, note: Note): void {
    const { path, resource, headers } = operation
    if (resource === undefined) return
    const { createdId, unequal } = sent
    const inBody = idInBody(resource, 'create', compared.value)
    const inLocation = idInLocation(resource, compared, `${basePath}${path}`)
    const id = createdId ?? inBody
    const isWrong = inLocation === undefined || (id !== undefined && inLocation !== id)
    if (isWrong && headers.includes('Location')) {
      note('header Location', `${basePath}${path}/${id ?? '{id}'}`, showHeader(compared.headers.get('Location')))
    }
    if (createdId !== undefined && inBody !== createdId && compared.asExpected && compared.value !== undefined) {
      note(`body /${resource.idPath.join('/')}`, createdId, inBody ?? 'nothing')
    }
    if (unequal !== undefined) compareUnequal(unequal)
  }

  /** A record that does not read back as it was sent. */
  function compareUnequal({ resource, id, sent, read }: UnequalRecord): void {
    const reader = operations[resource.operations.read?.operationId ?? '']
    if (reader === undefined) return
    const { additions, ids, idPath } = resource
    const stored = Object.entries(sent).map(([property, value]) => {
      const normalize = additions.normalize?.[property]
      return [property, normalize && typeof value === 'string' ? normalize(value) : value]
    })
    const own = idPath.length === 1 ? { [idPath[0]]: ids.toJson(id) } : {}
    compareResponse(
      service,
      reader,
      read,
      { fields: { ...own, ...Object.fromEntries(stored) } },
      noteOn(reader.id, read),
    )
  }

  return {
    operations,
    resources,
    ...createUnknownIds(),
    noteOn,
    /**
     * Notes every difference between the response and what is expected. Where the contract allows two responses, what is
     * expected depends on the response.
     */
    async call(
      id: string,
      call: Call,
      expectation: Expected | ((response: ServiceResponse) => Expected) = {},
    ): Promise<CallResult> {
      const operation = operations[id] as OperationInfo
      const sent = await guard.send(id, toRequest(operation, call))
      const { response, createdId } = sent
      const expected = typeof expectation === 'function' ? expectation(response) : expectation
      const note = noteOn(id, response)
      findings.addUndeclared(id, findUndeclared(operation, response))
      const compared = {
        ...compareResponse(service, operation, response, expected, note),
        ...(createdId !== undefined && { id: operation.resource?.ids.toJson(createdId) as JsonId }),
      }
      if ('code' in expected) return compared
      if (hasOffsets(operation) && compared.asExpected && !expected.bodiless) {
        const totalIsWrong = findings.has(id, `header ${TOTAL}`)
        const query = new URLSearchParams(call.query)
        const items = disclose(operation.envelope, compared.value)
        comparePage({ operation, basePath, query, total: call.total, totalIsWrong }, compared.headers, items, note)
      }
      if (operation.method === 'POST' && response.status < 300) compareCreation(operation, compared, sent, note)
      return compared
    },
  }
}

function toRequest(operation: OperationInfo, call: Call): OutgoingRequest {
  const { query, body, raw, headers } = call
  const path = call.path ?? operation.path.replaceAll(/\{[^}]*\}/g, () => String(call.id))
  const envelope = (operation.role && operation.resource?.operations[operation.role]?.request?.envelope) ?? []
  const content = raw ?? (body === undefined ? undefined : (stringifyJson(wrap(envelope, body)) ?? ''))
  return {
    method: call.method ?? operation.method,
    target: query === undefined ? path : `${path}?${query}`,
    headers: { Accept: JSON_TYPE, ...(content !== undefined && { 'Content-Type': JSON_TYPE }), ...headers },
    body: content,
  }
}
