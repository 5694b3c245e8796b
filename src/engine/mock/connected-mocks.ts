import { connectTo } from '../instance/neighbours.js'
import type { ServiceDefinition } from '../service.js'
import type { AnyService, MockOptions } from './define-service.js'
import { createMock, type Mock } from './mock.js'

export interface NamedService {
  readonly name: string
  readonly service: ServiceDefinition<AnyService>
  readonly options: MockOptions
}

/** Creates mocks whose handlers can use each other, once they are connected. */
function createConnector() {
  const mocks: Record<string, Mock<AnyService>> = {}
  const connectToOthers = connectTo(mocks)
  return {
    create: ({ name, service, options }: NamedService) => ({
      name,
      service,
      ...createMock(service, options, connectToOthers),
    }),
    /** From now on, the others use this mock by its name. */
    connect({ name, mock }: { readonly name: string; readonly mock: Mock<AnyService> }): void {
      mocks[name] = mock
    },
  }
}

/** Creates mocks whose handlers can use each other. */
export function createConnected(services: readonly NamedService[]) {
  const connector = createConnector()
  const created = services.map(connector.create)
  for (const each of created) connector.connect(each)
  return { created, connector }
}
