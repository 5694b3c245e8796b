import type { Operation } from '../../document/contract/operation.js'
import { checkBody } from '../../document/validate/violations-to-error.js'
import { type BodyLimits, decodeBody, notJson, tooMuch } from '../../http/body.js'
import { ApiError } from '../../http/errors.js'
import type { PlainRequest } from '../../http/messages.js'
import { cutJson, describeDepth, type JsonPieces, parsePieces } from '../../lib/json-in-steps.js'
import type { Steps } from '../../lib/steps.js'

/** Like `contract.parseBody` for an exported state: without a limit to the number of values, and with pauses. */
export function* readStateBody(operation: Operation, request: PlainRequest, limits: BodyLimits): Steps<unknown> {
  const pieces = yield* cutJson(decodeBody(request, limits))
  if (pieces.depth > limits.maxJsonDepth) throw tooMuch(describeDepth(limits))
  const state = yield* parseState(pieces)
  yield
  const checked = checkBody(operation, state)
  if (checked instanceof ApiError) throw checked
  return state
}

function* parseState(pieces: JsonPieces): Steps<unknown> {
  try {
    return yield* parsePieces(pieces)
  } catch {
    throw notJson()
  }
}
