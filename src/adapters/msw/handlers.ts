import { type HttpHandler, http } from 'msw'
import type { PlainResponse } from '../../engine/contract/messages.js'
import { callUserFunction } from '../../engine/control/unreported-errors.js'
import { answerRequest, connectionReset } from '../../engine/fetch/fetch.js'
import { maxBodyBytesFor } from '../../engine/limits.js'
import { describeValue, isError } from '../../lib/thrown.js'
import type { Petstore } from '../../petstore/create-petstore.js'
import type { BaseAddresses } from './base-address.js'

/** A pet store, and where it is reached. */
export interface Reachable {
  readonly petstore: Petstore
  readonly addresses: BaseAddresses
  /** Makes the test hear of something even if the code under test does not. */
  reportError(error: unknown): void
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
  { petstore, addresses, reportError }: Reachable,
  request: Request,
  onFailure: (error: unknown) => void,
): Promise<Response> {
  // Where it failed, the answer says why.
  await petstore.ready.catch(() => {})
  const client = clientOf(request)
  const handle: Petstore['handle'] = (plain, waiting) => {
    const answer = petstore.handle(plain, waiting)
    return answer instanceof Promise ? answer.then(client.spare) : client.spare(answer)
  }
  const mostBytes = (path: string) => maxBodyBytesFor(path, petstore.options)
  let response: Response
  try {
    response = await answerRequest({ handle, mostBytes, reportError }, request, {
      base: addresses.match(request.url) ?? '',
      signal: client.signal,
    })
  } catch (error) {
    if (!client.signal.aborted) callUserFunction('onError', () => onFailure(error), reportError)
    return toNetworkError(error)
  }
  return response.type === 'error' ? client.reset() : response
}

/** What a client of each kind needs. */
interface Client {
  /** Aborted when it has given up. */
  readonly signal: AbortSignal
  /** An answer that it can stand. */
  spare(answer: PlainResponse): PlainResponse
  /** Its connection is broken. */
  reset(): Response
}

/** msw 2 makes a Request of everything, and leaves a mark of what it was. */
function clientOf(request: Request): Client {
  const mark = Object.getOwnPropertySymbols(request).find(({ description }) => description === 'kRawRequest')
  const raw: unknown = mark && Reflect.get(request, mark)
  const client: Client = {
    signal: request.signal,
    spare: (answer) => answer,
    reset: () => toNetworkError(connectionReset()),
  }
  if (typeof raw !== 'object' || raw === null) return client
  if ('responseText' in raw) return { ...client, spare: breakAtOnce }
  return { ...client, ...('once' in raw && ofNode(raw as NodeRequest)) }
}

/** Where a body breaks off, msw leaves XMLHttpRequest without an end. It would not have shown the part anyway. */
function breakAtOnce(answer: PlainResponse): PlainResponse {
  return answer.delivery?.kind === 'truncate' ? { ...answer, delivery: { kind: 'reset' } } : answer
}

interface NodeRequest {
  once(event: 'close', listener: () => void): void
  destroy(error: Error): void
}

/** A request of node:http: msw does not say when it is given up, and has one error without a code for every reset. */
function ofNode(request: NodeRequest): Pick<Client, 'signal' | 'reset'> {
  const gone = new AbortController()
  request.once('close', () => gone.abort())
  return {
    signal: gone.signal,
    reset() {
      request.destroy(connectionReset())
      return Response.error()
    },
  }
}

/**
 * The client's call fails as it does offline. An error that is thrown here msw would print, and some versions answer
 * 500 with the stack. What became of the call is told by its cause, and by the pet store's `check`.
 */
function toNetworkError(error: unknown): Response {
  const { name, message, code } = (isError(error) ? error : new Error(describeValue(error))) as Error & {
    code?: string
  }
  const shown = { name, message, ...(code !== undefined && { code }) }
  // A test runner that shows the cause would list everything a Response has.
  return Object.assign(Response.error(), { ...shown, toJSON: () => shown })
}
