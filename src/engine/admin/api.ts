import { cutJson, type JsonPieces, parsePieces } from '../../lib/json-in-steps.js'
import { describeDepth } from '../../lib/json-size.js'
import type { Steps } from '../../lib/steps.js'
import { type BodyLimits, decodeBody, notJson, tooMuch } from '../contract/body.js'
import { checkBody } from '../contract/contract.js'
import { ApiError } from '../contract/errors.js'
import type { PlainRequest } from '../contract/messages.js'
import type { Operation } from '../contract/operation.js'
import { DEFAULT_LIMITS, MAX_ADMIN_BODY_BYTES, NO_LIMITS } from '../limits.js'
import type { Api } from '../pipeline.js'
import type { ServiceDefinition, ServiceTypes } from '../service.js'
import type { AdminTarget } from './target.js'

/** The admin API of a service: the same for all instances. */
export type AdminApi = Pick<Api, 'contract' | 'handlers'>

/** Loads the admin API at its first use: most tests never need it. */
export function createAdminLoader<T extends ServiceTypes>(definition: ServiceDefinition<T>) {
  let api: AdminApi | undefined
  const importModules = () => Promise.all([import('./handlers.js'), definition.loadAdmin()])

  async function create(): Promise<AdminApi> {
    const [{ createAdminHandlers }, documents] = await importModules()
    api ??= { contract: documents.contract, handlers: createAdminHandlers(definition, documents) }
    return api
  }
  return { importModules, load: (): AdminApi | Promise<AdminApi> => api ?? create() }
}

export function bindAdminApi({ contract, handlers }: AdminApi, target: AdminTarget): Api {
  return {
    contract,
    handlers,
    toContext: ({ path, query, body, handleOptions }) => ({ target, path, query, body, handleOptions }),
    parseBody(operation, request, handleOptions) {
      const limits = handleOptions?.skipLimits ? NO_LIMITS : ADMIN_LIMITS
      if (operation.id !== 'replaceState') return contract.parseBody(operation, request, limits)
      // Everything that can be exported can be imported, so the number of values is not limited. The handler runs the steps.
      const maxBodyBytes = limits === NO_LIMITS ? limits.maxBodyBytes : target.options.maxStateBytes
      return readState(operation, request, { ...limits, maxBodyBytes })
    },
  }
}

/** As for the address, the user's limits do not apply. */
const ADMIN_LIMITS: BodyLimits = {
  maxBodyBytes: MAX_ADMIN_BODY_BYTES,
  maxJsonDepth: DEFAULT_LIMITS.maxJsonDepth,
  maxJsonValues: DEFAULT_LIMITS.maxJsonValues,
}

/** Like `contract.parseBody`, without a limit to the number of values. */
function* readState(operation: Operation, request: PlainRequest, limits: BodyLimits): Steps<unknown> {
  const pieces = yield* cutJson(decodeBody(request, limits))
  if (pieces.depth > limits.maxJsonDepth) throw tooMuch(describeDepth(limits))
  const state = yield* parseState(pieces)
  yield
  const checked = checkBody(operation, state)
  if (checked instanceof ApiError) throw checked
  return state
}

function* parseState(pieces: JsonPieces): Steps<unknown> {
  try {
    return yield* parsePieces(pieces)
  } catch {
    throw notJson()
  }
}
