/// <reference lib="esnext.disposable" preserve="true" />
import type { ServiceDefinition, ServiceTypes } from '../../engine/service.js'
import type { PetstoreOptions } from '../../petstore/options.js'
import { petstoreService } from '../../petstore/service.js'
import type { PetstoreTypes } from '../../petstore/types.js'
import { type NodeInterceptionOptions, type NodeMock, setupMockFor } from './setup-mock.js'

export * from '../../index.js'
export type { NodeInterceptionOptions, NodeMock }

export interface NodeOptions extends PetstoreOptions, NodeInterceptionOptions {}

/** A mock of the built-in service that intercepts the requests of this process to its base URL. */
export interface NodePetstore extends NodeMock<PetstoreTypes> {}

/** Creates a mock of the built-in service for tests in Node whose code calls `fetch`, `node:http`, undici or a library based on them. */
export function setupPetstore(options: NodeOptions = {}): NodePetstore {
  return setupMockFor(petstoreService, options, setupPetstore)
}

/** Creates a mock of any service for tests in Node. Mocks of several services listen side by side, each at its own base URL. */
export function setupMock<T extends ServiceTypes>(
  service: ServiceDefinition<T>,
  options: T['options'] & NodeInterceptionOptions = {},
): NodeMock<T> {
  return setupMockFor(service, options, setupMock)
}
