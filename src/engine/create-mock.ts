import { createMock as createAnyMock, type Mock } from './mock.js'
import type { ServiceDefinition, ServiceTypes } from './service.js'

/** A mock of a service of your own, in memory. Await its `ready` before the first request. */
export function createMock<T extends ServiceTypes>(service: ServiceDefinition<T>, options: T['options'] = {}): Mock<T> {
  return createAnyMock(service, options).mock
}
