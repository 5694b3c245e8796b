import { andThen, type MaybePromise } from '../lib/and-then.js'
import { isBytes } from '../lib/kind.js'
import type { Api } from './api.js'
import type { Contract } from './contract/contract.js'
import type { PlainRequest, ResponseDraft } from './contract/messages.js'
import type { Operation } from './contract/operation.js'
import { readPreferences } from './control/prefer.js'
import type { HandlerResponse, ValidRequest } from './service.js'

/** Calls the handler of an operation, and serializes its response. */
export function callHandler(api: Api, operation: Operation, request: ValidRequest): MaybePromise<ResponseDraft> {
  const handler = (api.handlers as Handlers)[operation.id] as Handler
  return andThen(handler(api.toContext(request)), (response) => serialize(api.contract, operation, response))
}

type Handler = (context: object) => MaybePromise<HandlerResponse>
type Handlers = Readonly<Record<string, Handler>>

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
