import type { RequestHandler } from 'msw'
import { assemblePetstore, type Petstore } from '../../petstore/create-petstore.js'
import { resolveBaseAddresses } from '../msw/base-address.js'
import { createHandler } from '../msw/handlers.js'
import {
  BASE_URL_EXPECTATION,
  DEFAULT_BASE_URL,
  type InterceptionOptions,
  partOptions,
  type Unhandled,
} from '../msw/options.js'
import { close, type Listener, listen, mayBeFor, runFor } from './hub.js'

export * from '../../index.js'

export interface NodeOptions extends InterceptionOptions {
  /**
   * A request to another address: `error` stops it and fails the test, `bypass` lets it out to the network; a function
   * decides for each. Default: `error`.
   */
  onUnhandledRequest?: Unhandled | ((request: Request) => Unhandled)
}

/** A pet store that can answer for addresses that the code under test calls by itself. */
export interface NodePetstore extends Petstore {
  /** Starts to intercept. A second call changes nothing. */
  listen(): void
  /**
   * Ends it: the last one to close gives the process its own fetch back. Ends with `check`, so a test fails for what
   * went wrong unnoticed.
   */
  close(): void
  /** Runs code whose requests are for this pet store, even while others listen at the same address. */
  run<T>(callback: () => T): T
  /** For an msw server of one's own, instead of `listen`. */
  readonly handlers: readonly RequestHandler[]
}

/** A pet store for tests in Node whose code calls global fetch, node:http or a library on top of them. */
export function setupPetstore(options: NodeOptions = {}): NodePetstore {
  const { own, petstore: petstoreOptions } = partOptions(options, DEFAULTS, EXPECTATIONS)
  // In a simulated page (jsdom) an address may be relative to it.
  const addresses = resolveBaseAddresses(own.baseUrl, globalThis.location?.href)
  const { petstore, reportError } = assemblePetstore(petstoreOptions)
  const { onUnhandledRequest } = own
  const decide = typeof onUnhandledRequest === 'function' ? onUnhandledRequest : () => onUnhandledRequest
  const listener: Listener = { petstore, addresses, onUnhandledRequest: decide, reportError }

  return Object.assign(petstore, {
    listen: () => listen(listener),
    close() {
      close(listener)
      petstore.check()
    },
    run: <T>(callback: () => T) => runFor(listener, callback),
    handlers: [
      createHandler((request) => {
        const isHere = addresses.match(request.url) !== undefined && mayBeFor(listener, request)
        return isHere ? listener : undefined
      }),
    ],
  })
}

const DEFAULTS: Required<Pick<NodeOptions, 'baseUrl' | 'onUnhandledRequest'>> = {
  baseUrl: DEFAULT_BASE_URL,
  onUnhandledRequest: 'error',
}

const EXPECTATIONS = {
  baseUrl: BASE_URL_EXPECTATION,
  onUnhandledRequest: [
    (value: unknown) => value === 'error' || value === 'bypass' || typeof value === 'function',
    "'error', 'bypass' or a function",
  ],
} as const
