import type { Contract } from '../../document/contract/contract.js'
import type { Operation } from '../../document/contract/operation.js'
import type { HandlerResponse, PlainRequest, ResponseDraft, ValidRequest } from '../../http/messages.js'
import { readPreferences } from '../../http/prefer.js'
import { andThen, type MaybePromise } from '../../lib/functions.js'
import { isBytes } from '../../lib/values.js'
import { atomically, type Changes } from '../store/atomically.js'
import type { Api } from './api.js'
import { checkOwnResponse, type OwnResponse } from './own-response.js'

/** Calls the handler of an operation, and serializes its response. */
export function callHandler(api: Api, operation: Operation, request: ValidRequest): MaybePromise<ResponseDraft> {
  const { contract } = api
  const handlers = api.handlers as Handlers
  const write = (response: HandlerResponse) => serialize(contract, operation, response)
  if (!api.own?.has(operation.id)) {
    const handle = handlers[operation.id] as Handler
    return andThen(handle(api.toContext(request)), write)
  }
  const handle = handlers[operation.id] as BoundHandler
  return atomically((changes) =>
    andThen(handle(api.toContext(request), changes), ({ response, isStandard }) =>
      isStandard ? write(response as HandlerResponse) : checkOwnResponse(contract, operation, response, write),
    ),
  )
}

type Handler = (context: object) => MaybePromise<HandlerResponse>
type BoundHandler = (context: object, changes: Changes) => MaybePromise<OwnResponse>
type Handlers = Readonly<Record<string, Handler | BoundHandler>>

/** The response of the document that the client wants instead of that of the operation. */
export function respondAsPreferred(
  contract: Contract,
  operation: Operation,
  { headers }: PlainRequest,
): MaybePromise<ResponseDraft> | undefined {
  if (contract.responses === undefined || headers.prefer === undefined) return undefined
  const preferences = readPreferences(headers.prefer)
  const response = contract.responses.respondAsPreferred(operation, headers.accept, preferences)
  return response && serialize(contract, operation, response)
}

function serialize(
  { responses }: Contract,
  operation: Operation,
  response: HandlerResponse,
): MaybePromise<ResponseDraft> {
  const { status, headers = NO_HEADERS, body, encode, stream } = response
  const written = response.mediaType && responses?.write(response.mediaType, body)
  if (written) return { status, headers, ...written }
  if (body === undefined && encode === undefined && stream === undefined) return { status, headers }
  const shape = operation.shapeOf(status)
  if (shape === undefined)
    throw new Error(`The OpenAPI document declares no content for status ${status} of ${operation.id}.`)
  const { mediaType } = shape
  if (stream) return { status, headers, stream, mediaType }
  if (isBytes(body)) return { status, headers, bytes: body, mediaType }
  if (!encode) return { status, headers, body: shape.serialize(body), mediaType }
  return encodeLater(encode(shape.serialize), { status, headers, mediaType })
}

const NO_HEADERS = Object.freeze({})

async function encodeLater(encoding: Promise<Uint8Array | undefined>, draft: ResponseDraft): Promise<ResponseDraft> {
  const bytes = await encoding
  return bytes === undefined ? NOT_SENT : { ...draft, bytes }
}

const NOT_SENT: ResponseDraft = { status: 0 }
