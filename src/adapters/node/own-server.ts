import * as mswNode from 'msw/node'
import { shareBetweenBuilds } from '../../lib/share-between-builds.js'

/**
 * What the mock needs of the user's own msw server; those of msw 2 and 3 both have it. Not with the types of msw, which then
 * would have to be installed for ours, and compile in every project.
 */
export interface OwnServer {
  use(...handlers: never[]): void
  resetHandlers(...handlers: never[]): void
  listHandlers(): readonly unknown[]
}

export function isOwnServer(value: unknown): value is OwnServer {
  const server = value as Partial<OwnServer> | null | undefined
  return [server?.use, server?.resetHandlers, server?.listHandlers].every((each) => typeof each === 'function')
}

/** Adds a handler that stays when the user calls `resetHandlers`. Adding it again does nothing. */
export function addHandler(server: OwnServer, handler: object): void {
  if (!server.listHandlers().includes(handler)) server.use(handler as never)
  if (originals.has(server)) return
  const { resetHandlers } = server
  originals.set(server, resetHandlers)
  server.resetHandlers = (...handlers) => {
    resetHandlers.apply(server, handlers)
    server.use(handler as never)
  }
}

/** From now on the handler goes with the next `resetHandlers`: msw cannot remove a single one. */
export function releaseHandler(server: OwnServer): void {
  const original = originals.get(server)
  if (original !== undefined) server.resetHandlers = original
  originals.delete(server)
}

const originals = shareBetweenBuilds('own servers', () => new Map<OwnServer, OwnServer['resetHandlers']>())

interface Emitter {
  listeners?(type: string): readonly unknown[]
}

/**
 * Identifies the msw server that gets the requests of this process; undefined if there is none. All servers share one
 * source of requests, and the one that listened last is its only listener.
 */
export function activeServer(): unknown {
  // Not imported by name: an msw that is too old does not have it, and must get as far as the message that says so.
  const { defaultNetworkOptions } = mswNode as Partial<typeof mswNode>
  const [source] = (defaultNetworkOptions?.sources ?? []) as { emitter?: Emitter }[]
  return source?.emitter?.listeners?.('frame')[0] ?? globals[OTHER_COPY_OF_MSW_2]
}

/** Under this symbol, msw 2 stores what intercepts requests, whichever copy of msw it belongs to. */
const OTHER_COPY_OF_MSW_2 = Symbol.for('interceptor-source')
const globals = globalThis as typeof globalThis & Record<symbol, unknown>
