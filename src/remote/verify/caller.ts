import { type Id, type JsonInt64, parseId, toJsonInt64 } from '../../lib/int64.js'
import { stringifyJson } from '../../lib/json.js'
import type { OperationId } from '../../petstore/types.js'
import { type Note, showHeader } from '../differences.js'
import type { OperationInfo, Operations } from '../operations.js'
import { RESOURCES } from '../resources.js'
import { JSON_TYPE, type OutgoingRequest } from '../send-request.js'
import type { ServiceResponse } from '../service-response.js'
import { comparePage } from './compare-page.js'
import { type ComparedResponse, compareResponse, type Expected, findUndeclared } from './compare-response.js'
import type { Findings } from './findings.js'
import { idInBody, idInLocation } from './mentioned-ids.js'
import type { Sent, WriteGuard } from './write-guard.js'

/** One request to an operation. */
export interface Call {
  /** The parameter of the path. */
  readonly id?: string | JsonInt64
  /** Without the question mark. */
  readonly query?: string
  /** Sent as JSON. */
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
  readonly id?: JsonInt64
}

export type Caller = ReturnType<typeof createCaller>

/** Calls operations for the checks, and compares every response with the contract. */
export function createCaller(operations: Operations, basePath: string, guard: WriteGuard, findings: Findings) {
  /** Notes differences that only the check itself can see. */
  const noteOn =
    (operation: OperationId, { sent }: ServiceResponse): Note =>
    (aspect, expected, received) =>
      findings.add({ operation, aspect, sent, expected, received })

  /** What the response says about the new record: its id, in the body and in `Location`. */
  function compareCreation({ path }: OperationInfo, compared: ComparedResponse, sent: Sent, note: Note): void {
    const { createdId, unequal } = sent
    const [inBody, inLocation] = [idInBody(compared), idInLocation(compared, `${basePath}${path}`)]
    const id = createdId ?? inBody
    if (inLocation === undefined || (id !== undefined && inLocation !== id)) {
      note('header Location', `${basePath}${path}/${id ?? '{id}'}`, showHeader(compared.headers.get('Location')))
    }
    if (createdId !== undefined && inBody !== createdId && compared.asExpected && compared.value !== undefined) {
      note('body /id', createdId, inBody ?? 'nothing')
    }
    if (unequal === undefined) return
    const reader = operations[RESOURCES[unequal.kind].read]
    const date = Date.parse(String(unequal.sent.shipDate))
    const fields = { ...unequal.sent, ...(date > 0 && { shipDate: new Date(date).toISOString() }) }
    const expected = { fields: { id: toJsonInt64(unequal.id), ...fields } }
    compareResponse(reader, unequal.read, expected, noteOn(reader.id, unequal.read))
  }

  return {
    operations,
    /** An id that no record has, and that a double cannot hold. */
    unknownId: parseId(`91${randomDigits(16)}1`) as Id,
    /** The same for a body. A double can hold it, so that a record that refers to it reads back as it was sent. */
    unknownReference: randomInteger(),
    /** Another one each time, for the `id` in a body, which a service might give to a record. */
    newUnknownId: randomInteger,
    noteOn,
    /**
     * Notes every difference between the response and what is expected. Where the contract allows two responses, what is
     * expected depends on the response.
     */
    async call(
      id: OperationId,
      call: Call,
      expectation: Expected | ((response: ServiceResponse) => Expected) = {},
    ): Promise<CallResult> {
      const operation = operations[id]
      const sent = await guard.send(id, toRequest(operation, call))
      const { response, createdId } = sent
      const expected = typeof expectation === 'function' ? expectation(response) : expectation
      const note = noteOn(id, response)
      findings.addUndeclared(id, findUndeclared(operation, response))
      const compared = {
        ...compareResponse(operation, response, expected, note),
        ...(createdId !== undefined && { id: toJsonInt64(createdId) }),
      }
      if ('code' in expected) return compared
      if (operation.isList && compared.asExpected && !expected.bodiless) {
        const totalIsWrong = findings.has(id, 'header X-Total-Count')
        const query = new URLSearchParams(call.query)
        comparePage({ operation, basePath, query, total: call.total, totalIsWrong }, compared, note)
      }
      if (operation.method === 'POST' && response.status < 300) compareCreation(operation, compared, sent, note)
      return compared
    },
  }
}

function toRequest(operation: OperationInfo, call: Call): OutgoingRequest {
  const { query, body, raw, headers } = call
  const path = call.path ?? operation.path.replace(/\{.*\}/, () => String(call.id))
  const content = raw ?? (body === undefined ? undefined : (stringifyJson(body) ?? ''))
  return {
    method: call.method ?? operation.method,
    target: query === undefined ? path : `${path}?${query}`,
    headers: { Accept: JSON_TYPE, ...(content !== undefined && { 'Content-Type': JSON_TYPE }), ...headers },
    body: content,
  }
}

const randomInteger = (): number => Number(`8${randomDigits(15)}`)

function randomDigits(count: number): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(count)), (byte) => byte % 10).join('')
}
