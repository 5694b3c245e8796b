import type { Api } from '../api.js'
import type { ServiceDefinition, ServiceTypes } from '../service.js'
import type { CurrentStore } from '../store/current-store.js'
import type { StartingData } from '../store/starting-data.js'

/** The service as the pipeline calls it, with the data of one instance. */
export function createServiceApi<T extends ServiceTypes>(
  { contract, handlers, stateless }: ServiceDefinition<T>,
  startingData: StartingData<T>,
  store: CurrentStore<T>,
  services: object | undefined,
): Api {
  return {
    contract,
    handlers,
    stateless,
    // Member by member: spreading costs more than most operations.
    toContext: ({ path, query, headers, protocol, body, at, base }) => ({
      store: store.get().collections,
      options: startingData.options,
      path,
      query,
      headers,
      protocol,
      body,
      at,
      base,
      services,
    }),
    parseBody: (operation, request) => contract.parseBody(operation, request, startingData.options),
  }
}
