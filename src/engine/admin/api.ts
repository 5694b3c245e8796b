import type { Api } from '../api.js'
import type { BodyLimits } from '../contract/body.js'
import { DEFAULT_LIMITS, MAX_ADMIN_BODY_BYTES, NO_LIMITS } from '../limits.js'
import type { ServiceDefinition, ServiceTypes } from '../service.js'
import type { readStateBody } from './state-body.js'
import type { AdminTarget } from './target.js'

/** The admin API of a service: the same for all instances. */
export interface AdminApi extends Pick<Api, 'contract' | 'handlers' | 'suggestPath'> {
  readonly readStateBody: typeof readStateBody
}

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

export function bindAdminApi({ contract, handlers, suggestPath, readStateBody }: AdminApi, target: AdminTarget): Api {
  return {
    contract,
    handlers,
    suggestPath,
    toContext: ({ path, query, body, handleOptions }) => ({ target, path, query, body, handleOptions }),
    parseBody(operation, request, handleOptions) {
      const limits = handleOptions?.skipLimits ? NO_LIMITS : ADMIN_LIMITS
      if (operation.id !== 'replaceState') return contract.parseBody(operation, request, limits)
      // Everything that can be exported can be imported, so the number of values is not limited. The handler runs the steps.
      const maxBodyBytes = limits === NO_LIMITS ? limits.maxBodyBytes : target.options.maxStateBytes
      return readStateBody(operation, request, { ...limits, maxBodyBytes })
    },
  }
}

/** As for the address, the user's limits do not apply. */
const ADMIN_LIMITS: BodyLimits = {
  maxBodyBytes: MAX_ADMIN_BODY_BYTES,
  maxJsonDepth: DEFAULT_LIMITS.maxJsonDepth,
  maxJsonValues: DEFAULT_LIMITS.maxJsonValues,
}
