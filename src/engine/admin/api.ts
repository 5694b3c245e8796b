import type { AdminApi } from '../instance/admin-api.js'
import type { ServiceDefinition, ServiceTypes } from '../service.js'

/** Loads the admin API at its first use: most tests never need it. */
export function createAdminLoader<T extends ServiceTypes>(definition: ServiceDefinition<T>) {
  let api: AdminApi | undefined
  const importModules = () => import('./handlers.js')

  async function create(): Promise<AdminApi> {
    const { createAdminContract, createAdminHandlers, readStateBody, suggestPath } = await importModules()
    if (api) return api
    const contract = createAdminContract(definition)
    const paths = [definition.contract, contract].flatMap((each) => each.operations().map(({ path }) => path))
    api = {
      contract,
      handlers: createAdminHandlers(definition),
      readStateBody,
      suggestPath: (segments) => suggestPath(segments, paths),
    }
    return api
  }
  return { importModules, load: (): AdminApi | Promise<AdminApi> => api ?? create() }
}
