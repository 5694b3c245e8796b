import type { AnyService, MockOptions } from './define-service.js'
import { createMock, type Mock } from './mock.js'
import { connectTo } from './neighbours.js'
import type { ServiceDefinition } from './service.js'

export interface NamedService {
  readonly name: string
  readonly service: ServiceDefinition<AnyService>
  readonly options: MockOptions
}

/** Creates mocks whose handlers can use each other. */
export function createConnected(services: readonly NamedService[]) {
  const mocks: Record<string, Mock<AnyService>> = {}
  const connect = connectTo(mocks)
  return services.map(({ name, service, options }) => {
    const created = { name, service, ...createMock(service, options, connect) }
    mocks[name] = created.mock
    return created
  })
}
