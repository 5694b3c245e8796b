import { checkUtf8, cutJson, parsePieces } from '../../lib/json-in-steps.js'
import { describeDepth } from '../../lib/json-size.js'
import { isPlainObject } from '../../lib/plain-object.js'
import type { Steps } from '../../lib/steps.js'
import { type BodyLimits, bytesOf, notJson, notUtf8, tooMuch } from '../contract/body.js'
import { checkBody } from '../contract/contract.js'
import type { PlainRequest } from '../contract/messages.js'
import type { Operation } from '../contract/operation.js'

/** Like `contract.parseBody` for a required body that may be very large, without a limit to the number of its values. */
export function* readLargeBody(operation: Operation, request: PlainRequest, limits: BodyLimits): Steps<unknown> {
  return yield* checkInSteps(operation, yield* parseInSteps(request, limits))
}

function* parseInSteps(request: PlainRequest, limits: BodyLimits): Steps<unknown> {
  const bytes = bytesOf(request, limits)
  try {
    yield* checkUtf8(bytes)
  } catch {
    throw notUtf8()
  }
  const pieces = yield* cutJson(bytes)
  if (pieces.depth > limits.maxJsonDepth) throw tooMuch(describeDepth(limits))
  try {
    return yield* parsePieces(pieces)
  } catch {
    throw notJson()
  }
}

/** How many items of each list are checked between two pauses. */
const ITEMS_PER_CHECK = 1024

/** Validates in batches, each with a slice of every list. If one fails, the whole body is validated, for correct pointers. */
function* checkInSteps(operation: Operation, body: unknown): Steps<unknown> {
  const members = isPlainObject(body) ? Object.entries(body) : []
  const longest = Math.max(0, ...members.map(([, member]) => (Array.isArray(member) ? member.length : 0)))
  let start = 0
  do {
    yield
    const end = start + ITEMS_PER_CHECK
    const parts = members.map(([name, member]) => [name, Array.isArray(member) ? member.slice(start, end) : member])
    if (!operation.validateBody({ requestBody: isPlainObject(body) ? Object.fromEntries(parts) : body })) {
      throw checkBody(operation, body)
    }
    start = end
  } while (start < longest)
  return body
}
