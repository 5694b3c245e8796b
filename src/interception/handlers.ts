import { type HttpHandler, http } from 'msw'
import { answerRequest } from '../fetch.js'
import type { Petstore } from '../petstore.js'
import type { BaseAddresses } from './base-address.js'

/** A pet store, and where it is reached. */
export interface Reachable {
  readonly petstore: Petstore
  readonly addresses: BaseAddresses
}

/**
 * One handler in front of everything: msw asks its handlers one after the other, and routing is the core's. `onFailure` is
 * told at once why a client's call fails, for where nobody calls `check`.
 */
export function createHandler(
  find: (request: Request) => Reachable | undefined,
  onFailure: (error: unknown) => void = () => {},
): HttpHandler {
  return http.all(
    ({ request }) => find(request) !== undefined,
    ({ request }) => {
      const found = find(request)
      return found && answer(found, request, onFailure)
    },
  )
}

async function answer(
  { petstore, addresses }: Reachable,
  request: Request,
  onFailure: (error: unknown) => void,
): Promise<Response> {
  // Where it failed, the answer says why.
  await petstore.ready.catch(() => {})
  try {
    return await answerRequest(petstore.handle, request, addresses.match(request.url) ?? '')
  } catch (error) {
    if (!request.signal.aborted) onFailure(error)
    return toNetworkError(error)
  }
}

/**
 * The client's call fails as it does offline. An error that is thrown here msw would print, and some versions answer
 * 500 with the stack. What became of the call is told by its cause, and by the pet store's `check`.
 */
function toNetworkError(error: unknown): Response {
  const { name, message } = error instanceof Error ? error : new Error(String(error))
  // A test runner that shows the cause would list everything a Response has.
  return Object.assign(Response.error(), { name, message, toJSON: () => ({ name, message }) })
}
