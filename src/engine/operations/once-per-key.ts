import type { Contract } from '../../document/contract/contract.js'
import { normalize } from '../../document/resources/names.js'
import { IDEMPOTENCY_HEADER, IDEMPOTENCY_KEY, IDEMPOTENCY_KEY_IN_TEXT } from '../../document/words/headers.js'
import { ApiError } from '../../http/errors.js'
import type { HandlerResponse } from '../../http/messages.js'
import { parseJson, stringifyJson } from '../../lib/json.js'
import { hashText } from '../../lib/random.js'
import { isPlainObject } from '../../lib/values.js'
import type { GenericHandler, ResourceContext } from '../crud/handler.js'
import { memoryOf } from './memory.js'

/** A larger response is not kept: the request is handled again. */
const MAX_RESPONSE = 65_536

interface Remembered {
  /** A hash: requests may be large. */
  readonly request: number
  readonly response: string
}

/** Handles a request once: one with the same idempotency key gets the first response again. With another body, it is an error. */
export function createOncePerKey(operationId: string, contract: Contract, handle: GenericHandler): GenericHandler {
  const declared = contract
    .declaredParameters(operationId)
    .filter(
      ({ name, in: place, ...more }) =>
        place === 'header' &&
        (IDEMPOTENCY_KEY.test(normalize(name)) ||
          IDEMPOTENCY_KEY_IN_TEXT.test(String((more as { description?: unknown }).description))),
    )
  const headers = [...new Set([IDEMPOTENCY_HEADER, ...declared.map(({ name }) => name.toLowerCase())])]

  function keyIn({ headers: sent, body }: ResourceContext): string | undefined {
    const header = headers.map((name) => sent[name]).find((value) => value !== undefined && value !== '')
    if (header !== undefined || !isPlainObject(body)) return header
    const [, value] = Object.entries(body).find(([name]) => IDEMPOTENCY_KEY.test(normalize(name))) ?? []
    return typeof value === 'string' && value !== '' ? value : undefined
  }

  return (context, change) => {
    const key = keyIn(context)
    if (key === undefined) return handle(context, change)
    const memory = memoryOf(context.store, '/keys')
    const name = `${operationId} ${key}`
    const request = hashText(stringifyJson([context.path, context.query, context.body ?? null]) ?? '')
    const known = memory.recall(name) as Remembered | undefined
    if (known === undefined) {
      const response = handle(context, change)
      if (response.stream || response.encode) return response
      const text = stringifyJson(response) ?? ''
      if (text.length <= MAX_RESPONSE) memory.remember(name, { request, response: text }, context.at)
      return response
    }
    if (known.request !== request) throw reusedKey(operationId, contract)
    return parseJson(known.response) as HandlerResponse
  }
}

function reusedKey(operationId: string, contract: Contract): ApiError {
  const declared = contract.operationById(operationId)?.responses ?? {}
  const status = [422, 409, 400].find((each) => String(each) in declared) ?? 422
  return new ApiError(
    status,
    'IDEMPOTENCY_KEY_REUSED',
    'The idempotency key was sent before, with another request. Send another key.',
  )
}
