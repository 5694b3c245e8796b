import type { AnyService, MockOptions } from './define-service.js'
import { createMock as createAnyMock, type Mock } from './mock.js'
import type { ServiceDefinition } from './service.js'

/** A mock of a service of your own, in memory. Await its `ready` before the first request. */
export function createMock(service: ServiceDefinition<AnyService>, options: MockOptions = {}): Mock<AnyService> {
  return createAnyMock(service, options).mock
}
