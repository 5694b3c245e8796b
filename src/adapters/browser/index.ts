/// <reference lib="esnext.disposable" preserve="true" />
import type { PetstoreOptions } from '../../petstore/options.js'
import { petstoreService } from '../../petstore/service.js'
import type { PetstoreTypes } from '../../petstore/types.js'
import type { BrowserInterceptionOptions } from './options.js'
import { type BrowserMock, setupMock } from './setup-mock.js'

export * from '../../index.js'
export type { BrowserInterceptionOptions } from './options.js'
export { type BrowserMock, setupMock } from './setup-mock.js'

export interface BrowserOptions extends PetstoreOptions, BrowserInterceptionOptions {}

/** A mock of the built-in service that intercepts the requests of a page to its base URL with a service worker. */
export interface BrowserPetstore extends BrowserMock<PetstoreTypes> {}

/** Creates a mock of the built-in service for a page without a backend. */
export function setupPetstore(options: BrowserOptions = {}): BrowserPetstore {
  return setupMock(petstoreService, options)
}
