import { type Id, parseId, toJsonInt64 } from '../lib/int64.js'
import { stringifyJson } from '../lib/json.js'
import type { OperationId } from '../petstore/types.js'
import { type ComparedResponse, compareResponse, type Expected } from './compare.js'
import { comparePage } from './compare-page.js'
import type { Difference, Findings, Note } from './findings.js'
import { type Guard, idInBody, idInLocation, type Sent } from './guard.js'
import type { OperationInfo, Operations } from './operations.js'
import { RESOURCES } from './resources.js'
import type { OutgoingRequest, ServiceResponse } from './sender.js'
import { showHeader } from './show.js'

/** One request to an operation. */
export interface Call {
  /** The parameter of the path. */
  readonly id?: string
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
  readonly id?: Id | undefined
}

/** Calls operations for the checks, and compares every response with the contract. */
export interface Client {
  readonly operations: Operations
  /** An id that no record has, and that a double cannot hold. */
  readonly unknownId: Id
  /** The same for a body. A double can hold it, so that a record that refers to it reads back as it was sent. */
  readonly unknownReference: number
  /** Another one each time, for the `id` in a body, which a service might give to a record. */
  newUnknownId(): number
  /**
   * Notes every difference between the response and what is expected. Where the contract allows two responses, what is
   * expected depends on the response.
   */
  call(
    operation: OperationId,
    call: Call,
    expected?: Expected | ((response: ServiceResponse) => Expected),
  ): Promise<CallResult>
  /** Notes differences that only the check itself can see. */
  noteOn(operation: OperationId, response: ServiceResponse): Note
}

export interface ClientOptions {
  readonly operations: Operations
  readonly basePath: string
  readonly guard: Guard
  readonly findings: Findings
  readonly onDifference: (difference: Difference) => void
}

export function createClient({ operations, basePath, guard, findings, onDifference }: ClientOptions): Client {
  const noteOn: Client['noteOn'] =
    (operation, { sent }) =>
    (aspect, expected, received) =>
      onDifference({ operation, aspect, sent, expected, received })

  function compareList({ query, total }: Call, operation: OperationInfo, compared: ComparedResponse, note: Note): void {
    const totalIsWrong = findings.has(operation.id, 'header X-Total-Count')
    const page = { operation, basePath, query: new URLSearchParams(query), total, totalIsWrong }
    comparePage(page, compared, compared.value, note)
  }

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
    unknownId: parseId(`91${randomDigits(16)}1`) as Id,
    unknownReference: randomInteger(),
    newUnknownId: randomInteger,
    noteOn,
    async call(id, call, expectation = {}) {
      const operation = operations[id]
      const sent = await guard.send(id, toRequest(operation, call))
      const { response, createdId } = sent
      const expected = typeof expectation === 'function' ? expectation(response) : expectation
      const note = noteOn(id, response)
      const compared = compareResponse(operation, response, expected, note)
      if (operation.isList && compared.asExpected && !('code' in expected || expected.bodiless)) {
        compareList(call, operation, compared, note)
      }
      const isCreation = operation.method === 'POST' && response.status < 300 && !('code' in expected)
      if (isCreation) compareCreation(operation, compared, sent, note)
      return { ...compared, id: createdId }
    },
  }
}

function toRequest(operation: OperationInfo, call: Call): OutgoingRequest {
  const { id, query, body, raw, headers } = call
  if (call.path === undefined && operation.path.includes('{') && !id) throw new Error(`${operation.id} needs an id`)
  const path = call.path ?? operation.path.replace(/\{.*\}/, () => id ?? '')
  const content = raw ?? (body === undefined ? undefined : (stringifyJson(body) ?? ''))
  return {
    method: call.method ?? operation.method,
    target: `${path}${query === undefined ? '' : `?${query}`}`,
    headers: {
      Accept: 'application/json',
      ...(content !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    body: content,
  }
}

const randomInteger = (): number => Number(`8${randomDigits(15)}`)

function randomDigits(count: number): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(count)), (byte) => byte % 10).join('')
}
