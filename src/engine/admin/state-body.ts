import { cutJson, type JsonPieces, parsePieces } from '../../lib/json-in-steps.js'
import { describeDepth } from '../../lib/json-size.js'
import type { Steps } from '../../lib/steps.js'
import { type BodyLimits, decodeBody, notJson, tooMuch } from '../contract/body.js'
import { ApiError } from '../contract/errors.js'
import type { PlainRequest } from '../contract/messages.js'
import type { Operation } from '../contract/operation.js'
import { checkBody } from '../contract/violations-to-error.js'

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
